// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { wantsCode } from '../../api/access';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { words } from '../../words';
import { useAttempt } from './attempt';
import { Porch, Refusal } from './porch';

const DIGITS = 6;

/** The second factor. `use` signs in with the code, and throws when it is wrong. */
export function Code({ use, back }: { use: (code: string) => Promise<void>; back: () => void }) {
  const told = words.value.access.code;
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const attempt = useAttempt(async () => {
    if (code !== '') await use(code.trim());
  });
  const change = (typed: string) => { setCode(typed); attempt.forget(); };
  const explain = (error: unknown) => (wantsCode(error) ? (recovery ? told.wrongRecovery : told.wrong) : null);
  return (
    <Porch title={told.title} lead={recovery ? told.recoveryLead : told.lead}>
      <form onSubmit={attempt.run} noValidate>
        <Refusal attempt={attempt} explain={explain} />
        <div class="porch-code">
          <TextField key={String(recovery)} label={recovery ? told.recoveryLabel : told.label} value={code} onValue={change} name="otp"
            autocomplete="one-time-code" inputMode={recovery ? 'text' : 'numeric'} maxLength={recovery ? 40 : DIGITS + 2} spellcheck={false}
            autocapitalize="none" />
        </div>
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy} disabled={attempt.waitSeconds > 0 || code === ''}>{told.submit}</Button>
      </form>
      <div class="porch-links">
        <button type="button" class="link" onClick={() => { setRecovery(!recovery); change(''); }}>{recovery ? told.useApp : told.useRecovery}</button>
        <button type="button" class="link" onClick={back}>{told.back}</button>
      </div>
    </Porch>
  );
}
