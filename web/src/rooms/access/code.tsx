// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useRef, useState } from 'preact/hooks';

import { wantsCode } from '../../api/access';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Refusal } from '../../ui/refusal';
import { words } from '../../words';
import { Porch } from './porch';

const DIGITS = 6;

/** The second factor. `use` signs in with the code, and throws when it is wrong. */
export function Code({ use, back }: { use: (code: string) => Promise<void>; back: () => void }) {
  const told = words.value.access.code;
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const attempt = useAttempt(async () => {
    // As it stands in the field: what fills it in may press the button before the page has noticed.
    const now = String(new FormData(form.current!).get('otp')).trim();
    if (now !== '') await use(now);
  });
  const change = (typed: string) => { setCode(typed); attempt.forget(); };
  const explain = (error: unknown) => (wantsCode(error) ? (recovery ? told.wrongRecovery : told.wrong) : null);
  return (
    <Porch title={told.title} lead={recovery ? told.recoveryLead : told.lead}>
      <form ref={form} onSubmit={attempt.run} noValidate>
        <Refusal attempt={attempt} explain={explain} />
        <div class="porch-code">
          <TextField key={String(recovery)} label={recovery ? told.recoveryLabel : told.label} value={code} onValue={change} name="otp"
            autocomplete="one-time-code" inputMode={recovery ? 'text' : 'numeric'} maxLength={recovery ? 40 : DIGITS + 2} spellcheck={false}
            autocapitalize="none" />
        </div>
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy} disabled={attempt.waitSeconds > 0}>{told.submit}</Button>
      </form>
      <div class="porch-links">
        <button type="button" class="link" onClick={() => { setRecovery(!recovery); change(''); }}>
          {recovery ? told.useApp : told.useRecovery}
        </button>
        <button type="button" class="link" onClick={back}>{told.back}</button>
      </div>
    </Porch>
  );
}
