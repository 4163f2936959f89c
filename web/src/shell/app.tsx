// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Component, type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Redirect, Route, Switch, useLocation } from 'wouter-preact';

import { Button } from '../ui/button';
import { Confirmation, withdrawQuestion } from '../ui/confirm';
import { dropMenu } from '../ui/popupMenu';
import { EmptyState, Failure } from '../ui/states';
import { dismissAll, Toasts } from '../ui/toast';
import { ApiError } from '../api/client';
import { words } from '../words';
import { ACCESS_PATHS } from './accessPaths';
import { Connectivity } from './connectivity';
import { Frame } from './frame';
import { lazyRoom } from './lazy';
import { NoSuchPage } from './noSuchPage';
import { onDeparture } from './person';
import { ProofQuestion } from './proof';
import { isWaiting, me, refreshMe } from './session';

// Rooms that join later get a line here, an entry in frame.tsx, and a path in src/app/page_routes.cc.
const Access = lazyRoom(async () => (await import('../rooms/access')).Access);
const Calendar = lazyRoom(async () => (await import('../rooms/calendar')).Calendar);
const Files = lazyRoom(async () => (await import('../rooms/files')).Files);
const Account = lazyRoom(async () => (await import('../rooms/account')).Account);
const Admin = lazyRoom(async () => (await import('../rooms/admin')).Admin);

const ROOMS: Record<string, typeof Calendar> = { calendar: Calendar, files: Files, account: Account, admin: Admin };

// What stands above the rooms outlives them.
[withdrawQuestion, dropMenu, dismissAll].forEach(onDeparture);

const roomOf = (path: string): string => path.split('/')[1] || 'calendar';

/** Fetches the code of the room that an address leads to, while it is still being found out who is here. */
export function fetchRoomAt(path: string): void {
  const room = ACCESS_PATHS.includes(path) ? Access : ROOMS[roomOf(path)];
  // When that fails, it is tried again by the room itself, which then also says so.
  room?.fetch().catch(() => undefined);
}

export function App() {
  return (
    <Safely>
      <Connectivity />
      <Inside />
      <Confirmation />
      <ProofQuestion />
      <Toasts />
    </Safely>
  );
}

function Inside() {
  const [path] = useLocation();
  if (ACCESS_PATHS.includes(path)) {
    return <Access />;
  }
  if (!(roomOf(path) in ROOMS)) {
    return me.value ? <Frame><NoSuchPage /></Frame> : <main id="content"><NoSuchPage /></main>;
  }
  if (me.value === undefined) {
    return <Failure error={new ApiError(0, '')} retry={() => void refreshMe().catch(() => undefined)} />;
  }
  // Nothing that a component keeps is for anybody else, also when nobody was seen to leave.
  return me.value === null ? <ToSignIn /> : <Frame key={me.value.user?.id}><Rooms /></Frame>;
}

function ToSignIn() {
  const [, go] = useLocation();
  useEffect(() => {
    if (isWaiting.value) {
      return go('/join/waiting', { replace: true });
    }
    // Not the path that the router has decoded: names of files may hold anything.
    const wanted = location.pathname + location.search;
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
    </Switch>
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
