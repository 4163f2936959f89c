// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { resetPassword } from '../../api/access';
import { ApiError } from '../../api/client';
import { linkSecret } from '../../shell/linkSecret';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { PasswordField, isPasswordTooShort } from '../../ui/password';
import { Refusal } from '../../ui/refusal';
import { say } from '../../ui/toast';
import { words } from '../../words';
import { BadLink } from './badLink';
import { Porch } from './porch';
import { goIn } from './signingIn';

export function Reset() {
  const [, go] = useLocation();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [isBad, setIsBad] = useState(false);
  const told = words.value.access;
  const secret = linkSecret.value;
  const attempt = useAttempt(async () => {
    if (isPasswordTooShort(password)) {
      return setWrong(told.passwordShort);
    }
    try {
      const consumed = await resetPassword(secret!, password);
      linkSecret.value = null;
      if (consumed.session_id !== undefined) {
        await goIn(go, '/calendar');
      } else {
        say(told.reset.done);
        go('/login', { replace: true });
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) return setIsBad(true);
      if (error.status === 400) return setWrong(told.passwordWeak);
      throw error;
    }
  });
  if (isBad || (secret === null && !attempt.busy)) {
    return <BadLink deed={told.reset.again} path="/auth/forgot" />;
  }
  return (
    <Porch title={told.reset.title} lead={told.reset.lead}>
      <form onSubmit={attempt.run} noValidate>
        <Refusal attempt={attempt} />
        <PasswordField label={told.newPassword} hint={told.passwordHint} error={wrong} value={password} autocomplete="new-password"
          onValue={(value) => { setPassword(value); setWrong(null); }} />
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy} disabled={attempt.waitSeconds > 0 || password === ''}>
          {told.reset.submit}
        </Button>
      </form>
    </Porch>
  );
}
