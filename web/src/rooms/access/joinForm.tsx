// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { KeyRound, LogIn } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { loadOffers } from '../../api/access';
import { ApiError } from '../../api/client';
import { join, joinWith, type Glance } from '../../api/join';
import { JOIN_PATH } from '../../shell/accessPaths';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { useLoaded } from '../../ui/loaded';
import { PasswordField, isPasswordTooShort } from '../../ui/password';
import { Refusal } from '../../ui/refusal';
import { browserZone } from '../../ui/zones';
import { words, type Words } from '../../words';
import { leadOf } from './join';
import { forgetJoinToken, keepJoinToken } from './joinToken';
import { Porch } from './porch';
import { safeReturn } from './returning';
import { goIn } from './signingIn';

interface Fields {
  name: string;
  email: string;
  password: string;
}
type Wrong = Partial<Record<keyof Fields, string>>;

function checkFields(fields: Fields, told: Words['access']): Wrong {
  const wrong: Wrong = {};
  for (const name of ['name', 'email', 'password'] as const) {
    if (fields[name].trim() === '') wrong[name] = told.missing;
  }
  if (!wrong.email && !/^\S+@\S+$/.test(fields.email.trim())) wrong.email = told.emailInvalid;
  if (!wrong.password && isPasswordTooShort(fields.password)) wrong.password = told.passwordShort;
  return wrong;
}

/** Which field the server complains of; none: it complains of something else. */
function wrongBy(error: ApiError, told: Words['access']): Wrong | null {
  if (error.status === 409 && error.message.startsWith('email:')) return { email: told.join.taken };
  if (error.status !== 400) return null;
  if (error.message.includes('password')) return { password: told.passwordWeak };
  return error.message.includes('e-mail') || error.message.startsWith('email') ? { email: told.emailInvalid } : null;
}

/** Why there is no account. */
function explain(error: unknown): string | null {
  const told = words.value.access.join;
  if (!(error instanceof ApiError)) return null;
  if (error.status === 403) return told.closed;
  return error.status === 409 && error.message.includes('too often') ? told.tooOften : null;
}

/** Makes an account on the spot; or leads to the sign-in whoever has one. */
export function JoinForm({ token, glance, onEnded }: { token: string; glance: Glance; onEnded: () => void }) {
  const [, go] = useLocation();
  const told = words.value.access;
  const [fields, setFields] = useState<Fields>({ name: '', email: glance.email ?? '', password: '' });
  const [wrong, setWrong] = useState<Wrong>({});
  const attempt = useAttempt(async () => {
    const found = checkFields(fields, told);
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    try {
      const joined = await join({
        token, name: fields.name.trim(), password: fields.password, time_zone: browserZone(),
        ...(glance.email === undefined && { email: fields.email.trim() }),
      });
      forgetJoinToken();
      if (joined.awaits !== undefined) return go('/join/waiting', { replace: true });
      await goIn(go, safeReturn(joined.return_to));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const field = wrongBy(error, told);
      if (field !== null) return setWrong(field);
      // Where it has not ended after all, the reason is shown.
      if (error.status === 409 || error.status === 404) onEnded();
      throw error;
    }
  });
  const toSignIn = () => {
    keepJoinToken(token);
    go(`/login?return_to=${encodeURIComponent(JOIN_PATH)}`);
  };
  const part = (name: keyof Fields) => ({
    value: fields[name], error: wrong[name] ?? null,
    onValue: (value: string) => { setFields({ ...fields, [name]: value }); setWrong({ ...wrong, [name]: undefined }); },
  });
  if (glance.has_account) {
    return (
      <Porch title={told.join.title} lead={leadOf(glance)}>
        <p>{told.join.hasAccount(glance.email ?? '')}</p>
        <Button tone="primary" class="porch-go" onClick={toSignIn}><LogIn />{told.signIn.title}</Button>
      </Porch>
    );
  }
  return (
    <Porch title={told.join.title} lead={leadOf(glance)}>
      <form onSubmit={attempt.run} noValidate>
        <p class="hint">{told.join.makeAccount}</p>
        <TextField {...part('name')} label={told.setUp.name} name="name" autocomplete="name" />
        <TextField {...part('email')} label={told.email} type="email" name="email" autocomplete="username" spellcheck={false} autocapitalize="none"
          readOnly={glance.email !== undefined} {...(glance.proof && { hint: told.join.proofHint[glance.proof] })} />
        <PasswordField {...part('password')} label={told.password} hint={told.passwordHint} autocomplete="new-password" />
        <Refusal attempt={attempt} explain={explain} />
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy} disabled={attempt.waitSeconds > 0}>{told.join.submit}</Button>
      </form>
      <div class="porch-or"><span>{told.signIn.or}</span></div>
      <div class="porch-others">
        <Providers token={token} />
        <Button onClick={toSignIn}><LogIn />{told.join.haveAccount}</Button>
      </div>
    </Porch>
  );
}

function Providers({ token }: { token: string }) {
  const offers = useLoaded(loadOffers, []);
  return <>{(offers.value?.providers ?? []).map((one) => <ProviderButton key={one.id} provider={one} token={token} />)}</>;
}

function ProviderButton({ provider, token }: { provider: { id: string; name: string }; token: string }) {
  const leave = useAttempt(async () => {
    // Whoever turns out to have an account comes back to this page, signed in.
    keepJoinToken(token);
    location.assign((await joinWith(provider.id, token)).url);
  });
  return (
    <>
      <Refusal attempt={leave} />
      <Button busy={leave.busy} onClick={() => leave.run()}><KeyRound />{words.value.access.join.with(provider.name)}</Button>
    </>
  );
}
