// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { KeyRound, Mail } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';

import { loadOffers, loadSetUp, requestLink, signIn, wantsCode, type Offers } from '../../api/access';
import { ApiError } from '../../api/client';
import { me } from '../../shell/session';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { useLoaded } from '../../ui/loaded';
import { PasswordField } from '../../ui/password';
import { Refusal } from '../../ui/refusal';
import { Failure, Skeleton } from '../../ui/states';
import { words } from '../../words';
import { Code } from './code';
import { Porch } from './porch';
import { wantedReturn } from './returning';
import { Sent } from './sent';
import { goIn } from './signingIn';

interface Given {
  email: string;
  password: string;
}

type Step = { name: 'password' } | { name: 'code' } | { name: 'sent' };

/** The offers of a server that is set up; null: it is not. */
async function loadWaysIn(): Promise<Offers | null> {
  return (await loadSetUp()) ? loadOffers() : null;
}

export function SignIn() {
  const [, go] = useLocation();
  const offers = useLoaded(loadWaysIn, []);
  const [step, setStep] = useState<Step>({ name: 'password' });
  const [given, setGiven] = useState<Given>({ email: '', password: '' });
  const told = words.value.access.signIn;
  const isIn = Boolean(me.value);
  useEffect(() => { if (isIn) go(whereFromHere(), { replace: true }); }, [isIn]);
  if (isIn) {
    return null;
  }
  if (offers.value === undefined) {
    return <Porch title={told.title}>{offers.error ? <Failure error={offers.error} retry={offers.reload} /> : <Skeleton lines={5} />}</Porch>;
  }
  if (offers.value === null) {
    return <NotSetUp />;
  }
  const begin = () => setStep({ name: 'password' });
  if (step.name === 'sent') {
    return <Sent text={words.value.access.sent.link(given.email)} back={begin} />;
  }
  if (step.name === 'code') {
    const use = async (code: string) => {
      await signIn(given.email, given.password, code);
      await goIn(go, wantedReturn());
    };
    return <Code use={use} back={begin} />;
  }
  return <PasswordForm offers={offers.value} given={given} onGiven={setGiven} onStep={setStep} />;
}

/** Somebody who added an account elsewhere and was refused comes back here, too. */
function whereFromHere(): string {
  const refused = new URLSearchParams(location.search).get('refused');
  return refused === null ? wantedReturn() : `/account/security?refused=${encodeURIComponent(refused)}`;
}

function PasswordForm({ offers, given, onGiven, onStep }: {
  offers: Offers; given: Given; onGiven: (given: Given) => void; onStep: (step: Step) => void;
}) {
  const [, go] = useLocation();
  const [missing, setMissing] = useState<string | null>(null);
  const told = words.value.access;
  const form = useRef<HTMLFormElement>(null);
  const attempt = useAttempt(async () => {
    // As it stands in the fields: what fills them in may press the button before the page has noticed.
    const fields = new FormData(form.current!);
    const now = { email: String(fields.get('email')).trim(), password: String(fields.get('password')) };
    onGiven(now);
    setMissing(now.email === '' ? told.missing : null);
    if (now.email === '' || now.password === '') return;
    try {
      await signIn(now.email, now.password);
      await goIn(go, wantedReturn());
    } catch (error) {
      if (!wantsCode(error)) throw error;
      onStep({ name: 'code' });
    }
  });
  const mail = useAttempt(async () => {
    attempt.forget();
    await requestLink(given.email.trim(), wantedReturn());
    onStep({ name: 'sent' });
  });
  const mailOrAsk = () => {
    setMissing(given.email.includes('@') ? null : told.signIn.mailLinkNeedsEmail);
    if (given.email.includes('@')) mail.run();
  };
  const explain = (error: unknown) => (error instanceof ApiError && error.status === 401 ? told.signIn.wrong : null);
  return (
    <Porch title={told.signIn.title}>
      <form ref={form} onSubmit={attempt.run} noValidate>
        <RefusedElsewhere />
        <Refusal attempt={attempt} explain={explain} />
        <Refusal attempt={mail} />
        <TextField label={told.email} value={given.email} onValue={(email) => onGiven({ ...given, email })} type="email" name="email" error={missing}
          autocomplete="username" spellcheck={false} autocapitalize="none" />
        <PasswordField label={told.password} value={given.password} autocomplete="current-password"
          onValue={(password) => onGiven({ ...given, password })} />
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy} disabled={attempt.waitSeconds > 0}>{told.signIn.submit}</Button>
      </form>
      {offers.mail && <div class="porch-links"><Link href="/auth/forgot">{told.signIn.forgot}</Link></div>}
      {(offers.mail || offers.providers.length > 0) && <div class="porch-or"><span>{told.signIn.or}</span></div>}
      <div class="porch-others">
        {offers.mail && <Button busy={mail.busy} disabled={mail.waitSeconds > 0} onClick={mailOrAsk}><Mail />{told.signIn.mailLink}</Button>}
        {offers.providers.map((provider) => (
          <a key={provider.id} class="button" href={`${provider.login_url}?return_to=${encodeURIComponent(wantedReturn())}`}>
            <KeyRound />{told.signIn.with(provider.name)}
          </a>
        ))}
      </div>
    </Porch>
  );
}

function RefusedElsewhere() {
  const refused = new URLSearchParams(location.search).get('refused');
  const told = words.value.access.signIn.refused;
  if (refused === null) {
    return null;
  }
  return <div class="notice notice-bad" role="alert">{refused in told ? told[refused as keyof typeof told] : told.unavailable}</div>;
}

function NotSetUp() {
  const [, go] = useLocation();
  const told = words.value.access.signIn;
  return (
    <Porch title={told.notSetUpTitle} lead={told.notSetUpLead}>
      <Button tone="primary" class="porch-go" onClick={() => go('/setup')}>{told.toSetUp}</Button>
    </Porch>
  );
}
