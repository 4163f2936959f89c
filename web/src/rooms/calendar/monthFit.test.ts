// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../api/entries';
import { fitMonth } from './monthFit';
import type { Placed } from './shelf';

const placed = (key: string, firstDay: string, lastDay = firstDay): Placed => ({
  key, firstDay, lastDay, allDay: true, start: firstDay, end: lastDay, entry: { id: key, title: key } as Entry,
});
// Monday to Sunday, six weeks.
const days = { from: '2026-10-26', to: '2026-12-06' };
const shownOf = (all: Placed[], lines: number): string[] => fitMonth(all, days, lines).shown.map(({ key }) => key);

describe('what fits into a month', () => {
  it('is everything as long as there is room', () => {
    const all = ['a', 'b', 'c'].map((key) => placed(key, '2026-11-17'));
    expect(shownOf(all, 3)).toEqual(['a', 'b', 'c']);
    expect(fitMonth(all, days, 3).hidden.size).toBe(0);
  });

  it('leaves a line for how many are left out', () => {
    const all = ['a', 'b', 'c', 'd'].map((key) => placed(key, '2026-11-17'));
    expect(shownOf(all, 3)).toEqual(['a', 'b']);
    expect([...fitMonth(all, days, 3).hidden]).toEqual([['2026-11-17', 2]]);
  });

  it('counts a bar on all of its days, and lets nothing lie over it', () => {
    const all = [placed('bar', '2026-11-16', '2026-11-19'), placed('a', '2026-11-17'), placed('b', '2026-11-18'), placed('c', '2026-11-18')];
    expect(shownOf(all, 2)).toEqual(['bar', 'a']);
    expect([...fitMonth(all, days, 2).hidden]).toEqual([['2026-11-18', 2]]);
  });

  it('leaves a bar out on all days when it has no room on one of them', () => {
    const all = [placed('a', '2026-11-16'), placed('b', '2026-11-16'), placed('bar', '2026-11-16', '2026-11-17')];
    const fit = fitMonth(all, days, 2);
    expect(fit.shown.map(({ key }) => key)).toEqual(['a']);
    expect([...fit.hidden].sort()).toEqual([['2026-11-16', 2], ['2026-11-17', 1]]);
  });

  it('begins on a new line in every week, and ends with what is looked at', () => {
    const all = [placed('long', '2026-10-01', '2026-12-31'), placed('a', '2026-11-01', '2026-11-02'), placed('b', '2026-11-02')];
    expect(shownOf(all, 3)).toEqual(['long', 'a', 'b']);
  });

  it('is nothing but the number where there is room for one line', () => {
    expect(shownOf([placed('a', '2026-11-17'), placed('b', '2026-11-17')], 1)).toEqual([]);
  });
});
