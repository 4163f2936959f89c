// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

import { homeZone } from '../../shell/session';
import { addDays, daysBetween, monthOf } from './days';
import { firstWeekday, longDay, weekdayName, weekdaysInOrder } from './formats';
import { rangeOf } from './periods';
import { day } from './state';
import { todayIn } from './times';

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

interface MonthTableProps {
  /** Any day of it. */
  month: string;
  /** The day that Tab leads to; the others are reached from there with arrows. */
  stop: string;
  onPick: (day: string) => void;
  /** An arrow led out of the month. */
  onLeave?: (day: string) => void;
  label?: string;
  lookOf?: (day: string) => string;
  labelOf?: (day: string) => string;
  contentOf?: (day: string) => ComponentChildren;
}

function weeksOf(month: string): string[][] {
  const { from, to } = rangeOf('month', month, firstWeekday.value);
  const all = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
  return Array.from({ length: all.length / 7 }, (_, index) => all.slice(index * 7, index * 7 + 7));
}

/** A small month whose days are buttons. */
export function MonthTable(props: MonthTableProps) {
  const { month, onLeave } = props;
  const around = useRef<HTMLTableElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const here = (event.target as HTMLElement).dataset['day'];
    if (step === undefined || here === undefined) {
      return;
    }
    event.preventDefault();
    const next = addDays(here, step);
    if (monthOf(next) !== monthOf(month)) onLeave?.(next);
    requestAnimationFrame(() => around.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus());
  };
  return (
    <table ref={around} class="calendar-month-table" role="grid" aria-label={props.label} onKeyDown={move}>
      <thead>
        <tr>
          {weekdaysInOrder().map((weekday) => (
            <th key={weekday} scope="col"><abbr title={weekdayName(weekday)}>{weekdayName(weekday, 'narrow')}</abbr></th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => <tr key={week[0]}>{week.map((one) => <DayCell key={one} one={one} {...props} />)}</tr>)}
      </tbody>
    </table>
  );
}

function DayCell({ one, month, stop, onPick, lookOf, labelOf, contentOf }: MonthTableProps & { one: string }) {
  const isToday = one === todayIn(homeZone.value);
  const isInside = monthOf(one) === monthOf(month);
  const look = [isInside ? '' : 'calendar-outside', isToday ? 'calendar-today' : '', isInside ? (lookOf?.(one) ?? '') : ''];
  return (
    <td class={look.join(' ')} aria-selected={one === day.value}>
      <button type="button" data-day={one} tabIndex={one === stop ? 0 : -1} aria-label={(isInside && labelOf?.(one)) || longDay(one)}
        aria-current={isToday ? 'date' : undefined} onClick={() => onPick(one)}>
        {+one.slice(8, 10)}
        {isInside && contentOf?.(one)}
      </button>
    </td>
  );
}
