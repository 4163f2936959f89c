// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { ApiError } from '../../api/client';
import { confirmJoin } from '../../api/join';
import { linkSecret } from '../../shell/linkSecret';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { PasswordField } from '../../ui/password';
import { Refusal } from '../../ui/refusal';
import { words } from '../../words';
import { BadLink } from './badLink';
import { Porch } from './porch';
import { safeReturn } from './returning';
import { goIn } from './signingIn';

/** The organisation may have changed its mind, or the address its owner, since the letter was written. */
function explain(error: unknown): string | null {
  const told = words.value.access.join;
  if (!(error instanceof ApiError)) return null;
  return error.status === 409 ? told.taken : error.status === 403 ? told.closed : null;
}

/** The page behind the letter that proves an address. In another browser it asks for the password that was chosen, too. */
export function JoinConfirm() {
  const [, go] = useLocation();
  const told = words.value.access;
  const [asksPassword, setAsksPassword] = useState(false);
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [isBad, setIsBad] = useState(false);
  const secret = linkSecret.value;
  const attempt = useAttempt(async () => {
    try {
      const joined = await confirmJoin(secret!, asksPassword ? password : undefined);
      linkSecret.value = null;
      await goIn(go, safeReturn(joined.return_to));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404) return setIsBad(true);
      if (error.status !== 401) throw error;
      setWrong(asksPassword ? told.join.wrongPassword : null);
      setAsksPassword(true);
    }
  });
  if (isBad || (secret === null && !attempt.busy)) {
    return <BadLink deed={told.toSignIn} path="/login" />;
  }
  return (
    <Porch title={told.join.confirmTitle} lead={asksPassword ? told.join.confirmPassword : told.join.confirmLead}>
      <form onSubmit={attempt.run} noValidate>
        <Refusal attempt={attempt} explain={explain} />
        {asksPassword && (
          <PasswordField label={told.password} value={password} error={wrong} autocomplete="current-password"
            onValue={(value) => { setPassword(value); setWrong(null); }} />
        )}
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy} disabled={attempt.waitSeconds > 0}>{told.join.confirm}</Button>
      </form>
    </Porch>
  );
}
