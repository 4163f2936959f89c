// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { UserRound } from 'lucide-preact';
import { Link, Route, Switch, useLocation } from 'wouter-preact';

import { NoSuchPage } from '../../shell/noSuchPage';
import { me } from '../../shell/session';
import { EmptyState } from '../../ui/states';
import { useTitle } from '../../ui/title';
import { words } from '../../words';
import { Profile } from './profile/profile';
import { Security } from './security/security';
import { Sessions } from './sessions/sessions';
import { Tokens } from './tokens/tokens';
import './account.css';

/** Everything about oneself: who one is, how one gets in, and what else gets in on one's behalf. */
export function Account() {
  const told = words.value.account;
  useTitle(told.title);
  if (!me.value?.user) {
    return <EmptyState icon={<UserRound />} title={told.guest}><p>{told.guestHint}</p></EmptyState>;
  }
  return (
    <div class="page account">
      <header class="page-head"><h1>{told.title}</h1></header>
      <Tabs />
      <Switch>
        <Route path="/account"><Profile user={me.value.user} /></Route>
        <Route path="/account/security"><Security user={me.value.user} /></Route>
        <Route path="/account/sessions"><Sessions /></Route>
        <Route path="/account/tokens"><Tokens user={me.value.user} /></Route>
        <Route><NoSuchPage /></Route>
      </Switch>
    </div>
  );
}

function Tabs() {
  const [path] = useLocation();
  const told = words.value.account;
  const tabs = [
    { path: '/account', label: told.profile }, { path: '/account/security', label: told.security },
    { path: '/account/sessions', label: told.sessions }, { path: '/account/tokens', label: told.tokens },
  ];
  return (
    <nav class="account-tabs" aria-label={told.sections}>
      {tabs.map((tab) => <Link key={tab.path} href={tab.path} aria-current={path === tab.path ? 'page' : undefined}>{tab.label}</Link>)}
    </nav>
  );
}
