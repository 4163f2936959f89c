// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { ChevronLeft, ChevronRight } from 'lucide-preact';

import { IconButton } from '../../ui/button';
import { words } from '../../words';
import { addMonths, monthOf, startOfMonth } from './days';
import { monthAndYear } from './formats';
import { MonthTable } from './monthTable';
import { day, goTo, view, visible } from './state';

const isOnScreen = (one: string): boolean => view.value !== 'agenda' && view.value !== 'year' && visible.value.from <= one && one <= visible.value.to;

/** A month to go elsewhere by. */
export function MiniMonth() {
  const told = words.value.calendar;
  const [month, setMonth] = useState(startOfMonth(day.value));
  useEffect(() => setMonth(startOfMonth(day.value)), [day.value]);
  return (
    <section class="calendar-mini" aria-label={told.goToMonth}>
      <header class="row spread">
        <strong aria-live="polite">{monthAndYear(month)}</strong>
        <span class="row">
          <IconButton label={told.previous.month} onClick={() => setMonth(addMonths(month, -1))}><ChevronLeft /></IconButton>
          <IconButton label={told.next.month} onClick={() => setMonth(addMonths(month, 1))}><ChevronRight /></IconButton>
        </span>
      </header>
      <MonthTable month={month} stop={monthOf(day.value) === monthOf(month) ? day.value : month} label={monthAndYear(month)}
        onPick={(one) => goTo(one, view.value === 'year' ? 'day' : view.value)} onLeave={(next) => setMonth(startOfMonth(next))}
        lookOf={(one) => (isOnScreen(one) ? 'calendar-on-screen' : '')} />
    </section>
  );
}
