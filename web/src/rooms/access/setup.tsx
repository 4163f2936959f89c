// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { loadSetUp } from '../../api/access';
import { linkSecret, secretIn } from '../../shell/linkSecret';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { useLoaded } from '../../ui/loaded';
import { Failure, Skeleton } from '../../ui/states';
import { words } from '../../words';
import { FirstStepsForm } from './firstSteps';
import { Porch } from './porch';

/** The first minute of a server: who looks after it, whose it is, and when they are. */
export function SetUp() {
  const state = useLoaded(loadSetUp, []);
  const [wrong, setWrong] = useState<string | null>(null);
  const told = words.value.access.setUp;
  if (state.value === undefined) {
    return <Porch title={told.title}>{state.error ? <Failure error={state.error} retry={state.reload} /> : <Skeleton lines={6} />}</Porch>;
  }
  if (state.value) {
    return <SetUpAlready />;
  }
  if (linkSecret.value === null) {
    return <AskForLink wrong={wrong} onSecret={(secret) => { setWrong(null); linkSecret.value = secret; }} />;
  }
  return (
    <FirstStepsForm token={linkSecret.value}
      onWrongLink={() => { setWrong(told.linkWrong); linkSecret.value = null; }}
      onSetUpMeanwhile={() => state.show(true)} />
  );
}

function SetUpAlready() {
  const [, go] = useLocation();
  const told = words.value.access;
  return (
    <Porch title={told.setUp.doneTitle} lead={told.setUp.doneLead}>
      <Button tone="primary" class="porch-go" onClick={() => go('/login')}>{told.toSignIn}</Button>
    </Porch>
  );
}

/** The secret in what was pasted: a whole link, or only its end. */
function pasted(text: string): string | null {
  const end = text.trim().replace(/^.*#/, '');
  return secretIn(end) ?? (/^atu_\S+$/.test(end) ? end : null);
}

function AskForLink({ wrong, onSecret }: { wrong: string | null; onSecret: (secret: string) => void }) {
  const told = words.value.access.setUp;
  const [link, setLink] = useState('');
  const [incomplete, setIncomplete] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const secret = pasted(link);
    setIncomplete(secret === null);
    if (secret !== null) onSecret(secret);
  };
  return (
    <Porch title={told.linkTitle} lead={told.linkLead}>
      <pre class="porch-log" aria-hidden="true">{`${location.origin}/setup#token=atu_…`}</pre>
      <form onSubmit={submit} noValidate>
        {wrong && !incomplete && <div class="notice notice-bad" role="alert">{wrong}</div>}
        <TextField label={told.linkField} hint={told.linkFieldHint} error={incomplete ? told.linkIncomplete : null} value={link} onValue={setLink}
          autocomplete="off" spellcheck={false} autocapitalize="none" />
        <Button type="submit" tone="primary" class="porch-go" disabled={link === ''}>{told.linkNext}</Button>
      </form>
    </Porch>
  );
}
