// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { KeyRound } from 'lucide-preact';

import { listProviders, type Provider } from '../../../api/people';
import { Button } from '../../../ui/button';
import { useLoaded } from '../../../ui/loaded';
import { EmptyState } from '../../../ui/states';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import { OrgPicker, chosenOrg } from '../orgPicker';
import { PageHead, Shown } from '../parts';
import { ProviderSheet } from './providerSheet';

/** Whose sign-in is taken here: OpenID Connect. */
export function Providers() {
  const told = words.value.admin.providers;
  const org = chosenOrg.value;
  const providers = useLoaded((signal) => listProviders(org, signal), [org]);
  const [opened, setOpened] = useState<Provider | 'new' | null>(null);
  const add = () => setOpened('new');
  return (
    <>
      <PageHead title={words.value.admin.pages.providers} hint={told.hint}>
        <Button tone="primary" onClick={add}><KeyRound />{told.add}</Button>
      </PageHead>
      <OrgPicker />
      <Shown loaded={providers}>{(all) => (all.length === 0
        ? <EmptyState icon={<KeyRound />} title={told.none} action={<Button onClick={add}>{told.add}</Button>}><p>{told.noneHint}</p></EmptyState>
        : <ul class="card admin-rows">{all.map((one) => <Row key={one.id} provider={one} open={() => setOpened(one)} />)}</ul>
      )}</Shown>
      {opened !== null && <ProviderSheet org={org} provider={opened === 'new' ? null : opened} taken={(providers.value ?? []).map((one) => one.id)}
        onClose={() => setOpened(null)} onDone={(text) => { setOpened(null); providers.reload(); say(text); }} />}
    </>
  );
}

function Row({ provider, open }: { provider: Provider; open: () => void }) {
  const told = words.value.admin.providers;
  return (
    <li>
      <button type="button" onClick={open}>
        <span class="admin-row-icon" aria-hidden="true"><KeyRound /></span>
        <span class="admin-row-main"><strong>{provider.name}</strong><small>{provider.issuer}</small></span>
        <span class="admin-row-end">
          {provider.trusted && <span class="badge">{told.trustedBadge}</span>}
          {provider.creates_users && <span class="badge">{told.createsBadge}</span>}
        </span>
      </button>
    </li>
  );
}
