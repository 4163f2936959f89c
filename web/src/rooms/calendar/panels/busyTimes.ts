// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { BusyTime } from '../../../api/freeBusy';
import { addDays } from '../days';
import { instantAt } from '../times';

/** From one moment to another, in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** A day as the clocks of a zone have it: 23, 24 or 25 hours. */
export interface Day extends Span {
  date: string;
  zone: string;
}

export const spanOf = (busy: BusyTime): Span => ({ from: Date.parse(busy.start), to: Date.parse(busy.end) });

/** `count` days from `date` on. */
export function daysFrom(date: string, count: number, zone: string): Day[] {
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(date, index);
    return { date: day, zone, from: instantAt(`${day}T00:00`, zone), to: instantAt(`${addDays(day, 1)}T00:00`, zone) };
  });
}

const clockAt = (day: Day, hour: number): number =>
  (hour === 24 ? day.to : instantAt(`${day.date}T${String(hour).padStart(2, '0')}:00`, day.zone));

/** The part of a day that counts when people look for a time: from one hour to another. */
export const hoursOf = (day: Day, from: number, to: number): Span => ({ from: clockAt(day, from), to: clockAt(day, to) });

/** Spans in order, those that touch made one. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result[result.length - 1];
    if (last !== undefined && span.from <= last.to) {
      last.to = Math.max(last.to, span.to);
    } else {
      result.push({ ...span });
    }
  }
  return result;
}

/** What of the spans lies within a frame. */
export const within = (spans: readonly Span[], frame: Span): Span[] =>
  spans.map((span) => ({ from: Math.max(span.from, frame.from), to: Math.min(span.to, frame.to) })).filter((span) => span.from < span.to);

/** Where in a frame nothing of `busy` is, for at least that long. */
export function gapsIn(frame: Span, busy: readonly Span[], leastMinutes: number): Span[] {
  const gaps: Span[] = [];
  let at = frame.from;
  for (const span of joined(within(busy, frame))) {
    gaps.push({ from: at, to: span.from });
    at = span.to;
  }
  gaps.push({ from: at, to: frame.to });
  return gaps.filter((gap) => gap.to - gap.from >= leastMinutes * 60_000);
}

/** A span as parts of a frame: where it begins and how wide it is, both from 0 to 1. */
export function placeIn(frame: Span, span: Span): { start: number; width: number } {
  const whole = frame.to - frame.from;
  return { start: (span.from - frame.from) / whole, width: (span.to - span.from) / whole };
}
