// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { addDays, daysBetween } from '../days';
import { byStart, type DayRange, type Placed } from '../shelf';

export interface PaperDay {
  day: string;
  /** What touches it: whole days first, then by time. */
  entries: Placed[];
}

/** Every day of a range with what is on it; on paper nothing can be hidden behind "more". */
export function paperDays(all: readonly Placed[], range: DayRange): PaperDay[] {
  const count = daysBetween(range.from, range.to) + 1;
  const days = Array.from({ length: count }, (_, index): PaperDay => ({ day: addDays(range.from, index), entries: [] }));
  for (const placed of all) {
    const first = Math.max(0, daysBetween(range.from, placed.firstDay));
    const last = Math.min(days.length - 1, daysBetween(range.from, placed.lastDay));
    for (let index = first; index <= last; index += 1) {
      days[index]!.entries.push(placed);
    }
  }
  days.forEach(({ entries }) => entries.sort((one, other) => Number(other.allDay) - Number(one.allDay) || byStart(one, other)));
  return days;
}

/** Days by the week. */
export const weeksOf = <T>(days: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(days.length / 7) }, (_, index) => days.slice(index * 7, index * 7 + 7));
