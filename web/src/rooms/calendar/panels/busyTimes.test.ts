// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { daysFrom, gapsIn, hoursOf, joined, placeIn, spanOf, within, type Span } from './busyTimes';

const HOUR = 3_600_000;
const span = (from: number, to: number): Span => ({ from: from * HOUR, to: to * HOUR });

describe('days', () => {
  it('begin and end as the clocks of the zone say', () => {
    const [day] = daysFrom('2026-07-01', 1, 'Europe/Berlin');
    expect(new Date(day!.from).toISOString()).toBe('2026-06-30T22:00:00.000Z');
  });

  it('are shorter or longer when clocks change', () => {
    const [saturday, sunday] = daysFrom('2026-03-28', 2, 'Europe/Berlin');
    expect((saturday!.to - saturday!.from) / HOUR).toBe(24);
    expect((sunday!.to - sunday!.from) / HOUR).toBe(23);
    const hours = hoursOf(sunday!, 8, 18);
    expect(new Date(hours.from).toISOString()).toBe('2026-03-29T06:00:00.000Z');
    expect(hoursOf(sunday!, 0, 24)).toEqual({ from: sunday!.from, to: sunday!.to });
  });
});

describe('busy times', () => {
  it('are read from instants', () => {
    expect(spanOf({ start: '1970-01-01T01:00:00Z', end: '1970-01-01T02:00:00Z' })).toEqual(span(1, 2));
  });

  it('that touch are one', () => {
    expect(joined([span(3, 4), span(1, 2), span(2, 3), span(6, 7)])).toEqual([span(1, 4), span(6, 7)]);
  });

  it('are cut at the frame', () => {
    expect(within([span(0, 2), span(3, 9), span(9, 10)], span(1, 8))).toEqual([span(1, 2), span(3, 8)]);
  });

  it('have a place in the frame', () => {
    expect(placeIn(span(0, 24), span(6, 12))).toEqual({ start: 0.25, width: 0.25 });
  });
});

describe('gaps', () => {
  it('are where nobody is busy, long enough', () => {
    expect(gapsIn(span(8, 18), [span(7, 9), span(9, 10), span(10.25, 12), span(16, 20)], 30)).toEqual([span(12, 16)]);
  });

  it('are the whole frame when nobody has anything', () => {
    expect(gapsIn(span(8, 18), [], 30)).toEqual([span(8, 18)]);
  });

  it('are none when the frame is full', () => {
    expect(gapsIn(span(8, 18), [span(0, 24)], 30)).toEqual([]);
  });
});
