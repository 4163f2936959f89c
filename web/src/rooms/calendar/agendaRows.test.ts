// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../api/entries';
import { heightOfAll, ROW_HEIGHTS, rowAt, rowsFor } from './agendaRows';
import type { Placed } from './shelf';
import { sumUp } from './year';

const placed = (key: string, firstDay: string, lastDay = firstDay, allDay = true): Placed => ({
  key, firstDay, lastDay, allDay, start: firstDay, end: lastDay, entry: { id: key, title: key } as Entry,
});
const days = { from: '2026-11-01', to: '2026-11-30' };

describe('the list', () => {
  it('has a day, its entries, and today even when there is nothing', () => {
    const rows = rowsFor([placed('one', '2026-11-18')], days, '2026-11-17');
    expect(rows.map((row) => `${row.type} ${row.day}`)).toEqual(['day 2026-11-17', 'nothing 2026-11-17', 'day 2026-11-18', 'entry 2026-11-18']);
    expect(rows.map(({ top }) => top)).toEqual([0, 44, 84, 128]);
    expect(heightOfAll(rows)).toBe(128 + ROW_HEIGHTS.entry);
  });

  it('shows what takes several days on each of them, within what is looked at', () => {
    const rows = rowsFor([placed('long', '2026-10-30', '2026-11-02')], days, '2026-10-01').filter((row) => row.type === 'entry');
    expect(rows.map((row) => [row.day, row.type === 'entry' ? row.part : null]))
      .toEqual([['2026-11-01', { number: 3, of: 4 }], ['2026-11-02', { number: 4, of: 4 }]]);
  });

  it('puts whole days first', () => {
    const rows = rowsFor([placed('night', '2026-11-16', '2026-11-17', false), placed('day', '2026-11-17')], days, '');
    const here = rows.flatMap((row) => (row.day === '2026-11-17' && row.type === 'entry' ? [row.placed.key] : []));
    expect(here).toEqual(['day', 'night']);
  });

  it('finds the row at a height', () => {
    const rows = rowsFor([placed('one', '2026-11-18'), placed('two', '2026-11-18')], days, '');
    expect([rowAt(rows, -10), rowAt(rows, 43), rowAt(rows, 44), rowAt(rows, 100), rowAt(rows, 9999)]).toEqual([0, 0, 1, 2, 3]);
  });
});

describe('the year', () => {
  it('counts entries on every day they touch, and keeps three colours', () => {
    const sums = sumUp([placed('long', '2026-10-30', '2026-11-02'), placed('a', '2026-11-02'), placed('b', '2026-11-02'), placed('c', '2026-11-02')],
      days, ({ key }) => key);
    expect(sums.get('2026-11-01')).toEqual({ count: 1, colors: ['long'] });
    expect(sums.get('2026-11-02')).toEqual({ count: 4, colors: ['long', 'a', 'b'] });
    expect(sums.has('2026-10-31')).toBe(false);
  });
});
