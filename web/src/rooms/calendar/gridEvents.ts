// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Calendar as FullCalendar, EventInput } from '@fullcalendar/core';

import type { MyCalendar } from '../../api/calendars';
import { textOn } from './colors';
import { byStart, type Placed } from './shelf';
import { mayWrite } from './state';

/** What FullCalendar hands back with an event. */
export interface EventProps {
  placed: Placed;
}

export interface MoreProps {
  moreOn: string;
}

export const colorOf = (placed: Placed, calendar: MyCalendar | undefined): string => placed.entry.color || calendar?.color || '#657181';

/** Whether its reader wants to see it. */
export const isWanted = (placed: Placed, calendar: MyCalendar | undefined): boolean =>
  placed.entry.kind !== 'task' || (calendar?.settings.showTasks ?? true);

/** Whether it is a bar of its colour also where there is little room: what takes whole days, and what its reader wants so. */
export const isFilled = (placed: Placed, calendar: MyCalendar | undefined): boolean =>
  calendar?.settings.entryStyle === 'filled' || (placed.entry.kind !== 'task' && (placed.allDay || placed.firstDay !== placed.lastDay));

/** An entry as FullCalendar takes it. Wall clocks go in as UTC, so that nothing shifts them. */
export function eventOf(placed: Placed, calendar: MyCalendar | undefined): EventInput {
  const { entry } = placed;
  const color = colorOf(placed, calendar);
  const isTask = entry.kind === 'task';
  return {
    id: placed.key,
    title: entry.title,
    start: placed.start,
    ...(isTask && !placed.allDay ? {} : { end: placed.end }),
    allDay: placed.allDay,
    // A task has a box of its own inside, and a button beside it.
    interactive: !isTask,
    editable: mayWrite(calendar),
    durationEditable: mayWrite(calendar) && !isTask && entry.kind !== 'all-day',
    backgroundColor: color,
    borderColor: color,
    textColor: textOn(color),
    display: isFilled(placed, calendar) ? 'block' : 'list-item',
    classNames: ['calendar-event', ...(isTask ? ['calendar-task'] : []), ...(entry.completed ? ['calendar-done'] : []),
      ...(entry.transparent ? ['calendar-free'] : [])],
    extendedProps: { placed } satisfies EventProps,
  };
}

/** What stands at the end of a day that has no room for all of its entries. */
export function moreEvent(day: string, hidden: number): EventInput {
  return {
    id: `more ${day}`, title: String(hidden), start: day, allDay: true, display: 'list-item', editable: false,
    classNames: ['calendar-event', 'calendar-more'], extendedProps: { moreOn: day } satisfies MoreProps,
  };
}

/** The order of the shelf, with the numbers of what is left out last. FullCalendar hands over what an event carries. */
export function inOrder(one: unknown, other: unknown): number {
  const [a, b] = [(one as Partial<EventProps>).placed, (other as Partial<EventProps>).placed];
  return a !== undefined && b !== undefined ? byStart(a, b) : Number(a === undefined) - Number(b === undefined);
}

// Above this many differences everything is set anew: taking events one by one costs the square of their number.
const DIFFERENCES_MAX = 40;

/** Brings a calendar to show these events, and leaves those alone that have not changed: what is focused stays focused. */
export class EventSync {
  private shown = new Map<string, string>();

  constructor(private readonly calendar: FullCalendar) {}

  show(events: readonly EventInput[]): void {
    const next = new Map(events.map((event) => [event.id!, signatureOf(event)]));
    const gone = [...this.shown.keys()].filter((id) => next.get(id) !== this.shown.get(id));
    const fresh = events.filter((event) => next.get(event.id!) !== this.shown.get(event.id!));
    this.shown = next;
    if (gone.length === 0 && fresh.length === 0) {
      return;
    }
    this.calendar.batchRendering(() => {
      if (gone.length + fresh.length > DIFFERENCES_MAX) {
        this.calendar.removeAllEventSources();
        this.calendar.removeAllEvents();
        this.calendar.addEventSource({ id: 'entries', events: [...events] });
        return;
      }
      gone.forEach((id) => this.calendar.getEventById(id)?.remove());
      fresh.forEach((event) => this.calendar.addEvent(event));
    });
  }

  /** The calendar shows something else than it was told, because somebody dragged it. */
  forget(id: string): void {
    this.shown.set(id, '');
  }
}

const signatureOf = ({ extendedProps, ...event }: EventInput): string =>
  JSON.stringify([event, (extendedProps as Partial<EventProps>).placed?.entry]);
