// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import type { InvitationStatus } from '../api/invitations';
import { locale, words } from '../words';
import { CopyButton } from './copyButton';

type Qr = ComponentType<{ text: string; label: string }>;

/** The link of an invitation, for the person who invites: to be copied, or shown to a camera. Says what became of the letter. */
export function PassOn({ email, invitation, link }: { email: string; invitation: InvitationStatus; link: string }) {
  const told = words.value.invitations;
  const id = useId();
  const until = new Intl.DateTimeFormat(locale.value, { dateStyle: 'long' }).format(new Date(invitation.expires_at));
  const tells = email === '' || invitation.delivery === 'by_hand' ? told.passOn.by_hand : told.passOn[invitation.delivery](email);
  return (
    <div class="pass-on" role="group" aria-label={told.link}>
      <p role="status">{tells}</p>
      <div class="field">
        <label for={id}>{told.link}</label>
        <div class="row">
          <input id={id} class="input" readOnly value={link} spellcheck={false} onFocus={(event) => event.currentTarget.select()} />
          <CopyButton text={link} tone="primary" />
        </div>
        <small class="hint">{told.worksUntil(until)}</small>
      </div>
      <LazyQr text={link} label={told.qr} />
    </div>
  );
}

/** What draws the code is fetched when one is shown. Without it, the link is still there. */
function LazyQr({ text, label }: { text: string; label: string }) {
  const [Code, setCode] = useState<Qr | null>(null);
  useEffect(() => {
    import('./qr').then((module) => setCode(() => module.QrCode), () => undefined);
  }, []);
  return <div class="pass-on-qr">{Code && <Code text={text} label={label} />}</div>;
}
