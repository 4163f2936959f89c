// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { addDays, daysBetween } from './days';
import type { DayRange, Placed } from './shelf';

/** A line of the list: a day, an entry on a day, or that there is nothing on it. */
export type AgendaRow =
  | { type: 'day'; day: string; top: number }
  | { type: 'entry'; day: string; placed: Placed; top: number; part: { number: number; of: number } | null }
  | { type: 'nothing'; day: string; top: number };

export const ROW_HEIGHTS = { day: 44, entry: 52, nothing: 40 } as const;

const heightOf = (row: AgendaRow): number => ROW_HEIGHTS[row.type];
export const heightOfAll = (rows: readonly AgendaRow[]): number => {
  const last = rows[rows.length - 1];
  return last === undefined ? 0 : last.top + heightOf(last);
};

/** The entries under the days they touch. Days without any are left out, but for `always`. */
export function rowsFor(all: readonly Placed[], days: DayRange, always: string): AgendaRow[] {
  const byDay = new Map<string, Placed[]>();
  for (const placed of all) {
    const last = placed.lastDay < days.to ? placed.lastDay : days.to;
    for (let day = placed.firstDay > days.from ? placed.firstDay : days.from; day <= last; day = addDays(day, 1)) {
      byDay.set(day, [...(byDay.get(day) ?? []), placed]);
    }
  }
  if (days.from <= always && always <= days.to && !byDay.has(always)) {
    byDay.set(always, []);
  }
  const rows: AgendaRow[] = [];
  let top = 0;
  const add = (row: AgendaRow) => { rows.push(row); top += heightOf(row); };
  for (const [day, here] of [...byDay].sort(([one], [other]) => (one < other ? -1 : 1))) {
    add({ type: 'day', day, top });
    if (here.length === 0) add({ type: 'nothing', day, top });
    const wholeDaysFirst = [...here.filter((placed) => placed.allDay), ...here.filter((placed) => !placed.allDay)];
    wholeDaysFirst.forEach((placed) => add({ type: 'entry', day, placed, top, part: partOf(placed, day) }));
  }
  return rows;
}

/** "Day 2 of 5", for what takes longer than a day. */
function partOf(placed: Placed, day: string): { number: number; of: number } | null {
  const of = daysBetween(placed.firstDay, placed.lastDay) + 1;
  return of > 1 ? { number: daysBetween(placed.firstDay, day) + 1, of } : null;
}

/** The first row that reaches below a height. */
export function rowAt(rows: readonly AgendaRow[], height: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.top + heightOf(rows[middle]!) <= height) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
