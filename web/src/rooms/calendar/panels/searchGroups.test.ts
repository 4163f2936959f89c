// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../../api/entries';
import { sampleEntry } from '../sampleEntry';
import { flatten, groupResults, markWords } from './searchGroups';

const entry = (id: string, startDate: string, more: Partial<Entry> = {}): Entry =>
  sampleEntry({ id, kind: 'all-day', title: id, startDate, endDate: startDate, uid: id, ...more });

const today = '2026-05-10';

describe('results of a search', () => {
  it('are what comes, what repeats, what is over: the nearest first in each', () => {
    const groups = groupResults([
      entry('old', '2025-01-01'), entry('later', '2026-07-01'), entry('soon', '2026-05-11'), entry('recent', '2026-05-09'),
      entry('weekly', '2020-01-01', { recurrence: { rule: 'FREQ=WEEKLY', additions: [], exceptions: [] } }),
    ], today);
    expect(groups.map((group) => group.section)).toEqual(['upcoming', 'repeating', 'past']);
    expect(flatten(groups).map((one) => one.id)).toEqual(['soon', 'later', 'weekly', 'recent', 'old']);
  });

  it('have a series that has ended among what is over', () => {
    const recurrence = { rule: 'FREQ=DAILY;COUNT=2', additions: [], exceptions: [], last: '2020-01-02T00:00' };
    const ended = entry('ended', '2020-01-01', { recurrence });
    expect(groupResults([ended], today).map((group) => group.section)).toEqual(['past']);
  });

  it('have what goes on today among what comes', () => {
    expect(groupResults([entry('trip', '2026-05-01', { endDate: today })], today)[0]!.section).toBe('upcoming');
  });

  it('share a day, by time', () => {
    const groups = groupResults([entry('b', today, { startTime: '12:00' }), entry('a', today, { startTime: '09:00' }), entry('c', today)], today);
    expect(groups[0]!.days.map((day) => [day.date, day.entries.map((one) => one.id)])).toEqual([[today, ['c', 'a', 'b']]]);
  });
});

describe('words in a text', () => {
  it('are marked whatever their case', () => {
    expect(markWords('Choir practice', 'CHOIR')).toEqual([{ text: 'Choir', found: true }, { text: ' practice', found: false }]);
  });

  it('are not taken for a pattern', () => {
    expect(markWords('1+1 (a)', '+ (')).toEqual([
      { text: '1', found: false }, { text: '+', found: true }, { text: '1 ', found: false }, { text: '(', found: true },
      { text: 'a)', found: false }]);
  });

  it('may be none', () => {
    expect(markWords('Choir', ' ')).toEqual([{ text: 'Choir', found: false }]);
  });
});
