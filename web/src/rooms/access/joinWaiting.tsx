// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Hourglass, MailCheck } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { ApiError } from '../../api/client';
import { enter, loadWaiting, type Waiting } from '../../api/join';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { useLoaded } from '../../ui/loaded';
import { Refusal } from '../../ui/refusal';
import { Failure, Skeleton } from '../../ui/states';
import { words } from '../../words';
import { Porch } from './porch';
import { safeReturn } from './returning';
import { goIn } from './signingIn';

const ASKED_AGAIN_MS = 5000;

/** For whoever has asked for an account: what is missing, and the way in as soon as it is there. */
export function JoinWaiting() {
  const told = words.value.access;
  const waiting = useLoaded((signal) => loadWaiting(signal), []);
  useEffect(() => {
    const timer = window.setInterval(() => { if (!document.hidden) waiting.reload(); }, ASKED_AGAIN_MS);
    return () => window.clearInterval(timer);
  }, []);
  const isOver = waiting.error instanceof ApiError && [401, 403, 404].includes(waiting.error.status);
  if (isOver) {
    return <Over />;
  }
  if (waiting.value === undefined) {
    return (
      <Porch title={told.join.waitingTitle}>
        {waiting.error === null ? <Skeleton lines={3} /> : <Failure error={waiting.error} retry={waiting.reload} />}
      </Porch>
    );
  }
  return waiting.value.state === 'admitted' ? <Enter /> : <Wait waiting={waiting.value} />;
}

function Wait({ waiting }: { waiting: Waiting }) {
  const told = words.value.access;
  const byLetter = waiting.proof === 'letter';
  return (
    <Porch title={byLetter ? told.sent.title : told.join.waitingTitle}
      lead={byLetter ? told.join.letterLead(waiting.email) : told.join.approvalLead(waiting.email)}>
      <div class="porch-sign" aria-hidden="true">{byLetter ? <MailCheck /> : <Hourglass />}</div>
      <p class="hint">{byLetter ? told.sent.spam : told.join.approvalHint}</p>
    </Porch>
  );
}

function Enter() {
  const [, go] = useLocation();
  const told = words.value.access;
  const attempt = useAttempt(async () => {
    const joined = await enter();
    await goIn(go, safeReturn(joined.return_to));
  });
  return (
    <Porch title={told.join.admittedTitle} lead={told.join.admittedLead}>
      <Refusal attempt={attempt} explain={(error) => (error instanceof ApiError && error.status === 409 ? told.join.signInInstead : null)} />
      <Button tone="primary" class="porch-go" busy={attempt.busy} onClick={() => attempt.run()}>{told.join.goIn}</Button>
    </Porch>
  );
}

function Over() {
  const [, go] = useLocation();
  const told = words.value.access;
  return (
    <Porch title={told.join.overTitle} lead={told.join.overLead}>
      <Button tone="primary" class="porch-go" onClick={() => go('/login')}>{told.toSignIn}</Button>
    </Porch>
  );
}
