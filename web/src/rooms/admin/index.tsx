// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import {
  Activity, Building2, CodeXml, DatabaseBackup, HardDrive, KeyRound, ListChecks, MailPlus, MailWarning, ShieldAlert, SquareActivity, Users,
} from 'lucide-preact';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter-preact';

import { NoSuchPage } from '../../shell/noSuchPage';
import { isAdministrator, isSuperadministrator } from '../../shell/session';
import { EmptyState } from '../../ui/states';
import { useTitle } from '../../ui/title';
import { words } from '../../words';
import { Audit } from './audit/audit';
import { Backups } from './backups/backups';
import { Invitations } from './invitations/invitations';
import { Jobs } from './jobs/jobs';
import { Letters } from './letters/letters';
import { Orgs } from './orgs/orgs';
import { Overview } from './overview/overview';
import { People } from './people/people';
import { Providers } from './providers/providers';
import { ApiRoutes } from './routes/routes';
import { Storage } from './storage/storage';
import './admin.css';

interface AdminPage {
  path: string;
  label: string;
  icon: ComponentType;
  page: ComponentType;
}

/** What there is to look after: the people of an organisation, and for superadministrators the server. */
function pages(): AdminPage[] {
  const told = words.value.admin.pages;
  const forAll: AdminPage[] = [
    { path: '/admin/people', label: told.people, icon: Users, page: People },
    { path: '/admin/invitations', label: told.invitations, icon: MailPlus, page: Invitations },
    { path: '/admin/providers', label: told.providers, icon: KeyRound, page: Providers },
    { path: '/admin/audit', label: told.audit, icon: ListChecks, page: Audit },
  ];
  if (!isSuperadministrator.value) {
    return forAll;
  }
  return [
    { path: '/admin', label: told.overview, icon: Activity, page: Overview },
    forAll[0]!,
    forAll[1]!,
    { path: '/admin/organisations', label: told.orgs, icon: Building2, page: Orgs },
    forAll[2]!,
    { path: '/admin/jobs', label: told.jobs, icon: SquareActivity, page: Jobs },
    { path: '/admin/letters', label: told.letters, icon: MailWarning, page: Letters },
    { path: '/admin/storage', label: told.storage, icon: HardDrive, page: Storage },
    { path: '/admin/backups', label: told.backups, icon: DatabaseBackup, page: Backups },
    forAll[3]!,
    { path: '/admin/api', label: told.api, icon: CodeXml, page: ApiRoutes },
  ];
}

// Whoever looks after an organisation alone is led to its people from there.
const OF_SERVER = ['/admin', '/admin/organisations', '/admin/jobs', '/admin/letters', '/admin/storage', '/admin/backups', '/admin/api'];

/** Looking after people and the server. */
export function Admin() {
  const told = words.value.admin;
  const [path] = useLocation();
  const all = pages();
  const here = all.find((one) => one.path === path);
  useTitle(here ? `${here.label} · ${told.title}` : told.title);
  if (!isAdministrator.value) {
    return <EmptyState icon={<ShieldAlert />} title={told.notAllowed}><p>{told.notAllowedHint}</p></EmptyState>;
  }
  return (
    <div class="admin">
      <Ways pages={all} path={path} />
      <div class="page admin-page">
        <Switch>
          {all.map(({ path: target, page: Page }) => <Route key={target} path={target}><Page /></Route>)}
          {OF_SERVER.map((target) => <Route key={target} path={target}><Redirect to={all[0]!.path} replace /></Route>)}
          <Route><NoSuchPage /></Route>
        </Switch>
      </div>
    </div>
  );
}

function Ways({ pages: all, path }: { pages: readonly AdminPage[]; path: string }) {
  const told = words.value.admin;
  const nav = useRef<HTMLElement>(null);
  // On a phone the ways are a line that is longer than the screen.
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }), [path]);
  return (
    <nav class="admin-nav" aria-label={told.sections} ref={nav}>
      <h2>{told.title}</h2>
      {all.map(({ path: target, label, icon: Icon }) => (
        <Link key={target} href={target} aria-current={path === target ? 'page' : undefined}><Icon /><span>{label}</span></Link>
      ))}
    </nav>
  );
}
