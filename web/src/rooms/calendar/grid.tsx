// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Calendar as FullCalendar, type CalendarOptions, type DateSelectArg, type EventApi, type EventInput } from '@fullcalendar/core';
import dayGrid from '@fullcalendar/daygrid';
import interaction, { type EventResizeDoneArg } from '@fullcalendar/interaction';
import timeGrid from '@fullcalendar/timegrid';

import { homeZone } from '../../shell/session';
import { say } from '../../ui/toast';
import { words } from '../../words';
import { addDays, daysBetween, fromDate, toDate } from './days';
import { drop } from './deeds';
import { entriesBetween, revision } from './entries';
import { detailsOf, EventContent, isPhone } from './eventContent';
import { firstWeekday, locale, weekdayName } from './formats';
import { EventSync, eventOf, inOrder, isWanted, moreEvent, type EventProps, type MoreProps } from './gridEvents';
import { fitMonth } from './monthFit';
import { beginAt } from './newEntry';
import { isGridView, type GridView } from './periods';
import type { Placed } from './shelf';
import { calendarsById, day, goTo, selected, selectEntry, view, visible, writableCalendars } from './state';
import { nowIn, type Spot } from './times';
// After the style sheets of FullCalendar, which come with it.
import './grid.css';

const VIEW_NAMES: Record<GridView, string> = { month: 'dayGridMonth', week: 'timeGridWeek', day: 'timeGridDay' };

const wall = (date: Date): string => date.toISOString().slice(0, 16);

const spotOf = (event: EventApi): Spot => (event.allDay
  ? { allDay: true, start: fromDate(event.start!), end: event.end ? fromDate(event.end) : null }
  : { allDay: false, start: wall(event.start!), end: event.end ? wall(event.end) : null });

function drawn({ start, end, allDay }: DateSelectArg): void {
  if (!allDay) {
    beginAt({ allDay: false, start: wall(start), end: wall(end) });
    return;
  }
  beginAt({ allDay: true, start: fromDate(start), end: fromDate(end) });
}

/** On a phone there is no room to draw in a month: a tap leads to the day. */
function tapped(date: Date, allDay: boolean): void {
  if (view.value === 'month' && isPhone()) {
    goTo(fromDate(date), 'day');
  } else {
    beginAt(allDay ? { allDay: true, start: fromDate(date), end: addDays(fromDate(date), 1) } : { allDay: false, start: wall(date) });
  }
}

const isTouch = (event: Event): boolean => 'changedTouches' in event;

function moved(event: EventApi, sync: EventSync, text: string): void {
  const { placed } = event.extendedProps as EventProps;
  sync.forget(placed.key);
  void drop(placed, spotOf(event), text);
}

function WeekHead({ date }: { date: Date }) {
  return <span class="calendar-head">{weekdayName(date.getUTCDay(), 'short')} <strong>{date.getUTCDate()}</strong></span>;
}

function prepareDay(day: HTMLElement): void {
  // FullCalendar names a day by its number alone, though its entries are in it.
  day.removeAttribute('aria-labelledby');
  // Without an entry in it nothing in the hours would take the focus, and keys could neither scroll them nor begin there.
  if (day.classList.contains('fc-timegrid-col')) {
    day.tabIndex = 0;
  }
}

function optionsFor(sync: () => EventSync): CalendarOptions {
  const said = () => words.value.calendar.said;
  return {
    plugins: [dayGrid, timeGrid, interaction],
    headerToolbar: false,
    timeZone: 'UTC',
    now: () => `${nowIn(homeZone.value)}:00`,
    height: '100%',
    expandRows: true,
    fixedWeekCount: false,
    nowIndicator: true,
    navLinks: true,
    navLinkDayClick: (date) => goTo(fromDate(date), 'day'),
    editable: true,
    selectable: true,
    selectMirror: true,
    unselectAuto: false,
    selectLongPressDelay: 400,
    eventLongPressDelay: 400,
    eventResizableFromStart: true,
    defaultTimedEventDuration: '00:30',
    forceEventDuration: false,
    snapDuration: '00:15',
    slotDuration: '00:30',
    scrollTime: '07:00',
    slotEventOverlap: false,
    eventShortHeight: 40,
    // A quarter of an hour has room for one line.
    eventMinHeight: 20,
    eventOrder: inOrder,
    select: (arg) => { if (!isTouch(arg.jsEvent ?? new Event('none')) || !arg.allDay || view.value !== 'month') drawn(arg); },
    dateClick: ({ date, allDay, jsEvent }) => { if (isTouch(jsEvent)) tapped(date, allDay); },
    eventClick: ({ event, jsEvent }) => {
      jsEvent.preventDefault();
      const { placed, moreOn } = event.extendedProps as Partial<EventProps & MoreProps>;
      if (moreOn !== undefined) {
        goTo(moreOn, 'day');
      } else if (placed !== undefined) {
        selectEntry(placed.entry.id, placed.entry.occurrence);
      }
    },
    eventContent: (arg) => <EventContent arg={arg} />,
    eventDidMount: ({ el, event }) => {
      const { placed } = event.extendedProps as Partial<EventProps>;
      el.title = placed === undefined ? '' : [placed.entry.title, detailsOf(placed)].join(', ');
      if (el.hasAttribute('tabindex')) el.setAttribute('role', 'button');
    },
    dayCellDidMount: ({ el }) => prepareDay(el),
    eventDrop: ({ event }) => moved(event, sync(), said().moved(event.title)),
    eventResize: ({ event }: EventResizeDoneArg) => moved(event, sync(), said().resized(event.title)),
    selectAllow: () => {
      if (writableCalendars.value.length > 0) return true;
      say(words.value.calendar.cannotWrite);
      return false;
    },
    views: {
      dayGridMonth: { dayHeaderFormat: { weekday: 'short' }, displayEventEnd: false },
      timeGrid: { dayMaxEventRows: 5 },
      timeGridWeek: { dayHeaderContent: ({ date }) => <WeekHead date={date} /> },
      timeGridDay: { dayHeaders: false },
    },
  };
}

const HEAD_PX = 29;
const DAY_NUMBER_PX = 32;
// Fewer would tell nothing of a day. grid.css gives the days the height for them.
const LINES_MIN = 3;

/** How many entries a day of the month has room for. */
function linesFor(gridHeight: number): number {
  const weeks = (daysBetween(visible.value.from, visible.value.to) + 1) / 7;
  const linePx = isPhone() ? 19 : 25;
  return Math.max(LINES_MIN, Math.floor(((gridHeight - HEAD_PX) / weeks - DAY_NUMBER_PX) / linePx));
}

/** What the grid is to show. Follows whatever that depends on. */
function eventsFor(gridHeight: number): EventInput[] {
  void [revision.value, homeZone.value];
  const calendarOf = (placed: Placed) => calendarsById.value.get(placed.entry.calendarId);
  const all = entriesBetween(visible.value).filter((placed) => isWanted(placed, calendarOf(placed)));
  const fit = view.value === 'month' ? fitMonth(all, visible.value, linesFor(gridHeight)) : { shown: all, hidden: new Map<string, number>() };
  return [...fit.shown.map((placed) => eventOf(placed, calendarOf(placed))), ...[...fit.hidden].map(([on, number]) => moreEvent(on, number))];
}

/** Scrolls a month that is higher than the window to the week that is looked at, when that becomes another. */
function bringIntoView(around: HTMLElement, shown: string): void {
  if (view.value === 'month' && around.dataset['shown'] !== shown) {
    around.querySelector(`.fc-daygrid-day[data-date="${day.value}"]`)?.scrollIntoView({ block: 'nearest' });
  }
  around.dataset['shown'] = shown;
}

/** Month, week and day: FullCalendar, told by our own state what to show. */
export function Grid() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const height = signal(place.current!.clientHeight);
    let sync: EventSync | null = null;
    const grid = new FullCalendar(place.current!, {
      ...optionsFor(() => sync!), initialView: VIEW_NAMES[isGridView(view.value) ? view.value : 'month'], initialDate: day.value,
    });
    sync = new EventSync(grid);
    grid.render();
    const stops = [
      effect(() => {
        const told = words.value.calendar;
        grid.setOption('locale', locale.value);
        grid.setOption('firstDay', firstWeekday.value);
        grid.setOption('allDayText', told.allDay);
        grid.setOption('moreLinkText', (number: number) => `+${told.more(number)}`);
        grid.setOption('moreLinkHint', told.more);
        grid.setOption('closeHint', words.value.common.close);
        grid.setOption('navLinkHint', told.goToDay('$0'));
        grid.setOption('eventTimeFormat', { hour: 'numeric', minute: '2-digit', meridiem: 'short' });
      }),
      effect(() => {
        if (!isGridView(view.value)) return;
        const [name, date] = [VIEW_NAMES[view.value], toDate(day.value)];
        const events = eventsFor(height.value);
        grid.batchRendering(() => {
          if (grid.view.type !== name || grid.getDate().getTime() !== date.getTime()) grid.changeView(name, date);
          sync.show(events);
        });
        bringIntoView(place.current!, `${name} ${day.value}`);
      }),
      effect(() => { if (selected.value === null) grid.unselect(); }),
    ];
    const resized = new ResizeObserver(() => {
      height.value = place.current?.clientHeight ?? 0;
      grid.updateSize();
    });
    resized.observe(place.current!);
    return () => {
      resized.disconnect();
      stops.forEach((stop) => stop());
      grid.destroy();
    };
  }, []);
  return <div ref={place} class="calendar-grid" role="region" aria-label={words.value.calendar.grid} />;
}
