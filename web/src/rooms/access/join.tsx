// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Unlink } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { ApiError } from '../../api/client';
import { acceptByLink, lookAt, type Glance } from '../../api/join';
import { signOut, type Person } from '../../api/me';
import { me, refreshMe } from '../../shell/session';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { messageOf } from '../../ui/errors';
import { useLoaded } from '../../ui/loaded';
import { Refusal } from '../../ui/refusal';
import { Failure, Skeleton } from '../../ui/states';
import { words } from '../../words';
import { JoinForm } from './joinForm';
import { forgetJoinToken, joinToken } from './joinToken';
import { Porch } from './porch';
import { safeReturn } from './returning';
import { goIn } from './signingIn';

/** The page behind the link of an invitation: who invites, to what, and the way in. */
export function Join() {
  const [token] = useState(joinToken);
  if (token === null) {
    return <Dead lead={words.value.access.join.ended.unknown} />;
  }
  return <Opened token={token} />;
}

function Opened({ token }: { token: string }) {
  const told = words.value.access.join;
  const glance = useLoaded(() => lookAt(token), [token]);
  if (glance.value === undefined || isUnusable(glance.error)) {
    return glance.error === null ? <Porch title={told.title}><Skeleton lines={4} /></Porch> : <Unusable error={glance.error} retry={glance.reload} />;
  }
  const state = glance.value.state;
  if (state !== 'open' && state !== 'requested') {
    return <Dead lead={told.ended[state]} />;
  }
  const user = me.value?.user;
  return user ? <SignedIn token={token} glance={glance.value} user={user} onAway={glance.reload} />
    : <JoinForm token={token} glance={glance.value} onEnded={glance.reload} />;
}

/** 404: the link never was one; 409: what it leads to is gone. */
const isUnusable = (error: unknown): error is ApiError => error instanceof ApiError && (error.status === 404 || error.status === 409);

function Unusable({ error, retry }: { error: unknown; retry: () => void }) {
  const told = words.value.access.join;
  if (isUnusable(error)) {
    return <Dead lead={error.status === 404 ? told.ended.unknown : told.ended.gone} />;
  }
  return <Porch title={told.title}><Failure error={error} retry={retry} /></Porch>;
}

function Dead({ lead }: { lead: string }) {
  const [, go] = useLocation();
  const told = words.value.access;
  return (
    <Porch title={told.join.endedTitle} lead={lead}>
      <div class="porch-sign" aria-hidden="true"><Unlink /></div>
      <Button tone="primary" class="porch-go" onClick={() => { forgetJoinToken(); go('/login'); }}>{told.toSignIn}</Button>
    </Porch>
  );
}

/** What the invitation says, in one sentence. */
export function leadOf(glance: Glance): string {
  const told = words.value.access.join;
  const inviter = glance.inviter === glance.inviter_email ? (glance.inviter ?? '') : `${glance.inviter} (${glance.inviter_email})`;
  return glance.kind === 'calendar' ? told.toCalendar(inviter, glance.label ?? '') : told.toOrganisation(inviter, glance.organisation ?? '');
}

function SignedIn({ token, glance, user, onAway }: { token: string; glance: Glance; user: Person; onAway: () => void }) {
  const [, go] = useLocation();
  const told = words.value.access.join;
  const fits = glance.email === undefined || glance.email === user.email;
  const accept = useAttempt(async () => {
    const { return_to } = await acceptByLink(token);
    forgetJoinToken();
    await goIn(go, safeReturn(return_to));
  });
  const leave = useAttempt(async () => {
    await signOut();
    await refreshMe();
    onAway();
  });
  return (
    <Porch title={told.title} lead={leadOf(glance)}>
      {fits && <p>{told.signedInAs(user.email)}</p>}
      {!fits && <div class="notice notice-bad" role="alert">{told.otherAddress(glance.email ?? '', user.email)}</div>}
      <Refusal attempt={accept} explain={(error) => (error instanceof ApiError && error.status === 409 ? told.ended.accepted : messageOf(error))} />
      <Refusal attempt={leave} />
      {fits && (
        <Button tone="primary" class="porch-go" busy={accept.busy} disabled={accept.waitSeconds > 0} onClick={() => accept.run()}>
          {told.accept}
        </Button>
      )}
      <Button class="porch-go" busy={leave.busy} onClick={() => leave.run()}>{told.switchAccount}</Button>
    </Porch>
  );
}
