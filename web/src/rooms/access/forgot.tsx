// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';

import { requestReset } from '../../api/access';
import { ApiError } from '../../api/client';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Refusal } from '../../ui/refusal';
import { words } from '../../words';
import { Porch } from './porch';
import { Sent } from './sent';

export function Forgot() {
  const told = words.value.access;
  const [, go] = useLocation();
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState(false);
  const attempt = useAttempt(async () => {
    await requestReset(email.trim());
    setSent(true);
  });
  if (sent) {
    return <Sent text={told.sent.reset(email.trim())} back={() => go('/login')} />;
  }
  return (
    <Porch title={told.forgot.title} lead={told.forgot.lead}>
      <form onSubmit={attempt.run} noValidate>
        <Refusal attempt={attempt} explain={(error) => (error instanceof ApiError && error.status === 503 ? told.sent.noMail : null)} />
        <TextField label={told.email} value={email} onValue={setEmail} type="email" name="email" autocomplete="username" spellcheck={false}
          autocapitalize="none" />
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy}
          disabled={attempt.waitSeconds > 0 || !email.includes('@')}>{told.forgot.submit}</Button>
      </form>
      <div class="porch-links"><Link href="/login">{told.sent.back}</Link></div>
    </Porch>
  );
}
