// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';

import { homeZone } from '../../../shell/session';
import { words } from '../../../words';
import { endOfMonth, startOfMonth } from '../days';
import { entriesBetween } from '../entries';
import { firstWeekday, longDay } from '../formats';
import { isWanted } from '../gridEvents';
import { rangeOf, type View } from '../periods';
import type { DayRange, Placed } from '../shelf';
import { calendarsById, day, shownCalendars, view } from '../state';
import { todayIn } from '../times';
import { periodTitle } from '../toolbar';
import { PaperColumns, PaperList, PaperMonth, PaperYear } from './paper';
import './print.css';

// What is on the screen scrolls, and hides what it has no room for. Paper gets pages of its own, drawn when somebody
// is about to print, by whatever way.

/** What goes on paper: the list as far as its title says, everything else as on the screen. */
const rangeFor = (shown: View): DayRange =>
  (shown === 'agenda' ? { from: startOfMonth(day.value), to: endOfMonth(day.value) } : rangeOf(shown, day.value, firstWeekday.value));

function Content({ shown, range, all }: { shown: View; range: DayRange; all: readonly Placed[] }) {
  switch (shown) {
    case 'month':
      return <PaperMonth all={all} range={range} month={day.value} />;
    case 'week':
      return <PaperColumns all={all} range={range} />;
    case 'year':
      return <PaperYear all={all} range={range} />;
    case 'day':
    case 'agenda':
      return <PaperList all={all} range={range} />;
  }
}

function Paper() {
  const told = words.value.calendarPanels.print;
  const range = rangeFor(view.value);
  const all = entriesBetween(range).filter((placed) => isWanted(placed, calendarsById.value.get(placed.entry.calendarId)));
  return (
    <div class={`calendar-paper calendar-paper-${view.value}`}>
      <header>
        <h1>{periodTitle()}</h1>
        <ul aria-label={told.calendars}>
          {shownCalendars.value.map((one) => <li key={one.id}><i class="calendar-paper-dot" style={{ backgroundColor: one.color }} />{one.name}</li>)}
        </ul>
        <small>{told.printedOn(longDay(todayIn(homeZone.value)))}</small>
      </header>
      <Content shown={view.value} range={range} all={all} />
    </div>
  );
}

let place: HTMLElement | null = null;

/** Draws the pages, unless they are there. */
export function preparePaper(): void {
  if (place === null) {
    place = document.createElement('div');
    place.className = 'calendar-print';
    document.documentElement.classList.add('calendar-printing');
    document.body.append(place);
    window.addEventListener('afterprint', dropPaper, { once: true });
  }
  render(<Paper />, place);
}

function dropPaper(): void {
  if (place !== null) {
    document.documentElement.classList.remove('calendar-printing');
    render(null, place);
    place.remove();
    place = null;
  }
}

/** Draws pages for paper whenever somebody prints. Returns how to stop. */
export function followPrinting(): () => void {
  window.addEventListener('beforeprint', preparePaper);
  return () => {
    window.removeEventListener('beforeprint', preparePaper);
    dropPaper();
  };
}
