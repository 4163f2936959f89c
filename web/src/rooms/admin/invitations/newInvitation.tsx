// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useId, useState } from 'preact/hooks';

import { ApiError } from '../../../api/client';
import { inviteToOrg, type OrgInvitation } from '../../../api/invitations';
import { sendsMail } from '../../../api/people';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { Refusal } from '../../../ui/refusal';
import { words } from '../../../words';

/** Invites somebody to the organisation: by letter where mail is set up, and by link in any case. */
export function NewInvitation({ org, onClose, onDone }: { org: string | null; onClose: () => void; onDone: (made: OrgInvitation) => void }) {
  const told = words.value.admin.invitations;
  const mail = useLoaded((signal) => sendsMail(signal), []);
  const [email, setEmail] = useState('');
  const formId = useId();
  const attempt = useAttempt(async () => onDone(await inviteToOrg(org, email.trim())));
  return (
    <Dialog title={told.invite} onClose={onClose} actions={<>
      <Button onClick={onClose}>{words.value.common.cancel}</Button>
      <Button tone="primary" type="submit" form={formId} busy={attempt.busy}>{told.invite}</Button>
    </>}>
      <form id={formId} onSubmit={attempt.run}>
        <TextField label={told.email} hint={mail.value === false ? told.emailHintNoMail : told.emailHint} type="email" autocomplete="off" autofocus
          value={email} onValue={setEmail} />
        <Refusal attempt={attempt} explain={(error) => (error instanceof ApiError && error.status === 409 ? words.value.admin.people.taken : null)} />
      </form>
    </Dialog>
  );
}
