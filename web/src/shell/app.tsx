// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Component, type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Redirect, Route, Switch, useLocation } from 'wouter-preact';

import { Button } from '../ui/button';
import { Confirmation } from '../ui/confirm';
import { EmptyState, Failure } from '../ui/states';
import { Toasts } from '../ui/toast';
import { ApiError } from '../api/client';
import { words } from '../words';
import { ACCESS_PATHS } from './accessPaths';
import { Connectivity } from './connectivity';
import { Frame } from './frame';
import { lazyRoom } from './lazy';
import { me, refreshMe } from './session';

// Rooms that join later get a line here, an entry in frame.tsx, and a path in src/app/page_routes.cc.
const Access = lazyRoom(async () => (await import('../rooms/access')).Access);
const Calendar = lazyRoom(async () => (await import('../rooms/calendar')).Calendar);
const Files = lazyRoom(async () => (await import('../rooms/files')).Files);
const Account = lazyRoom(async () => (await import('../rooms/account')).Account);
const Admin = lazyRoom(async () => (await import('../rooms/admin')).Admin);

const ROOMS = { calendar: Calendar, files: Files, account: Account, admin: Admin };

/** Fetches the code of the room that an address leads to, while it is still being found out who is here. */
export function fetchRoomAt(path: string): void {
  const room = ACCESS_PATHS.includes(path) ? Access : ROOMS[(path.split('/')[1] || 'calendar') as keyof typeof ROOMS];
  // When that fails, it is tried again by the room itself, which then also says so.
  room?.fetch().catch(() => undefined);
}

export function App() {
  return (
    <Safely>
      <Connectivity />
      <Inside />
      <Confirmation />
      <Toasts />
    </Safely>
  );
}

function Inside() {
  const [path] = useLocation();
  if (ACCESS_PATHS.includes(path)) {
    return <Access />;
  }
  if (me.value === undefined) {
    return <Failure error={new ApiError(0, '')} retry={() => void refreshMe().catch(() => undefined)} />;
  }
  return me.value === null ? <ToSignIn /> : <Frame><Rooms /></Frame>;
}

function ToSignIn() {
  const [path, go] = useLocation();
  useEffect(() => {
    const wanted = path + location.search;
    go(wanted === '/' ? '/login' : `/login?return_to=${encodeURIComponent(wanted)}`, { replace: true });
  }, []);
  return null;
}

function Rooms() {
  return (
    <Switch>
      <Route path="/"><Redirect to="/calendar" replace /></Route>
      <Route path="/calendar/*?"><Calendar /></Route>
      <Route path="/files/*?"><Files /></Route>
      <Route path="/account/*?"><Account /></Route>
      <Route path="/admin/*?"><Admin /></Route>
      <Route><NoSuchPage /></Route>
    </Switch>
  );
}

function NoSuchPage() {
  const [, go] = useLocation();
  const told = words.value.common;
  return (
    <EmptyState title={told.pageMissing} action={<Button tone="primary" onClick={() => go('/calendar')}>{told.goHome}</Button>}>
      <p>{told.pageMissingHint}</p>
    </EmptyState>
  );
}

/** Catches what a page throws while it draws itself, so that people see more than an empty window. */
class Safely extends Component<{ children: ComponentChildren }, { broken: boolean }> {
  state = { broken: false };

  componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ broken: true });
  }

  render() {
    if (!this.state.broken) {
      return this.props.children;
    }
    const told = words.value.common;
    return (
      <EmptyState title={told.crashed} action={<Button tone="primary" onClick={() => location.reload()}>{told.reload}</Button>}>
        <p>{told.crashedHint}</p>
      </EmptyState>
    );
  }
}
