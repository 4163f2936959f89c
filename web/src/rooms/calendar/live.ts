// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { effect } from '@preact/signals';

import type { Calendar } from '../../api/calendars';
import type { Entry } from '../../api/entries';
import type { Member } from '../../api/members';
import { connected } from '../../shell/connectivity';
import { personal } from '../../shell/person';
import { me } from '../../shell/session';
import { expire, forgetCalendar, hideEntry, loadVisible, occurrencesOf, showEntry } from './entries';
import { tellMembersChanged } from './panels/memberNews';
import { activeCalendars, openPanel, patchCalendar, refreshCalendars, selected } from './state';

/** What the stream of events says. */
export type LiveEvent =
  | { name: 'entry_added' | 'entry_updated'; entry: Entry }
  | { name: 'entry_deleted'; entryId: string }
  | { name: 'calendar_added' | 'calendar_updated'; calendar: Calendar }
  | { name: 'calendar_deleted'; calendarId: string }
  | { name: 'member_added' | 'member_updated' | 'member_removed'; member: Member }
  | { name: 'refresh_required' };

/** What is known here of the entry that an event is about. */
export interface Known {
  /** What is shown of it. */
  shown: readonly { entry: Entry }[];
  /** Whether it came into a calendar a moment ago: then a deletion is that from its former calendar. */
  cameJustNow: boolean;
  myId: string | undefined;
}

/** What is to be done about an event. */
export type Consequence =
  | { do: 'nothing' }
  | { do: 'show'; entry: Entry }
  | { do: 'hide'; entryId: string }
  | { do: 'expire'; calendarIds: string[]; entryId?: string }
  | { do: 'patch'; calendar: Calendar }
  | { do: 'forget'; calendarId: string }
  | { do: 'list' }
  | { do: 'everything' };

export function consequenceOf(event: LiveEvent, known: Known): Consequence {
  switch (event.name) {
    case 'entry_added':
    case 'entry_updated':
      return ofEntry(event.entry, known);
    case 'entry_deleted':
      if (known.shown.length === 0) return { do: 'nothing' };
      return known.cameJustNow ? { do: 'expire', calendarIds: calendarsOf(known) } : { do: 'hide', entryId: event.entryId };
    case 'calendar_updated':
      return { do: 'patch', calendar: event.calendar };
    case 'calendar_deleted':
      return { do: 'forget', calendarId: event.calendarId };
    case 'calendar_added':
      return { do: 'list' };
    case 'member_removed':
      return event.member.user_id === known.myId ? { do: 'forget', calendarId: event.member.calendar_id } : { do: 'nothing' };
    case 'member_added':
    case 'member_updated':
      return event.member.user_id === known.myId ? { do: 'list' } : { do: 'nothing' };
    case 'refresh_required':
      return { do: 'everything' };
  }
}

const calendarsOf = (known: Known): string[] => [...new Set(known.shown.map(({ entry }) => entry.calendarId))];

function ofEntry(entry: Entry, known: Known): Consequence {
  const newest = Math.max(-1, ...known.shown.map((one) => one.entry.sequence));
  const moved = known.shown.some((one) => one.entry.calendarId !== entry.calendarId);
  if (newest >= entry.sequence && !moved) {
    return { do: 'nothing' };
  }
  const wasSeries = known.shown.some((one) => one.entry.occurrence !== undefined);
  if (entry.recurrence || wasSeries) {
    // Only the server knows when a series takes place.
    return { do: 'expire', calendarIds: [...new Set([...calendarsOf(known), entry.calendarId])], entryId: entry.id };
  }
  return { do: 'show', entry };
}

/** Counts what others did to the entry in the sheet, so that it can say so. */
export const touchedEntry = personal<{ id: string; sequence: number } | null>(null);

const arrivals = new Map<string, number>();
const ARRIVAL_MS = 5000;

function noteArrival(entryId: string): void {
  arrivals.set(entryId, Date.now());
  if (arrivals.size > 500) arrivals.clear();
}

const cameJustNow = (entryId: string): boolean => Date.now() - (arrivals.get(entryId) ?? 0) < ARRIVAL_MS;

// Imports tell of thousands of entries. One question for all of them is enough, and while they go on one now and then.
const expiring = new Set<string>();
let expiryTimer = 0;
let expiryDue = 0;
const QUIET_MS = 120;
const LATEST_MS = 2000;

function expireSoon(calendarIds: readonly string[]): void {
  calendarIds.forEach((id) => expiring.add(id));
  const now = Date.now();
  if (expiryTimer === 0) expiryDue = now + LATEST_MS;
  window.clearTimeout(expiryTimer);
  expiryTimer = window.setTimeout(() => {
    expiryTimer = 0;
    const due = [...expiring];
    expiring.clear();
    due.forEach((id) => expire(id));
  }, Math.max(0, Math.min(QUIET_MS, expiryDue - now)));
}

const BURST = 25;
const BURST_MS = 500;
let burst = { began: 0, size: 0 };

/** Whether entries are told of faster than is worth drawing each of them. */
function isBurst(): boolean {
  if (Date.now() - burst.began > BURST_MS) burst = { began: Date.now(), size: 0 };
  burst.size += 1;
  return burst.size > BURST;
}

let listTimer = 0;

function listSoon(): void {
  window.clearTimeout(listTimer);
  listTimer = window.setTimeout(() => void refreshCalendars().catch(() => undefined), 120);
}

function forget(calendarId: string): void {
  forgetCalendar(calendarId);
  if (openPanel.value?.calendarId === calendarId) openPanel.value = null;
  listSoon();
}

function follow(consequence: Consequence): void {
  switch (consequence.do) {
    case 'show':
      return showEntry(consequence.entry);
    case 'hide':
      hideEntry(consequence.entryId);
      return;
    case 'expire':
      return expireSoon(consequence.calendarIds);
    case 'patch':
      return patchCalendar(consequence.calendar.id, consequence.calendar);
    case 'forget':
      return forget(consequence.calendarId);
    case 'list':
      return listSoon();
    case 'everything':
      listSoon();
      return expire();
    case 'nothing':
  }
}

const entryIdOf = (event: LiveEvent): string | null => ('entry' in event ? event.entry.id : 'entryId' in event ? event.entryId : null);

function take(event: LiveEvent): void {
  const id = entryIdOf(event);
  if (id !== null && isBurst()) {
    expireSoon('entry' in event ? [event.entry.calendarId] : activeCalendars.value.map((one) => one.id));
    touchSheet(id, event);
    return;
  }
  const known: Known = {
    shown: id === null ? [] : occurrencesOf(id), cameJustNow: id !== null && cameJustNow(id), myId: me.value?.user?.id,
  };
  if ('member' in event) tellMembersChanged(event.member.calendar_id);
  if (event.name === 'entry_added') noteArrival(event.entry.id);
  follow(consequenceOf(event, known));
  touchSheet(id, event);
}

function touchSheet(id: string | null, event: LiveEvent): void {
  const open = selected.value;
  if (id !== null && open !== null && 'id' in open && open.id === id) {
    touchedEntry.value = { id, sequence: 'entry' in event ? event.entry.sequence : Infinity };
  }
}

/** The wire's own names into ours. */
export function readEvent(name: string, text: string): LiveEvent | null {
  const told = JSON.parse(text) as { entry?: Entry; entry_id?: string; calendar?: Calendar; calendar_id?: string; member?: Member };
  switch (name) {
    case 'entry_added':
    case 'entry_updated':
      return told.entry ? { name, entry: told.entry } : null;
    case 'entry_deleted':
      return told.entry_id ? { name, entryId: told.entry_id } : null;
    case 'calendar_added':
    case 'calendar_updated':
      return told.calendar ? { name, calendar: told.calendar } : null;
    case 'calendar_deleted':
      return told.calendar_id ? { name, calendarId: told.calendar_id } : null;
    case 'member_added':
    case 'member_updated':
    case 'member_removed':
      return told.member ? { name, member: told.member } : null;
    case 'refresh_required':
      return { name };
    default:
      return null;
  }
}

const NAMES = ['entry_added', 'entry_updated', 'entry_deleted', 'calendar_added', 'calendar_updated', 'calendar_deleted', 'member_added',
  'member_updated', 'member_removed', 'refresh_required'] as const;
const GRACE_MS = 8000;
// Browsers open six connections to a server, for all windows together: one that nobody looks at gives its own back.
const UNSEEN_MS = 30_000;

/** Listens to what others do. Returns how to stop. */
export function listen(): () => void {
  let source: EventSource | null = null;
  let graceTimer = 0;
  let reopenTimer = 0;
  let unseenTimer = 0;
  let lastId = '';
  const open = (again: boolean) => {
    source = new EventSource(lastId === '' ? '/api/events' : `/api/events?last_event_id=${encodeURIComponent(lastId)}`);
    for (const name of NAMES) {
      source.addEventListener(name, (message: MessageEvent<string>) => {
        lastId = message.lastEventId;
        const event = readEvent(name, message.data);
        if (event !== null) take(event);
      });
    }
    source.onopen = () => {
      window.clearTimeout(graceTimer);
      graceTimer = 0;
      // Without an id of where we were, nobody tells what we missed.
      if (again && lastId === '') follow({ do: 'everything' });
    };
    source.onerror = () => {
      if (graceTimer === 0) graceTimer = window.setTimeout(() => { connected.value = false; }, GRACE_MS);
      // The browser tries again by itself, unless the server answered something that is no stream.
      if (source?.readyState === EventSource.CLOSED) reopenTimer = window.setTimeout(() => open(true), GRACE_MS);
    };
  };
  const close = () => {
    window.clearTimeout(graceTimer);
    window.clearTimeout(reopenTimer);
    graceTimer = 0;
    source?.close();
    source = null;
  };
  const look = () => {
    window.clearTimeout(unseenTimer);
    if (document.visibilityState === 'hidden') {
      unseenTimer = window.setTimeout(close, UNSEEN_MS);
    } else if (source === null) {
      open(true);
    }
  };
  open(false);
  document.addEventListener('visibilitychange', look);
  const catchUp = effect(() => { if (connected.value) queueMicrotask(() => void loadVisible()); });
  return () => {
    catchUp();
    document.removeEventListener('visibilitychange', look);
    window.clearTimeout(unseenTimer);
    close();
  };
}
