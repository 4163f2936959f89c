// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { UserPlus, UserRoundSearch } from 'lucide-preact';

import { photoOf } from '../../../api/me';
import { listUsers, type User } from '../../../api/people';
import { isSuperadministrator, me } from '../../../shell/session';
import { Avatar } from '../../../ui/avatar';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import { OrgPicker, chosenOrg } from '../orgPicker';
import { usePaged } from '../paged';
import { PageHead, useSettled } from '../parts';
import { NewPerson } from './newPerson';
import { PersonSheet } from './personSheet';

type Opened = { kind: 'none' } | { kind: 'new' } | { kind: 'person'; id: string };

/** The people of an organisation. */
export function People() {
  const told = words.value.admin.people;
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const prefix = useSettled(typed.trim());
  const org = chosenOrg.value;
  const people = usePaged<User, string>(
    async (after, signal) => {
      const page = await listUsers(org, prefix, after, signal);
      return { items: page.items, cursor: page.after };
    },
    [org, prefix],
  );
  const close = () => setOpened({ kind: 'none' });
  return (
    <>
      <PageHead title={words.value.admin.pages.people} hint={told.hint}>
        <Button tone="primary" onClick={() => setOpened({ kind: 'new' })}>
          <UserPlus />
          {told.add}
        </Button>
      </PageHead>
      <div class="admin-filters">
        <TextField
          label={told.search}
          type="search"
          placeholder={told.searchPlaceholder}
          value={typed}
          onValue={setTyped}
          autocomplete="off"
        />
        <OrgPicker />
      </div>
      {people.error !== null && <Failure error={people.error} retry={people.reload} />}
      {people.items === undefined && people.error === null && <Skeleton lines={8} />}
      {people.items && people.items.length > 0 && (
        <List people={people.items} open={(id) => setOpened({ kind: 'person', id })} />
      )}
      {people.items?.length === 0 && !people.busy && <Nobody typed={prefix} add={() => setOpened({ kind: 'new' })} />}
      {people.hasMore && (
        <Button busy={people.busy} onClick={people.loadMore}>
          {words.value.common.loadMore}
        </Button>
      )}
      {opened.kind === 'new' && (
        <NewPerson
          org={org}
          onClose={close}
          onDone={(user, invited) => {
            close();
            people.reload();
            say(invited ? told.invited(user.email) : told.added(user.email));
          }}
        />
      )}
      {opened.kind === 'person' && (
        <PersonSheet
          id={opened.id}
          onClose={close}
          onChanged={(user) => people.alter((all) => all.map((one) => (one.id === user.id ? user : one)))}
          onErased={(id) => {
            close();
            people.alter((all) => all.filter((one) => one.id !== id));
          }}
        />
      )}
    </>
  );
}

function Nobody({ typed, add }: { typed: string; add: () => void }) {
  const told = words.value.admin.people;
  return typed !== '' ? (
    <EmptyState icon={<UserRoundSearch />} title={words.value.common.nothingFound}>
      <p>{told.nobodyFound(typed)}</p>
    </EmptyState>
  ) : (
    <EmptyState
      icon={<UserPlus />}
      title={told.nobody}
      action={
        <Button tone="primary" onClick={add}>
          {told.add}
        </Button>
      }
    >
      <p>{told.nobodyHint}</p>
    </EmptyState>
  );
}

function List({ people, open }: { people: readonly User[]; open: (id: string) => void }) {
  const told = words.value.admin.people;
  return (
    <ul class="card admin-rows">
      {people.map((user) => (
        <li key={user.id}>
          {mayLookAfter(user) ? (
            <button type="button" onClick={() => open(user.id)}>
              <Row user={user} />
            </button>
          ) : (
            <div class="admin-row" title={told.notYours}>
              <Row user={user} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Nobody looks after who has more to say than they. */
const mayLookAfter = (user: User): boolean => user.role !== 'superadmin' || isSuperadministrator.value;

function Row({ user }: { user: User }) {
  const told = words.value.admin.people;
  return (
    <>
      <Avatar name={user.name || user.email} photo={photoOf(user)} />
      <span class="admin-row-main">
        <strong>
          {user.name || user.email}
          {user.id === me.value?.user?.id && (
            <>
              {' '}
              <span class="muted">({words.value.common.you})</span>
            </>
          )}
        </strong>
        {user.name && <small>{user.email}</small>}
      </span>
      <span class="admin-row-end">
        {user.status === 'deactivated' && <span class="badge badge-warn">{told.status.deactivated}</span>}
        <span class={`badge ${user.role === 'superadmin' || user.role === 'admin' ? 'badge-accent' : ''}`}>
          {told.roles[user.role]}
        </span>
      </span>
    </>
  );
}
