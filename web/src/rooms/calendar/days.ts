// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Days are texts, "2026-03-01": they sort by themselves, belong to no zone, and are what the server speaks.

const DAY_MS = 86_400_000;

const numberOf = (day: string): number => Date.UTC(+day.slice(0, 4), +day.slice(5, 7) - 1, +day.slice(8, 10)) / DAY_MS;
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** At midnight UTC, which is how Intl and FullCalendar are given days here. */
export const toDate = (day: string): Date => new Date(numberOf(day) * DAY_MS);
export const fromDate = (date: Date): string => date.toISOString().slice(0, 10);

export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(numberOf(text)) && dayOf(numberOf(text)) === text;

export const addDays = (day: string, count: number): string => (count === 0 ? day : dayOf(numberOf(day) + count));
export const daysBetween = (from: string, to: string): number => numberOf(to) - numberOf(from);

/** 0 for Sunday. */
export const weekdayOf = (day: string): number => (((numberOf(day) + 4) % 7) + 7) % 7;

export const startOfWeek = (day: string, firstWeekday: number): string => addDays(day, -((weekdayOf(day) - firstWeekday + 7) % 7));

/** "2026-03". */
export const monthOf = (day: string): string => day.slice(0, 7);
export const startOfMonth = (day: string): string => `${monthOf(day)}-01`;
export const daysInMonth = (day: string): number => new Date(Date.UTC(+day.slice(0, 4), +day.slice(5, 7), 0)).getUTCDate();
export const endOfMonth = (day: string): string => `${monthOf(day)}-${String(daysInMonth(day)).padStart(2, '0')}`;

/** The same day of another month, or its last one. */
export function addMonths(day: string, count: number): string {
  const first = fromDate(new Date(Date.UTC(+day.slice(0, 4), +day.slice(5, 7) - 1 + count, 1)));
  return addDays(first, Math.min(+day.slice(8, 10), daysInMonth(first)) - 1);
}

/** Every month that these days touch, "2026-03" each. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = startOfMonth(from); month <= to; month = addMonths(month, 1)) {
    months.push(monthOf(month));
  }
  return months;
}

/** ISO 8601: the week belongs to the year in which its Thursday is. */
export function weekNumber(day: string): number {
  const thursday = addDays(startOfWeek(day, 1), 3);
  return Math.floor(daysBetween(`${thursday.slice(0, 4)}-01-01`, thursday) / 7) + 1;
}
