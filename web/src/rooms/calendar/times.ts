// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fromEpochMilliseconds, toZonedDateTimeISO } from 'temporal-polyfill/fns/instant';
import { fromString, toString as render, toZonedDateTime } from 'temporal-polyfill/fns/plaindatetime';
import { epochMilliseconds, toPlainDateTime } from 'temporal-polyfill/fns/zoneddatetime';

import type { Entry, EntryFields } from '../../api/entries';
import { addDays } from './days';

// Wall clocks are texts, "2026-03-01T09:00", in a zone that is known from elsewhere. Entries have theirs in their own
// zone, people read them in the zone of their account.

const MINUTE_MS = 60_000;
const HALF_DAY_MS = 12 * 60 * MINUTE_MS;

/** Where an entry stands on the calendar of who looks at it. */
export interface Placement {
  allDay: boolean;
  /** A day when it is all-day, else a wall clock. */
  start: string;
  /** The first moment, or day, behind it. */
  end: string;
  /** The days it touches. */
  firstDay: string;
  lastDay: string;
}

/** As UTC would have it: for arithmetic on wall clocks, not an instant. */
const reckon = (wall: string): number => Date.parse(`${wall.length === 16 ? `${wall}:00` : wall}Z`);
const wallOf = (reckoned: number): string => new Date(reckoned).toISOString().slice(0, 16);

export const addMinutes = (wall: string, minutes: number): string => wallOf(reckon(wall) + minutes * MINUTE_MS);
export const minutesBetween = (from: string, to: string): number => Math.round((reckon(to) - reckon(from)) / MINUTE_MS);

/** A time that the clocks skip is as much later; of one that they show twice the first is meant. So says RFC 5545. */
export function instantAt(wall: string, zone: string): number {
  return epochMilliseconds(toZonedDateTime(fromString(wall), zone, { disambiguation: 'compatible' }));
}

export function wallAt(instant: number, zone: string): string {
  return render(toPlainDateTime(toZonedDateTimeISO(fromEpochMilliseconds(Math.floor(instant)), zone))).slice(0, 16);
}

// How far the clocks of a zone are from UTC around a day, by "zone day". Days on which they are changed are not simple
// and hold NaN. Thousands of entries are placed at once; asking for each would take a second.
const offsets = new Map<string, number>();
const OFFSETS_KEPT = 20_000;

function steadyOffset(zone: string, day: string): number {
  const key = `${zone} ${day}`;
  const known = offsets.get(key);
  if (known !== undefined) {
    return known;
  }
  const noon = reckon(`${day}T12:00`);
  // A day and a half to both sides: the answer is also asked for instants, whose day may be the one beside.
  const ends = [noon - 3 * HALF_DAY_MS, noon + 3 * HALF_DAY_MS].map((at) => reckon(wallAt(at, zone)) - at);
  const offset = ends[0] === ends[1] ? ends[0]! : NaN;
  if (offsets.size > OFFSETS_KEPT) {
    offsets.clear();
  }
  offsets.set(key, offset);
  return offset;
}

/** What the clocks of `to` show when those of `from` show `wall`. */
export function translate(wall: string, from: string, to: string): string {
  const day = wall.slice(0, 10);
  const away = steadyOffset(from, day);
  const here = from === to ? away : steadyOffset(to, day);
  if (!Number.isNaN(away) && !Number.isNaN(here)) {
    return away === here ? wall.slice(0, 16) : wallOf(reckon(wall) - away + here);
  }
  return wallAt(instantAt(wall, from), to);
}

export const nowIn = (zone: string): string => wallAt(Date.now(), zone);
export const todayIn = (zone: string): string => nowIn(zone).slice(0, 10);

const hasTime = (entry: Entry): boolean => Boolean(entry.startTime) && (entry.kind === 'timed' || entry.kind === 'task');

/** When an occurrence starts and ends, as its own zone has it. */
export const ownStart = (entry: Entry): string => `${entry.startDate}T${(entry.startTime ?? '00:00').slice(0, 5)}`;
export const ownEnd = (entry: Entry): string => `${entry.endDate}T${(entry.endTime ?? entry.startTime ?? '00:00').slice(0, 5)}`;

export function place(entry: Entry, zone: string): Placement {
  if (!hasTime(entry)) {
    return { allDay: true, start: entry.startDate, end: addDays(entry.endDate, 1), firstDay: entry.startDate, lastDay: entry.endDate };
  }
  const own = entry.timeZone ?? zone;
  const start = translate(ownStart(entry), own, zone);
  let end = translate(ownEnd(entry), own, zone);
  if (end < start) {
    // The hour that the clocks show twice lies in between.
    end = addMinutes(start, Math.round((instantAt(ownEnd(entry), own) - instantAt(ownStart(entry), own)) / MINUTE_MS));
  }
  const lastDay = end > start && end.endsWith('T00:00') ? addDays(end.slice(0, 10), -1) : end.slice(0, 10);
  return { allDay: false, start, end, firstDay: start.slice(0, 10), lastDay };
}

/** Where something was dropped, or drawn. */
export interface Spot {
  allDay: boolean;
  /** A day or a wall clock of who looks at it, as Placement has them. */
  start: string;
  /** Absent: as long as is usual. */
  end?: string | null;
}

const USUAL_MINUTES = 60;

interface TimedFields {
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
}

/** What a timed entry says of a stretch of time, in its own zone. */
export function timedFields(start: string, end: string, zone: string, own: string): TimedFields {
  const [from, to] = zone === own ? [start, end] : [translate(start, zone, own), translate(end, zone, own)];
  return { startDate: from.slice(0, 10), startTime: from.slice(11), endDate: to.slice(0, 10), endTime: to.slice(11) };
}

/** How an entry changes that is dropped at a spot by somebody who reads `zone`. */
export function fieldsAt(entry: Entry, spot: Spot, zone: string): EntryFields {
  if (spot.allDay) {
    const lastDay = spot.end ? addDays(spot.end.slice(0, 10), -1) : spot.start.slice(0, 10);
    const fields = { startDate: spot.start.slice(0, 10), endDate: lastDay };
    if (entry.kind === 'task') {
      return { startDate: fields.startDate, ...(entry.startTime && { startTime: null }) };
    }
    if (entry.kind === 'multi-day') {
      return fields;
    }
    return { ...fields, kind: lastDay > fields.startDate ? 'multi-day' : 'all-day' };
  }
  const own = entry.timeZone ?? zone;
  const end = spot.end ?? addMinutes(spot.start, entry.kind === 'task' ? 0 : USUAL_MINUTES);
  const fields = timedFields(spot.start, end, zone, own);
  if (entry.kind === 'task') {
    return { startDate: fields.startDate, startTime: fields.startTime, timeZone: own };
  }
  return entry.kind === 'timed' ? fields : { ...fields, kind: 'timed', timeZone: own };
}

/** "09:00" and so on, in the entry's own zone, when that differs from the viewer's at that time. */
export function differsFrom(entry: Entry, zone: string): boolean {
  if (!hasTime(entry) || !entry.timeZone || entry.timeZone === zone) {
    return false;
  }
  return translate(ownStart(entry), entry.timeZone, zone) !== ownStart(entry);
}
