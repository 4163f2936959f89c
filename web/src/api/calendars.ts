// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';
import type { MemberRole } from './members';

/** How its reader likes to see a calendar. */
export interface CalendarSettings {
  viewMode?: 'compact' | 'schedule';
  showTasks?: boolean;
  entryStyle?: 'compact' | 'filled';
}

export interface Calendar {
  id: string;
  name: string;
  /** "#3B82F6". */
  color: string;
  description: string;
  is_default: boolean;
  /** Whose default it is: that of a colleague may be shared with others. */
  default_of?: string | null;
  /** The entries of a feed come from elsewhere, and nobody here changes them. */
  source: 'people' | 'feed';
  created_at: string;
  updated_at: string;
  deleted_at?: string | null;
  erase_at?: string | null;
}

/** A calendar as one of its members has it. */
export interface MyCalendar extends Calendar {
  role: MemberRole;
  status: 'invited' | 'active' | 'removed';
  settings: CalendarSettings;
  version: number;
}

export interface CalendarFields {
  name?: string;
  color?: string;
  description?: string;
}

const PAGE = 200;
const pathOf = (id: string): string => `/api/calendars/${id}`;

/** All of one's calendars, those one is invited to included. */
export async function listCalendars(signal?: AbortSignal): Promise<MyCalendar[]> {
  const all: MyCalendar[] = [];
  let after: string | null | undefined;
  do {
    const page = await fetchBody<{ calendars: MyCalendar[]; after?: string | null }>('/api/calendars', { query: { limit: PAGE, after }, signal });
    all.push(...page.calendars);
    after = page.after;
  } while (after);
  return all;
}

export const makeCalendar = (fields: CalendarFields & { name: string; color: string }): Promise<Calendar> =>
  fetchBody<Calendar>('/api/calendars', { method: 'POST', json: fields });

export const loadCalendar = (id: string, signal?: AbortSignal): Promise<Calendar> => fetchBody<Calendar>(pathOf(id), { signal });

export const changeCalendar = (id: string, fields: CalendarFields): Promise<Calendar> =>
  fetchBody<Calendar>(pathOf(id), { method: 'PUT', json: fields });

/** Into the trash for 30 days; `forever` erases it at once. */
export const deleteCalendar = (id: string, forever = false): Promise<void> =>
  fetchBody<void>(pathOf(id), { method: 'DELETE', query: { permanent: forever ? true : null } });

/** The calendars in the trash that the caller owns. */
export async function listDeletedCalendars(signal?: AbortSignal): Promise<MyCalendar[]> {
  return (await fetchBody<{ calendars: MyCalendar[] }>('/api/calendars/trash', { signal })).calendars;
}

export const restoreCalendar = (id: string): Promise<Calendar> => fetchBody<Calendar>(`${pathOf(id)}/restore`, { method: 'POST' });

/** A calendar of the caller with all entries of this one. */
export const copyCalendar = (id: string, name?: string): Promise<Calendar> =>
  fetchBody<Calendar>(`${pathOf(id)}/copy`, { method: 'POST', json: name === undefined ? {} : { name } });

export const saveSettings = (id: string, settings: CalendarSettings): Promise<CalendarSettings> =>
  fetchBody<CalendarSettings>(`${pathOf(id)}/settings`, { method: 'PUT', json: settings });
