// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { addDays, daysBetween } from './days';
import type { DayRange, Placed } from './shelf';

/** What of a month there is room for. */
export interface Fit {
  shown: Placed[];
  /** How many are left out, by day. */
  hidden: Map<string, number>;
}

/**
 * Chooses what fits into a month whose days hold `lines` entries each. FullCalendar could find that out by drawing
 * everything and measuring it, which takes it half a second when there are hundreds. Bars lie side by side as it lays
 * them: each on the first line that is free on all days of a week. A day on which something is left out keeps its last
 * line for saying so.
 */
export function fitMonth(all: readonly Placed[], days: DayRange, lines: number): Fit {
  const full = new Set<string>();
  for (;;) {
    const fit = layOut(all, days, (day) => (full.has(day) ? lines - 1 : lines));
    const more = [...fit.hidden.keys()].filter((day) => !full.has(day));
    if (more.length === 0) {
      return fit;
    }
    more.forEach((day) => full.add(day));
  }
}

function layOut(all: readonly Placed[], days: DayRange, linesOn: (day: string) => number): Fit {
  const taken = new Set<string>();
  const fit: Fit = { shown: [], hidden: new Map() };
  for (const placed of all) {
    const here = daysOf(placed, days);
    const lines = weeksOf(here, days).map((week) => ({ week, line: freeLine(week, taken) }));
    if (lines.every(({ week, line }) => week.every((day) => line < linesOn(day)))) {
      lines.forEach(({ week, line }) => week.forEach((day) => taken.add(`${day} ${line}`)));
      fit.shown.push(placed);
    } else {
      here.forEach((day) => fit.hidden.set(day, (fit.hidden.get(day) ?? 0) + 1));
    }
  }
  return fit;
}

function daysOf(placed: Placed, days: DayRange): string[] {
  const first = placed.firstDay > days.from ? placed.firstDay : days.from;
  const last = placed.lastDay < days.to ? placed.lastDay : days.to;
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index));
}

/** The days, in pieces that stand in the same row. */
function weeksOf(here: readonly string[], days: DayRange): string[][] {
  const weeks: string[][] = [];
  let row = -1;
  for (const day of here) {
    const next = Math.floor(daysBetween(days.from, day) / 7);
    if (next !== row) weeks.push([]);
    row = next;
    weeks[weeks.length - 1]!.push(day);
  }
  return weeks;
}

function freeLine(week: readonly string[], taken: ReadonlySet<string>): number {
  let line = 0;
  while (week.some((day) => taken.has(`${day} ${line}`))) {
    line += 1;
  }
  return line;
}
