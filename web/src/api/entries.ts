// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ask, fetchBody } from './client';

export type EntryKind = 'timed' | 'all-day' | 'multi-day' | 'task';

/** How much of a series is meant. */
export type Scope = 'this' | 'following' | 'all';

export interface Reminder {
  minutesBefore: number;
}

/** Who invited, as the file or the feed says. */
export interface Organizer {
  /** Of mail, or the URI that the file has instead. */
  address: string;
  name?: string | null;
}

export interface Attendee extends Organizer {
  status?: 'needs-action' | 'accepted' | 'declined' | 'tentative' | 'delegated' | 'completed' | 'in-process' | null;
  role?: 'chair' | 'req-participant' | 'opt-participant' | 'non-participant' | null;
  kind?: 'individual' | 'group' | 'resource' | 'room' | 'unknown' | null;
  rsvp?: boolean | null;
}

/** What one occurrence of a series has instead of what the series says. */
export interface Override {
  occurrence: string;
  title?: string | null;
  description?: string | null;
  location?: string | null;
  url?: string | null;
  color?: string | null;
  startDate?: string | null;
  endDate?: string | null;
  startTime?: string | null;
  endTime?: string | null;
  completed?: boolean | null;
  /** Without an address: there is none. */
  organizer?: Organizer | null;
  attendees?: Attendee[] | null;
}

export interface Recurrence {
  /** "FREQ=WEEKLY;BYDAY=MO"; empty when there are only additions. */
  rule: string;
  additions: string[];
  exceptions: string[];
  overrides?: Override[];
  /** The last start; absent when it never ends. */
  last?: string | null;
}

export interface Entry {
  id: string;
  calendarId: string;
  kind: EntryKind;
  completed: boolean;
  title: string;
  description?: string | null;
  location?: string | null;
  /** Where to read more of it. */
  url?: string | null;
  /** Absent: that of the calendar. */
  color?: string | null;
  startDate: string;
  /** The last day, not the one behind it. */
  endDate: string;
  startTime?: string | null;
  endTime?: string | null;
  /** Absent when there are no times: a day is a day everywhere. */
  timeZone?: string | null;
  /** Of the whole series; single occurrences do not carry it. */
  recurrence?: Recurrence | null;
  reminders: Reminder[];
  transparent: boolean;
  /** Of what came from a file or a feed; clients cannot set them. */
  organizer?: Organizer | null;
  attendees?: Attendee[] | null;
  uid: string;
  sequence: number;
  createdAt: string;
  updatedAt: string;
  createdBy?: string | null;
  updatedBy?: string | null;
  deletedAt?: string | null;
  /** In lists: what the ETag says. Entries that were told by an event have none. */
  version?: number;
  /** In lists, for one of a series: when the series has it, in the entry's own zone. */
  occurrence?: string;
}

/** What is said of an entry. What is absent stays; an empty text clears description, location, url and colour. */
export interface EntryFields {
  calendarId?: string;
  kind?: EntryKind;
  completed?: boolean;
  title?: string;
  description?: string;
  location?: string;
  url?: string;
  color?: string;
  startDate?: string;
  endDate?: string;
  /** null: a task without a time. */
  startTime?: string | null;
  endTime?: string;
  timeZone?: string;
  /** null: it comes once. */
  recurrence?: { rule: string; additions?: string[]; exceptions?: string[] } | null;
  reminders?: Reminder[];
  transparent?: boolean;
}

export interface Target {
  id: string;
  occurrence?: string | null;
  scope?: Scope;
  /** As `tagOf` or an answer has it: refused with 412 when it is something else by now. */
  etag?: string | null;
}

/** An entry with the tag under which it can be changed. */
export interface Tagged {
  entry: Entry;
  etag: string | null;
}

export interface EntryChange {
  number: number;
  at: string;
  by?: string | null;
  /** The address of who did it, or what did: "import", "feed". */
  label: string;
  deed: 'created' | 'updated' | 'moved' | 'deleted' | 'restored' | 'reverted';
  entry: Entry;
}

export interface EntryPage {
  entries: Entry[];
  after?: string | null;
}

export interface BatchChange {
  deed: 'create' | 'update' | 'delete';
  id?: string;
  entry?: EntryFields;
}

/** More days or calendars in one question are refused. */
export const DAYS_AT_ONCE = 400;
export const CALENDARS_AT_ONCE = 20;

const pathOf = (id: string): string => `/api/entries/${id}`;

/** The tag of an entry from a list. */
export const tagOf = (entry: Entry): string | null => (entry.version === undefined ? null : `"${entry.version}"`);

const conditions = (etag: string | null | undefined): Record<string, string> => (etag ? { 'If-Match': etag } : {});
const partOf = ({ occurrence, scope }: Target) => ({ occurrence, scope });

async function tagged(answer: Promise<{ body: Entry; etag: string | null }>): Promise<Tagged> {
  const { body, etag } = await answer;
  return { entry: body, etag };
}

/** What takes place on these days (both included) as the clocks of `timeZone` have them; each occurrence once, by start. */
export async function listEntries(
  question: { calendarIds: readonly string[]; from: string; to: string; timeZone: string }, signal?: AbortSignal,
): Promise<Entry[]> {
  const { calendarIds, from, to, timeZone } = question;
  const query = { calendar_id: calendarIds.join(','), from, to, time_zone: timeZone };
  const entries: Entry[] = [];
  let after: string | null | undefined;
  do {
    const page: EntryPage = await fetchBody<EntryPage>('/api/entries', { query: { ...query, after }, signal });
    entries.push(...page.entries);
    after = page.after;
  } while (after);
  return entries;
}

/** The whole series, or one occurrence of it. */
export const loadEntry = (id: string, occurrence?: string | null, signal?: AbortSignal): Promise<Tagged> =>
  tagged(ask<Entry>(pathOf(id), { query: { occurrence }, signal }));

export const makeEntry = (fields: EntryFields): Promise<Tagged> => tagged(ask<Entry>('/api/entries', { method: 'POST', json: fields }));

/** With scope `following` what comes back may be a new entry: the rest of the series. */
export const changeEntry = (target: Target, fields: EntryFields): Promise<Tagged> =>
  tagged(ask<Entry>(pathOf(target.id), { method: 'PUT', query: partOf(target), json: fields, headers: conditions(target.etag) }));

export const deleteEntry = (target: Target): Promise<void> =>
  fetchBody<void>(pathOf(target.id), { method: 'DELETE', query: partOf(target), headers: conditions(target.etag) });

/** Checks a task off, or on again. */
export const toggleEntry = (id: string, occurrence?: string | null): Promise<Tagged> =>
  tagged(ask<Entry>(`${pathOf(id)}/toggle`, { method: 'PATCH', query: { occurrence } }));

export const moveEntry = (id: string, calendarId: string): Promise<Tagged> =>
  tagged(ask<Entry>(`${pathOf(id)}/move`, { method: 'POST', json: { calendar_id: calendarId } }));

/** At most ten changes, all or none. */
export async function changeEntries(changes: readonly BatchChange[]): Promise<Entry[]> {
  return (await fetchBody<{ entries: Entry[] }>('/api/entries/batch', { method: 'POST', json: { changes } })).entries;
}

/** As it was before the last change, a deletion included. */
export const undoEntry = (id: string): Promise<Tagged> => tagged(ask<Entry>(`${pathOf(id)}/undo`, { method: 'POST' }));

/** Newest first. */
export async function listHistory(id: string, signal?: AbortSignal): Promise<EntryChange[]> {
  return (await fetchBody<{ changes: EntryChange[] }>(`${pathOf(id)}/history`, { signal })).changes;
}

/** As it was after that change. */
export const revertEntry = (id: string, number: number): Promise<Tagged> =>
  tagged(ask<Entry>(`${pathOf(id)}/revert`, { method: 'POST', json: { number } }));

export const listDeletedEntries = (calendarId: string, after?: string | null, signal?: AbortSignal): Promise<EntryPage> =>
  fetchBody<EntryPage>(`/api/calendars/${calendarId}/trash`, { query: { limit: 100, after }, signal });

export const restoreEntry = (id: string): Promise<Tagged> => tagged(ask<Entry>(`${pathOf(id)}/restore`, { method: 'POST' }));

export const searchEntries = (
  question: { q: string; calendarIds?: readonly string[]; limit?: number; after?: string | null }, signal?: AbortSignal,
): Promise<EntryPage> =>
  fetchBody<EntryPage>('/api/search', {
    query: { q: question.q, calendar_id: question.calendarIds?.join(','), limit: question.limit ?? 50, after: question.after }, signal,
  });

/** When a rule comes next, from its start on. Nothing is stored. */
export const previewRule = (
  question: { start: string; rule: string; timeZone?: string | null; count?: number }, signal?: AbortSignal,
): Promise<{ rule: string; starts: string[] }> => {
  const json = { start: question.start, rule: question.rule, time_zone: question.timeZone ?? undefined, count: question.count };
  return fetchBody('/api/recurrence/preview', { method: 'POST', json, signal });
};
