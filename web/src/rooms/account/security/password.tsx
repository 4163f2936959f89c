// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { requestReset, wantsCode } from '../../../api/access';
import { changePassword } from '../../../api/account';
import { ApiError } from '../../../api/client';
import type { Person } from '../../../api/me';
import { me } from '../../../shell/session';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { PasswordField, isPasswordTooShort } from '../../../ui/password';
import { Refusal } from '../../../ui/refusal';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { Section } from '../section';

interface Wrong {
  current?: string;
  next?: string;
  code?: string;
}

/** Which field a refusal is about; null: none of them. */
function wrongBy(error: unknown): Wrong | null {
  const told = words.value;
  if (wantsCode(error)) return { code: told.account.wrongCode };
  if (!(error instanceof ApiError)) return null;
  if (error.status === 401) return { current: told.account.wrongPassword };
  return error.status === 400 ? { next: told.access.passwordWeak } : null;
}

export function PasswordSection({ user, sendsMail }: { user: Person; sendsMail: boolean }) {
  const told = words.value.account.password;
  const empty = { current: '', next: '', code: '' };
  const [fields, setFields] = useState(empty);
  const [wrong, setWrong] = useState<Wrong>({});
  const attempt = useAttempt(async () => {
    if (isPasswordTooShort(fields.next)) {
      return setWrong({ next: words.value.access.passwordShort });
    }
    setWrong({});
    try {
      await changePassword(fields.current, fields.next, fields.code.trim());
    } catch (error) {
      const found = wrongBy(error);
      if (found === null) throw error;
      return setWrong(found);
    }
    setFields(empty);
    say(told.changed);
  });
  const part = (name: keyof typeof empty) => ({
    value: fields[name], error: wrong[name] ?? null,
    onValue: (value: string) => { setFields({ ...fields, [name]: value }); setWrong({ ...wrong, [name]: undefined }); },
  });
  return (
    <Section title={told.title} hint={told.hint}>
      <form class="account-form" onSubmit={attempt.run} noValidate>
        <Refusal attempt={attempt} />
        {/* For password managers, which want to know whose password it is. */}
        <input class="visually-hidden" type="email" name="email" autocomplete="username" value={user.email} readOnly tabIndex={-1}
          aria-hidden="true" />
        <PasswordField {...part('current')} label={told.current} autocomplete="current-password" />
        <PasswordField {...part('next')} label={told.new} hint={words.value.access.passwordHint} autocomplete="new-password" />
        {me.value?.second_factor && <TextField {...part('code')} label={told.code} name="otp" autocomplete="one-time-code" spellcheck={false} />}
        <Button type="submit" busy={attempt.busy} disabled={attempt.waitSeconds > 0 || fields.current === '' || fields.next === ''}>
          {told.submit}
        </Button>
      </form>
      {sendsMail && <MailedPassword email={user.email} />}
    </Section>
  );
}

/** For who came by a link or a provider and never had a password. */
function MailedPassword({ email }: { email: string }) {
  const told = words.value.account.password;
  const [busy, setBusy] = useState(false);
  const mail = async () => {
    setBusy(true);
    try {
      await requestReset(email);
      say(told.mailed(email));
    } catch (error) {
      sayError(error);
    }
    setBusy(false);
  };
  return (
    <p class="account-aside">
      {told.forgotten}{' '}<button type="button" class="link" disabled={busy} onClick={() => void mail()}>{told.mailLink}</button>
    </p>
  );
}
