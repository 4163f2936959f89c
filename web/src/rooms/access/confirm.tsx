// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { BadgeCheck } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { confirmEmail } from '../../api/access';
import { ApiError } from '../../api/client';
import { linkSecret } from '../../shell/linkSecret';
import { refreshMe, wasSignedIn } from '../../shell/session';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { Refusal } from '../../ui/refusal';
import { words } from '../../words';
import { BadLink } from './badLink';
import { Porch } from './porch';

/** The page of the letter that goes to a new address. Who reads it need not be signed in here. */
export function Confirm() {
  const [, go] = useLocation();
  const [isDone, setIsDone] = useState(false);
  const [isBad, setIsBad] = useState(false);
  const told = words.value.access.confirm;
  const secret = linkSecret.value;
  const attempt = useAttempt(async () => {
    try {
      await confirmEmail(secret!);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return setIsBad(true);
      throw error;
    }
    setIsDone(true);
    linkSecret.value = null;
    if (wasSignedIn()) await refreshMe();
  });
  if (isDone) {
    const next = wasSignedIn() ? { label: told.goOn, path: '/account' } : { label: words.value.access.toSignIn, path: '/login' };
    return (
      <Porch title={told.doneTitle} lead={told.doneLead}>
        <div class="porch-sign" aria-hidden="true"><BadgeCheck /></div>
        <Button tone="primary" class="porch-go" onClick={() => go(next.path)}>{next.label}</Button>
      </Porch>
    );
  }
  if (isBad || secret === null) {
    return <BadLink deed={told.again} path="/account" />;
  }
  const explain = (error: unknown) => (error instanceof ApiError && error.status === 409 ? told.taken : null);
  return (
    <Porch title={told.title} lead={told.lead}>
      <form onSubmit={attempt.run}>
        <Refusal attempt={attempt} explain={explain} />
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy} disabled={attempt.waitSeconds > 0}>{told.submit}</Button>
      </form>
    </Porch>
  );
}
