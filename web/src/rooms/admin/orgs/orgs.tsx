// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Building2, Globe } from 'lucide-preact';

import { listOrgs, type Org } from '../../../api/people';
import { Button } from '../../../ui/button';
import { Failure, Skeleton } from '../../../ui/states';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import { usePaged } from '../paged';
import { PageHead } from '../parts';
import { OrgSheet } from './orgSheet';

/** Organisations, and the host names by which they are reached. */
export function Orgs() {
  const told = words.value.admin.orgs;
  /** null: none; empty: a new one. */
  const [opened, setOpened] = useState<string | null>(null);
  const orgs = usePaged<Org, string>(async (after, signal) => {
    const page = await listOrgs(after, signal);
    return { items: page.items, cursor: page.after };
  }, []);
  const done = (text: string) => { setOpened(null); orgs.reload(); say(text); };
  return (
    <>
      <PageHead title={words.value.admin.pages.orgs} hint={told.hint}>
        <Button tone="primary" onClick={() => setOpened('')}><Building2 />{told.add}</Button>
      </PageHead>
      {orgs.error !== null && <Failure error={orgs.error} retry={orgs.reload} />}
      {orgs.items === undefined && orgs.error === null && <Skeleton lines={5} />}
      {orgs.items && <ul class="card admin-rows">{orgs.items.map((org) => <Row key={org.id} org={org} open={() => setOpened(org.id)} />)}</ul>}
      {orgs.hasMore && <Button busy={orgs.busy} onClick={orgs.loadMore}>{words.value.common.loadMore}</Button>}
      {opened !== null && <OrgSheet id={opened || null} onClose={() => setOpened(null)} onDone={done} />}
    </>
  );
}

function Row({ org, open }: { org: Org; open: () => void }) {
  const told = words.value.admin.orgs;
  return (
    <li>
      <button type="button" onClick={open}>
        <span class="admin-row-icon" aria-hidden="true"><Building2 /></span>
        <span class="admin-row-main">
          <strong>{org.name}</strong>
          <small>{org.hosts.length === 0 ? told.noHosts : org.hosts.join(', ')}</small>
        </span>
        {org.hosts.length > 0 && <span class="admin-row-end"><span class="badge"><Globe /> {told.hostCount(org.hosts.length)}</span></span>}
      </button>
    </li>
  );
}
