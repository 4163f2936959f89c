// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Point, Series } from '../../../api/admin';
import { columnsOf, perMinute, perSecond, stretchesOf, valuesOf } from './columns';

const point = (at: string, more: Partial<Point> = {}): Point => ({
  step_s: 300,
  at,
  seconds: 300,
  requests: 10,
  errors: 0,
  bytes_in: 1,
  bytes_out: 2,
  store_bytes: 3,
  blob_bytes: 4,
  users: 5,
  sessions: 6,
  ...more,
});

const series = (points: Point[]): Series => ({
  from: '2027-01-15T08:02:00.000Z',
  to: '2027-01-15T08:21:00.000Z',
  step_s: 300,
  points,
});

describe('columns', () => {
  it('begin with the stretch in which the range begins and show gaps', () => {
    const columns = columnsOf(
      series([point('2027-01-15T08:00:00.000Z'), point('2027-01-15T08:15:00.000Z', { requests: 7 })]),
    );
    expect(columns.times.map((time) => new Date(time * 1000).toISOString().slice(11, 16))).toEqual([
      '08:00',
      '08:05',
      '08:10',
      '08:15',
      '08:20',
    ]);
    expect(valuesOf(columns, (one) => one.requests)).toEqual([10, null, null, 7, null]);
  });

  it('are empty points where nothing was measured', () => {
    expect(valuesOf(columnsOf(series([])), (one) => one.users)).toEqual([null, null, null, null, null]);
  });

  it('tell rates by the time that was measured', () => {
    const half = point('2027-01-15T08:00:00.000Z', { seconds: 150, requests: 10, bytes_in: 300 });
    expect(perMinute(half.requests, half)).toBe(4);
    expect(perSecond(half.bytes_in, half)).toBe(2);
    expect(perMinute(5, point('2027-01-15T08:00:00.000Z', { seconds: 0 }))).toBeNull();
  });
});

describe('stretches', () => {
  it('are few, newest first, sums of what is counted and the last of what is measured', () => {
    const columns = columnsOf(
      series([
        point('2027-01-15T08:00:00.000Z', { sessions: 9 }),
        point('2027-01-15T08:05:00.000Z', { store_bytes: 30 }),
        point('2027-01-15T08:20:00.000Z', { requests: 1 }),
      ]),
    );
    const found = stretchesOf(columns, 300, 3);
    expect(found.map((one) => one.requests)).toEqual([1, 20]);
    expect(found[1]).toMatchObject({
      store_bytes: 30,
      sessions: 9,
      from: Date.parse('2027-01-15T08:00:00Z'),
      until: Date.parse('2027-01-15T08:10:00Z'),
    });
    expect(found[0]!.until - found[0]!.from).toBe(300_000);
  });
});
