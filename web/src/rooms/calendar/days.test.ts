// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { addDays, addMonths, isDay, monthsBetween, startOfWeek, weekdayOf, weekNumber } from './days';
import { rangeOf, stepFrom } from './periods';

describe('days', () => {
  it('are counted over months, years and days on which clocks change', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
    expect(monthsBetween('2026-11-30', '2027-01-01')).toEqual(['2026-11', '2026-12', '2027-01']);
  });

  it('know their week', () => {
    expect(weekdayOf('2026-11-17')).toBe(2);
    expect(weekdayOf('1969-12-31')).toBe(3);
    expect(startOfWeek('2026-11-17', 1)).toBe('2026-11-16');
    expect(startOfWeek('2026-11-17', 0)).toBe('2026-11-15');
    expect([weekNumber('2026-01-01'), weekNumber('2027-01-03'), weekNumber('2026-11-17')]).toEqual([1, 53, 47]);
  });

  it('are told from texts that are none', () => {
    expect([isDay('2026-02-28'), isDay('2026-02-30'), isDay('today'), isDay('2026-2-3')]).toEqual([true, false, false, false]);
  });
});

describe('what a view shows', () => {
  it('is whole weeks of a month', () => {
    expect(rangeOf('month', '2026-11-17', 1)).toEqual({ from: '2026-10-26', to: '2026-12-06' });
    expect(rangeOf('month', '2026-02-10', 0)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(rangeOf('week', '2026-11-17', 1)).toEqual({ from: '2026-11-16', to: '2026-11-22' });
    expect(rangeOf('year', '2026-11-17', 1)).toEqual({ from: '2026-01-01', to: '2026-12-31' });
    expect(rangeOf('agenda', '2026-11-17', 1)).toEqual({ from: '2026-11-01', to: '2027-10-31' });
  });

  it('goes on by as much', () => {
    expect(stepFrom('month', '2026-01-31', 1)).toBe('2026-02-28');
    expect(stepFrom('week', '2026-11-17', -1)).toBe('2026-11-10');
    expect(stepFrom('year', '2026-11-17', 1)).toBe('2027-11-17');
  });
});
