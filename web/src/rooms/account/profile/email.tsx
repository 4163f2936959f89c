// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { requestNewEmail } from '../../../api/account';
import { ApiError } from '../../../api/client';
import type { Person } from '../../../api/me';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { Refusal } from '../../../ui/refusal';
import { words } from '../../../words';
import { Section } from '../section';

/** Which of our words fit what the server said; null: the general ones. */
function explain(error: unknown): string | null {
  const told = words.value;
  if (!(error instanceof ApiError)) return null;
  if (error.status === 409) return told.account.email.taken;
  if (error.status === 503) return told.account.email.noMail;
  return error.status === 400 ? told.access.emailInvalid : null;
}

export function EmailSection({ user }: { user: Person }) {
  const told = words.value.account.email;
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const attempt = useAttempt(async () => {
    setSentTo(null);
    await requestNewEmail(email.trim());
    setSentTo(email.trim());
    setEmail('');
  });
  return (
    <Section title={told.title} hint={told.hint}>
      <p class="account-value">{user.email}</p>
      <form class="account-form" onSubmit={attempt.run} noValidate>
        <Refusal attempt={attempt} explain={explain} />
        {sentTo !== null && <div class="notice" role="status">{told.sent(sentTo)}</div>}
        <TextField label={told.label} value={email} onValue={setEmail} type="email" name="email" autocomplete="email" spellcheck={false}
          autocapitalize="none" />
        <Button type="submit" busy={attempt.busy} disabled={!email.includes('@') || attempt.waitSeconds > 0}>{told.submit}</Button>
      </form>
    </Section>
  );
}
