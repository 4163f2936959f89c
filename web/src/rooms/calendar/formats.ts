// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { computed } from '@preact/signals';

import { locale } from '../../words';
import { addDays, toDate } from './days';

export { locale };

interface WeekHolder {
  getWeekInfo?: () => { firstDay: number };
  weekInfo?: { firstDay: number };
}

/** On which day weeks begin here; 0 for Sunday. */
export const firstWeekday = computed<number>(() => {
  const place = new Intl.Locale(locale.value) as unknown as WeekHolder;
  const info = place.getWeekInfo?.() ?? place.weekInfo;
  return info === undefined ? 1 : info.firstDay % 7;
});

const made = new Map<string, Intl.DateTimeFormat>();

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale.value} ${JSON.stringify(options)}`;
  let found = made.get(key);
  if (found === undefined) {
    // Days and wall clocks come as if they were UTC, so nothing may shift them.
    found = new Intl.DateTimeFormat(locale.value, { ...options, timeZone: 'UTC' });
    made.set(key, found);
  }
  return found;
}

const LONG = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const MEDIUM = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const PLAIN = { day: 'numeric', month: 'long', year: 'numeric' } as const;

export const longDay = (day: string): string => formatter(LONG).format(toDate(day));
export const mediumDay = (day: string): string => formatter(MEDIUM).format(toDate(day));
/** "3 March 2027". */
export const plainDay = (day: string): string => formatter(PLAIN).format(toDate(day));
export const shortDay = (day: string): string => formatter({ day: 'numeric', month: 'short' }).format(toDate(day));
export const monthAndYear = (day: string): string => formatter({ month: 'long', year: 'numeric' }).format(toDate(day));
export const monthName = (day: string): string => formatter({ month: 'long' }).format(toDate(day));
export const dayRange = (from: string, to: string): string =>
  formatter({ day: 'numeric', month: 'short', year: 'numeric' }).formatRange(toDate(from), toDate(to));

/** The time of a wall clock, "09:00" or "9:00 AM". */
export const timeOf = (wall: string): string => formatter({ hour: 'numeric', minute: '2-digit' }).format(new Date(`${wall.slice(0, 16)}:00Z`));

// A Sunday.
const SOME_SUNDAY = '2026-03-01';

export const weekdayName = (weekday: number, width: 'long' | 'short' | 'narrow' = 'long'): string =>
  formatter({ weekday: width }).format(toDate(addDays(SOME_SUNDAY, weekday)));

/** The seven weekdays, in the order of this country. */
export const weekdaysInOrder = (): number[] => Array.from({ length: 7 }, (_, index) => (firstWeekday.value + index) % 7);

/** "Tuesday and Thursday". */
export const list = (items: readonly string[]): string => new Intl.ListFormat(locale.value, { type: 'conjunction' }).format(items);

/** The name by which people know a zone: "Europe/Berlin" is "Berlin". */
export const zoneName = (zone: string): string => (zone.split('/').pop() ?? zone).replaceAll('_', ' ');
