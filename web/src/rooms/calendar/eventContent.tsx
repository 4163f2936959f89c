// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Repeat } from 'lucide-preact';

import type { EventContentArg } from '@fullcalendar/core';

import { homeZone } from '../../shell/session';
import { words } from '../../words';
import { check } from './deeds';
import { mediumDay, timeOf, zoneName } from './formats';
import type { EventProps, MoreProps } from './gridEvents';
import type { Placed } from './shelf';
import { calendarsById, mayWrite } from './state';
import { differsFrom, ownEnd, ownStart } from './times';

/** The time in the entry's own zone, when people there read another clock. */
export function elsewhere(placed: Placed): string | null {
  const { entry } = placed;
  if (!differsFrom(entry, homeZone.value) || !entry.timeZone) {
    return null;
  }
  const told = words.value.calendar;
  const zone = zoneName(entry.timeZone);
  return entry.kind === 'task' ? told.atInZone(timeOf(ownStart(entry)), zone) : told.inZone(timeOf(ownStart(entry)), timeOf(ownEnd(entry)), zone);
}

export const isPhone = (): boolean => window.matchMedia('(max-width: 640px)').matches;

/** What the grid shows by where an entry stands and by its colour, in words. */
export function detailsOf(placed: Placed): string {
  const { entry } = placed;
  const told = words.value.calendar;
  const times = placed.allDay ? told.allDay : entry.kind === 'task' ? timeOf(placed.start) : `${timeOf(placed.start)} – ${timeOf(placed.end)}`;
  return [mediumDay(placed.firstDay), times, entry.kind === 'task' ? told.task : '', entry.completed ? told.done : '',
    entry.occurrence === undefined ? '' : told.recurring, entry.location ?? '', calendarsById.value.get(entry.calendarId)?.name ?? '']
    .filter((piece) => piece !== '').join(', ');
}

/** Of the event and not of the entry: while it is dragged it is elsewhere. */
function Times({ arg: { event }, withEnd }: { arg: EventContentArg; withEnd: boolean }) {
  const wall = (date: Date): string => date.toISOString().slice(0, 16);
  return (
    <span class="calendar-event-time">
      {timeOf(wall(event.start!))}
      {withEnd && event.end && <span class="calendar-event-end"> – {timeOf(wall(event.end))}</span>}
    </span>
  );
}

/** What stands in an event of the grid. */
export function EventContent({ arg }: { arg: EventContentArg }) {
  const { placed, moreOn } = arg.event.extendedProps as Partial<EventProps & MoreProps>;
  if (moreOn !== undefined) {
    const number = Number(arg.event.title);
    return (
      <div class="calendar-event-inside calendar-event-light">
        {isPhone() ? `+${number}` : `+${words.value.calendar.more(number)}`}<span class="visually-hidden">, {mediumDay(moreOn)}</span>
      </div>
    );
  }
  if (placed === undefined) {
    // What is being drawn right now.
    return <div class="calendar-event-inside">{!arg.event.allDay && <Times arg={arg} withEnd />}</div>;
  }
  const { entry } = placed;
  const title = entry.title || words.value.calendar.untitled;
  const isInHours = arg.view.type.startsWith('timeGrid') && !arg.event.allDay;
  const isLight = !isInHours && arg.event.display === 'list-item';
  const other = isInHours ? elsewhere(placed) : null;
  return (
    <div class={`calendar-event-inside ${isLight ? 'calendar-event-light' : ''}`} style={{ '--event-color': arg.backgroundColor }}>
      {entry.kind === 'task' ? <TaskBox placed={placed} /> : isLight && <span class="calendar-dot" style={{ background: arg.backgroundColor }} />}
      {!arg.event.allDay && <Times arg={arg} withEnd={isInHours} />}
      {entry.kind === 'task'
        ? <button type="button" class="calendar-event-title calendar-open">{title}<span class="visually-hidden">, {detailsOf(placed)}</span></button>
        : <span class="calendar-event-title">{title}</span>}
      {entry.occurrence !== undefined && <Repeat class="calendar-event-mark" aria-hidden="true" />}
      {entry.location && isInHours && <span class="calendar-event-place">{entry.location}</span>}
      {other !== null && <span class="calendar-event-place">{other}</span>}
      {entry.kind !== 'task' && <span class="visually-hidden">, {detailsOf(placed)}</span>}
    </div>
  );
}

/** A task is checked off right where it stands. */
export function TaskBox({ placed }: { placed: Placed }) {
  const { entry } = placed;
  const told = words.value.calendar;
  const label = entry.completed ? told.checkOn(entry.title) : told.checkOff(entry.title);
  return (
    <input type="checkbox" class="calendar-task-box" checked={entry.completed} aria-label={label} title={label}
      disabled={!mayWrite(calendarsById.value.get(entry.calendarId))}
      onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.stopPropagation()} onTouchStart={(event) => event.stopPropagation()}
      onChange={() => void check(entry)} />
  );
}
