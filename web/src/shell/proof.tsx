// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';

import { giveProof, loadOffers, proofAt, requestLink } from '../api/access';
import { ApiError, proveBy, type ProofMethod } from '../api/client';
import { useAttempt } from '../ui/attempt';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { useLoaded } from '../ui/loaded';
import { PasswordField } from '../ui/password';
import { Refusal } from '../ui/refusal';
import { words } from '../words';
import { onDeparture } from './person';
import { me } from './session';

// Some changes need a proof that is minutes old: that whoever asks still is who signed in. Any request may turn out to
// be one, so the question stands here, once, above whatever asked.

interface Question {
  methods: readonly ProofMethod[];
  answer: (isProved: boolean) => void;
}

const asked = signal<Question | null>(null);

proveBy((methods) => new Promise((answer) => { asked.value = { methods, answer }; }));

function close(isProved: boolean): void {
  const question = asked.value;
  asked.value = null;
  question?.answer(isProved);
}

onDeparture(() => close(false));

const FORM = 'proof-form';
const PROVIDER = 'provider:';

export function ProofQuestion() {
  const question = asked.value;
  return question === null ? null : <Proof question={question} />;
}

function Proof({ question }: { question: Question }) {
  const told = words.value.common.proof;
  const ways = (['password', 'otp'] as const).filter((one) => question.methods.includes(one));
  const providers = question.methods.filter((one) => one.startsWith(PROVIDER)).map((one) => one.slice(PROVIDER.length));
  const [way, setWay] = useState(ways[0]);
  const other = ways.find((one) => one !== way);
  const form = useRef<HTMLFormElement>(null);
  const attempt = useAttempt(async () => {
    // As it stands in the field: what fills it in may press the button before the page has noticed.
    const secret = String(new FormData(form.current!).get(way === 'otp' ? 'otp' : 'password'));
    if (secret.trim() === '') return;
    await giveProof(way === 'otp' ? { otp: secret.trim() } : { password: secret });
    close(true);
  });
  const isWrong = (error: unknown) => error instanceof ApiError && (error.status === 401 || error.status === 403);
  const explain = (error: unknown) => (isWrong(error) ? (way === 'otp' ? told.wrongOtp : told.wrongPassword) : null);
  return (
    <Dialog title={told.title} onClose={() => close(false)}
      actions={<>
        <Button onClick={() => close(false)}>{words.value.common.cancel}</Button>
        {way && <Button tone="primary" type="submit" form={FORM} busy={attempt.busy} disabled={attempt.waitSeconds > 0}>{told.confirm}</Button>}
      </>}>
      <p>{told.lead}</p>
      {way && (
        <form id={FORM} ref={form} noValidate onSubmit={attempt.run}>
          <Refusal attempt={attempt} explain={explain} />
          <Secret key={way} way={way} typed={attempt.forget} />
          {other && (
            <button type="button" class="link" onClick={() => { attempt.forget(); setWay(other); }}>
              {other === 'otp' ? told.useOtp : told.usePassword}
            </button>
          )}
        </form>
      )}
      {providers.length > 0 && <Elsewhere providers={providers} />}
      {question.methods.includes('link') && <Mailed />}
      {question.methods.length === 0 && <p>{told.impossible}</p>}
    </Dialog>
  );
}

function Secret({ way, typed }: { way: 'password' | 'otp'; typed: () => void }) {
  const told = words.value.common.proof;
  const [value, setValue] = useState('');
  const change = (next: string) => { setValue(next); typed(); };
  return way === 'password'
    ? <PasswordField label={told.password} value={value} onValue={change} autocomplete="current-password" autofocus />
    : <TextField label={told.otp} hint={told.otpHint} name="otp" value={value} onValue={change} autocomplete="one-time-code" spellcheck={false}
      autocapitalize="none" autofocus />;
}

/** For who has neither password nor provider: a link as for signing in, which leads back here. */
function Mailed() {
  const told = words.value.common.proof;
  const email = me.value?.user?.email ?? '';
  const [isSent, setSent] = useState(false);
  const attempt = useAttempt(async () => {
    await requestLink(email, location.pathname + location.search);
    setSent(true);
  });
  return (
    <div class="stack">
      <Refusal attempt={attempt} />
      {isSent ? <p role="status">{told.linkSent(email)}</p>
        : <Button busy={attempt.busy} disabled={attempt.waitSeconds > 0} onClick={attempt.run}>{told.mailLink}</Button>}
    </div>
  );
}

/** Providers where one signs in again; known by their names once those are loaded. */
function Elsewhere({ providers }: { providers: readonly string[] }) {
  const told = words.value.common.proof;
  const offers = useLoaded(loadOffers, []);
  const nameOf = (id: string): string => offers.value?.providers.find((one) => one.id === id)?.name ?? id;
  return (
    <div class="stack">
      {providers.map((id) => (
        <a key={id} class="button" href={proofAt(id, location.pathname + location.search)}>{told.provider(nameOf(id))}</a>
      ))}
      <p class="hint">{told.providerHint}</p>
    </div>
  );
}
