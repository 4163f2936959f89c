// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { words } from '../../words';
import { addDays, monthOf } from './days';
import { entriesBetween, revision } from './entries';
import { longDay, monthAndYear, monthName } from './formats';
import { colorOf, isWanted } from './gridEvents';
import { MonthTable } from './monthTable';
import type { DayRange, Placed } from './shelf';
import { calendarsById, day, goTo, shownCalendars, visible } from './state';

const DOTS = 3;

/** What a day of the year shows: how much there is, and in which colours. */
export interface DaySum {
  count: number;
  colors: string[];
}

/** Counts entries on every day they touch. */
export function sumUp(all: readonly Placed[], days: DayRange, colorFor: (placed: Placed) => string): Map<string, DaySum> {
  const sums = new Map<string, DaySum>();
  for (const placed of all) {
    const last = placed.lastDay < days.to ? placed.lastDay : days.to;
    for (let one = placed.firstDay > days.from ? placed.firstDay : days.from; one <= last; one = addDays(one, 1)) {
      const sum = sums.get(one) ?? { count: 0, colors: [] };
      sum.count += 1;
      const color = colorFor(placed);
      if (sum.colors.length < DOTS && !sum.colors.includes(color)) sum.colors.push(color);
      sums.set(one, sum);
    }
  }
  return sums;
}

/** Twelve months at a glance. Thousands of entries would not be legible as titles: days tell how full they are. */
export function Year() {
  const told = words.value.calendar;
  const year = day.value.slice(0, 4);
  const calendarOf = (placed: Placed) => calendarsById.value.get(placed.entry.calendarId);
  const sums = useMemo(() => {
    const wanted = entriesBetween(visible.value).filter((placed) => isWanted(placed, calendarOf(placed)));
    return sumUp(wanted, visible.value, (placed) => colorOf(placed, calendarOf(placed)));
  }, [revision.value, visible.value, shownCalendars.value]);
  const months = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}-01`);
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => around.current?.querySelector(`[data-month="${monthOf(day.value)}"]`)?.scrollIntoView({ block: 'nearest' }), [day.value]);
  return (
    <div ref={around} class="calendar-year">
      {months.map((month) => (
        <section key={month} data-month={monthOf(month)} class="calendar-year-month">
          <h2><button type="button" onClick={() => goTo(month, 'month')}>{monthName(month)}</button></h2>
          <MonthTable month={month} stop={monthOf(day.value) === monthOf(month) ? day.value : month} label={monthAndYear(month)}
            onPick={(one) => goTo(one, 'day')} labelOf={(one) => told.entriesOn(longDay(one), sums.get(one)?.count ?? 0)}
            lookOf={(one) => fullness(sums.get(one)?.count ?? 0)} contentOf={(one) => <Dots sum={sums.get(one)} />} />
        </section>
      ))}
    </div>
  );
}

const fullness = (count: number): string => (count === 0 ? '' : count < 3 ? 'calendar-some' : count < 7 ? 'calendar-many' : 'calendar-full');

function Dots({ sum }: { sum: DaySum | undefined }) {
  return (
    <span class="calendar-dots" aria-hidden="true">
      {(sum?.colors ?? []).map((color) => <i key={color} style={{ background: color }} />)}
    </span>
  );
}
