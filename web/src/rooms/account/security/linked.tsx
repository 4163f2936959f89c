// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { KeyRound, Plus } from 'lucide-preact';

import type { Offers } from '../../../api/access';
import { beginIdentity, listIdentities, unlinkIdentity, type Identity } from '../../../api/account';
import { ApiError } from '../../../api/client';
import { homeZone } from '../../../shell/session';
import { renderDay } from '../../../ui/ago';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded } from '../../../ui/loaded';
import { Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { language, words } from '../../../words';
import { Section } from '../section';

/** Who runs the account elsewhere: the host of its issuer. */
export function hostOf(issuer: string): string {
  try {
    return new URL(issuer).host;
  } catch {
    return issuer;
  }
}

async function add(provider: string): Promise<void> {
  try {
    location.assign(await beginIdentity(provider, '/account/security'));
  } catch (error) {
    sayError(error);
  }
}

/** Not there when nothing is linked and nothing can be. */
export function LinkedSection({ providers }: { providers: Offers['providers'] }) {
  const told = words.value.account.linked;
  const linked = useLoaded(listIdentities, []);
  if (providers.length === 0 && (linked.value ?? []).length === 0) {
    return null;
  }
  return (
    <Section title={told.title} hint={told.hint}>
      {linked.error ? <Failure error={linked.error} retry={linked.reload} /> : linked.value === undefined ? <Skeleton lines={2} />
        : <IdentityList identities={linked.value} reload={linked.reload} />}
      <div class="row row-wrap">
        {providers.map((one) => <Button key={one.id} onClick={() => void add(one.id)}><Plus />{told.add(one.name)}</Button>)}
      </div>
    </Section>
  );
}

function IdentityList({ identities, reload }: { identities: Identity[]; reload: () => void }) {
  const told = words.value.account.linked;
  const unlink = async (identity: Identity) => {
    const name = identity.email || hostOf(identity.issuer);
    if (!await confirm({ title: told.unlinkTitle, text: told.unlinkText(name), deed: told.unlink })) return;
    try {
      await unlinkIdentity(identity);
      say(told.unlinked);
    } catch (error) {
      sayError(error instanceof ApiError && error.status === 409 ? new Error(told.last) : error);
    }
    reload();
  };
  if (identities.length === 0) {
    return <p class="muted">{told.none}</p>;
  }
  return (
    <ul class="account-list">
      {identities.map((identity) => (
        <li key={`${identity.issuer} ${identity.subject}`}>
          <KeyRound />
          <div>
            <strong>{identity.email || hostOf(identity.issuer)}</strong>
            <small>{hostOf(identity.issuer)} · {told.since(renderDay(identity.linked_at, language.value, homeZone.value))}</small>
          </div>
          <Button tone="quiet" onClick={() => void unlink(identity)}>{told.unlink}</Button>
        </li>
      ))}
    </ul>
  );
}
