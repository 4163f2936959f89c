// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../api/entries';
import { parseRule } from './rule';
import { sampleEntry } from './sampleEntry';
import { dayNamedBy, fieldsOfFirst } from './seriesStart';

const named = (rule: string, day: string): string => dayNamedBy(parseRule(rule, day)!, day);
const entry = (fields: Partial<Entry>): Entry =>
  sampleEntry({ startDate: '2026-10-13', endDate: '2026-10-13', startTime: '09:00', endTime: '10:00', ...fields });

describe('the day that a rule names in a month', () => {
  it('is counted in weekdays or in days, from the end too', () => {
    expect(named('FREQ=MONTHLY;BYDAY=3TH', '2026-10-22')).toBe('2026-10-15');
    expect(named('FREQ=MONTHLY;BYDAY=-1FR', '2026-10-01')).toBe('2026-10-30');
    expect(named('FREQ=MONTHLY;BYMONTHDAY=31', '2026-11-05')).toBe('2026-11-30');
    expect(named('FREQ=MONTHLY;BYMONTHDAY=-1', '2026-02-05')).toBe('2026-02-28');
    expect(named('FREQ=YEARLY', '2026-11-17')).toBe('2026-11-17');
  });
});

describe('a change meant for all', () => {
  const series = entry({});
  const shown = entry({ startDate: '2026-11-10', endDate: '2026-11-10', occurrence: '2026-11-10T09:00' });

  const onThirdThursday = (startTime: string, endTime: string) =>
    ({ startDate: '2026-11-19', startTime, endDate: '2026-11-19', endTime, recurrence: { rule: 'FREQ=MONTHLY;BYDAY=3TH' } });

  it('begins where the new rule begins', () => {
    const fields = onThirdThursday('09:00', '10:00');
    expect(fieldsOfFirst(series, shown, fields)).toMatchObject({
      startDate: '2026-10-15',
      endDate: '2026-10-15',
      startTime: '09:00',
    });
  });

  it('keeps the times of the series when only this one has others', () => {
    const late = entry({ ...shown, startTime: '11:00', endTime: '12:00' });
    const fields = onThirdThursday('11:00', '12:00');
    expect(fieldsOfFirst(series, late, fields)).toMatchObject({ startTime: '09:00', endTime: '10:00' });
  });

  it('is left to the server when weeks or days are counted, or nothing moves', () => {
    expect(
      fieldsOfFirst(series, shown, { startDate: '2026-11-19', recurrence: { rule: 'FREQ=WEEKLY;BYDAY=TH' } }),
    ).toBeNull();
    expect(
      fieldsOfFirst(series, shown, { title: 'Other', recurrence: { rule: 'FREQ=MONTHLY;BYDAY=3TH' } }),
    ).toBeNull();
    expect(fieldsOfFirst(series, shown, { startDate: '2026-11-19' })).toBeNull();
  });
});
