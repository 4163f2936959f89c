// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { setUp, type FirstSteps } from '../../api/access';
import { ApiError } from '../../api/client';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { PasswordField, isPasswordTooShort } from '../../ui/password';
import { Refusal } from '../../ui/refusal';
import { ZoneField } from '../../ui/zone';
import { browserZone } from '../../ui/zones';
import { words, type Words } from '../../words';
import { Porch } from './porch';
import { goIn } from './signingIn';

type Fields = Omit<FirstSteps, 'token'>;
type Wrong = Partial<Record<keyof Fields, string>>;

/** What can be seen to be wrong without asking the server. */
function checkFields(fields: Fields, told: Words['access']): Wrong {
  const wrong: Wrong = {};
  for (const name of ['name', 'email', 'password', 'organisation'] as const) {
    if (fields[name].trim() === '') wrong[name] = told.missing;
  }
  if (!wrong.email && !/^\S+@\S+$/.test(fields.email.trim())) wrong.email = told.emailInvalid;
  if (!wrong.password && isPasswordTooShort(fields.password)) wrong.password = told.passwordShort;
  return wrong;
}

/** Which field the server complains of; none: it complains of something else. */
function wrongBy(error: ApiError, told: Words['access']): Wrong | null {
  if (error.status !== 400) return null;
  if (error.message.includes('password')) return { password: told.passwordWeak };
  return error.message.includes('e-mail') ? { email: told.emailInvalid } : null;
}

export function FirstStepsForm({ token, onWrongLink, onSetUpMeanwhile }: {
  token: string; onWrongLink: () => void; onSetUpMeanwhile: () => void;
}) {
  const [, go] = useLocation();
  const told = words.value.access;
  const [fields, setFields] = useState<Fields>({ name: '', email: '', password: '', organisation: '', time_zone: browserZone() });
  const [wrong, setWrong] = useState<Wrong>({});
  const attempt = useAttempt(async () => {
    const found = checkFields(fields, told);
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    try {
      await setUp({ ...fields, token, name: fields.name.trim(), email: fields.email.trim(), organisation: fields.organisation.trim() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) return onWrongLink();
      if (error.status === 409) return onSetUpMeanwhile();
      const field = wrongBy(error, told);
      if (field === null) throw error;
      return setWrong(field);
    }
    await goIn(go, '/calendar');
  });
  const part = (name: keyof Fields) => ({
    value: fields[name], error: wrong[name] ?? null,
    onValue: (value: string) => { setFields({ ...fields, [name]: value }); setWrong({ ...wrong, [name]: undefined }); },
  });
  return (
    <Porch title={told.setUp.title} lead={told.setUp.lead}>
      <form onSubmit={attempt.run} noValidate>
        <fieldset class="porch-part">
          <legend>{told.setUp.you}</legend>
          <p class="hint">{told.setUp.youHint}</p>
          <TextField {...part('name')} label={told.setUp.name} name="name" autocomplete="name" />
          <TextField {...part('email')} label={told.email} type="email" name="email" autocomplete="username" spellcheck={false}
            autocapitalize="none" />
          <PasswordField {...part('password')} label={told.password} hint={told.passwordHint} autocomplete="new-password" />
        </fieldset>
        <fieldset class="porch-part">
          <legend>{told.setUp.group}</legend>
          <p class="hint">{told.setUp.groupHint}</p>
          <TextField {...part('organisation')} label={told.setUp.organisation} name="organisation" autocomplete="organization"
            placeholder={told.setUp.organisationExample} />
          <ZoneField value={fields.time_zone} onValue={part('time_zone').onValue} label={told.setUp.timeZone} />
        </fieldset>
        <Refusal attempt={attempt} />
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy} disabled={attempt.waitSeconds > 0}>{told.setUp.submit}</Button>
      </form>
    </Porch>
  );
}
