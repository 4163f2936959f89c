// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { addDays, addMonths, endOfMonth, startOfMonth, startOfWeek } from './days';
import type { DayRange } from './shelf';

export const VIEWS = ['month', 'week', 'day', 'agenda', 'year'] as const;
export type View = (typeof VIEWS)[number];
export const isView = (text: string | null | undefined): text is View => VIEWS.some((view) => view === text);

export type GridView = 'month' | 'week' | 'day';
export const isGridView = (view: View): view is GridView => view !== 'agenda' && view !== 'year';

// Nobody scrolls further in one go; the arrows lead on.
const AGENDA_MONTHS = 12;

/** The days that a view shows around a day. */
export function rangeOf(view: View, day: string, firstWeekday: number): DayRange {
  switch (view) {
    case 'month':
      return { from: startOfWeek(startOfMonth(day), firstWeekday), to: addDays(startOfWeek(endOfMonth(day), firstWeekday), 6) };
    case 'week':
      return { from: startOfWeek(day, firstWeekday), to: addDays(startOfWeek(day, firstWeekday), 6) };
    case 'day':
      return { from: day, to: day };
    case 'agenda':
      return { from: startOfMonth(day), to: endOfMonth(addMonths(startOfMonth(day), AGENDA_MONTHS - 1)) };
    case 'year':
      return { from: `${day.slice(0, 4)}-01-01`, to: `${day.slice(0, 4)}-12-31` };
  }
}

/** The day to go to for what comes before (-1) or after (1). */
export function stepFrom(view: View, day: string, direction: -1 | 1): string {
  switch (view) {
    case 'month':
      return addMonths(day, direction);
    case 'agenda':
      return addMonths(startOfMonth(day), direction);
    case 'week':
      return addDays(day, 7 * direction);
    case 'day':
      return addDays(day, direction);
    case 'year':
      return addMonths(day, 12 * direction);
  }
}
