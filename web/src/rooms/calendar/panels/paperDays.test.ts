// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../../api/entries';
import type { Placed } from '../shelf';
import { paperDays, weeksOf } from './paperDays';

function placed(title: string, firstDay: string, lastDay: string, time?: string): Placed {
  const start = time === undefined ? firstDay : `${firstDay}T${time}`;
  return { key: title, entry: { title } as Entry, allDay: time === undefined, start, end: lastDay, firstDay, lastDay };
}

describe('days on paper', () => {
  it('have what touches them, whole days first, then by time', () => {
    const days = paperDays([placed('late', '2026-03-02', '2026-03-02', '18:00'), placed('early', '2026-03-02', '2026-03-02', '08:00'),
      placed('trip', '2026-03-02', '2026-03-03')], { from: '2026-03-01', to: '2026-03-03' });
    expect(days.map(({ day, entries }) => [day, entries.map((one) => one.entry.title)])).toEqual([
      ['2026-03-01', []], ['2026-03-02', ['trip', 'early', 'late']], ['2026-03-03', ['trip']]]);
  });

  it('leave out what is before and after them', () => {
    const days = paperDays([placed('long', '2026-01-01', '2026-12-31'), placed('gone', '2025-01-01', '2025-01-02')],
      { from: '2026-03-01', to: '2026-03-02' });
    expect(days.map(({ entries }) => entries.length)).toEqual([1, 1]);
  });

  it('come by the week', () => {
    expect(weeksOf([1, 2, 3, 4, 5, 6, 7, 8])).toEqual([[1, 2, 3, 4, 5, 6, 7], [8]]);
  });
});
