// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { effect } from '@preact/signals';
import { navigate } from 'wouter-preact/use-browser-location';

import { homeZone } from '../../shell/session';
import { isDay } from './days';
import { isView } from './periods';
import { day, goTo, openPanel, selected, selectEntry, showPanel, view } from './state';
import { todayIn } from './times';

// /calendar/week/2026-03-01 says what is looked at, ?entry= what is open: such links can be kept and sent.

const INVITATIONS = '/calendar/invitations';

/** Whether an address of the room leads anywhere. */
export function isAddress(pathname: string): boolean {
  const [, , viewName, dayName, ...rest] = pathname.replace(/\/$/, '').split('/');
  return pathname === INVITATIONS
    || (rest.length === 0 && (viewName === undefined || isView(viewName)) && (dayName === undefined || isDay(dayName)));
}

function query(): string {
  const open = selected.value;
  if (open === null || !('id' in open)) {
    return '';
  }
  const words = new URLSearchParams({ entry: open.id, ...(open.occurrence && { at: open.occurrence }) });
  return `?${words.toString()}`;
}

/** Looks at what the address names. */
function read(): void {
  if (location.pathname === INVITATIONS) {
    showPanel('invitations');
    return;
  }
  const [, , viewName, dayName] = location.pathname.split('/');
  const today = todayIn(homeZone.value);
  goTo(dayName !== undefined && isDay(dayName) ? dayName : today, isView(viewName) ? viewName : view.value);
  const words = new URLSearchParams(location.search);
  const entry = words.get('entry');
  if (entry !== null) {
    selectEntry(entry, words.get('at'));
  } else {
    selected.value = null;
  }
}

/** Keeps the address and what is shown together. Returns how to stop. */
export function followAddress(): () => void {
  read();
  let first = true;
  const stop = effect(() => {
    const path = `/calendar/${view.value}/${day.value}`;
    const wanted = path + query();
    if (openPanel.value?.name === 'invitations' || wanted === location.pathname + location.search) {
      return;
    }
    // Opening an entry is no place to come back to; another view or month is.
    const replace = first || location.pathname === path || location.pathname === INVITATIONS;
    queueMicrotask(() => navigate(wanted, { replace }));
  });
  first = false;
  window.addEventListener('popstate', read);
  return () => {
    stop();
    window.removeEventListener('popstate', read);
  };
}
