// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { EntryFields } from '../../api/entries';
import { homeZone } from '../../shell/session';
import { say } from '../../ui/toast';
import { words } from '../../words';
import { addDays } from './days';
import { beginEntry, day, hidden, showCalendar, view, visible, writableCalendars } from './state';
import { addMinutes, nowIn, timedFields, type Spot } from './times';

const LAST_KEY = 'atrium.calendar.last';
const USUAL_MINUTES = 60;

/** Where new entries go: where the last one went, else the first calendar that is shown. */
function usualCalendar(): string | undefined {
  const all = writableCalendars.value;
  const shown = all.filter((one) => !hidden.value.has(one.id));
  const last = localStorage.getItem(LAST_KEY);
  return (shown.find((one) => one.id === last) ?? shown[0] ?? all[0])?.id;
}

export function rememberCalendar(id: string): void {
  localStorage.setItem(LAST_KEY, id);
  // What one has just written should be seen.
  if (hidden.value.has(id)) showCalendar(id, true);
}

/** What is said of an entry that begins at a spot. */
export function fieldsFor(spot: Spot, zone: string): EntryFields {
  if (spot.allDay) {
    const lastDay = spot.end ? addDays(spot.end, -1) : spot.start;
    return { kind: lastDay > spot.start ? 'multi-day' : 'all-day', startDate: spot.start, endDate: lastDay };
  }
  return { kind: 'timed', timeZone: zone, ...timedFields(spot.start, spot.end ?? addMinutes(spot.start, USUAL_MINUTES), zone, zone) };
}

/** Opens the sheet for a new entry there. */
export function beginAt(spot: Spot): void {
  const calendarId = usualCalendar();
  if (calendarId === undefined) {
    say(words.value.calendar.cannotWrite);
    return;
  }
  beginEntry({ calendarId, ...fieldsFor(spot, homeZone.value) });
}

/** The next full hour, on the day that is looked at. */
export function beginNow(): void {
  const now = nowIn(homeZone.value);
  const next = addMinutes(`${now.slice(0, 14)}00`, USUAL_MINUTES);
  const isHere = visible.value.from <= now.slice(0, 10) && now.slice(0, 10) <= visible.value.to && view.value !== 'day';
  const onDay = isHere ? now.slice(0, 10) : day.value;
  beginAt({ allDay: false, start: onDay === now.slice(0, 10) ? next : `${onDay}T${next.slice(11)}` });
}
