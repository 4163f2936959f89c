// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { readSchedule, renderDuration, renderRunTime, singleUnit } from './schedule';

describe('a schedule', () => {
  it('is taken apart as the server writes it', () => {
    expect(readSchedule('every 60 s')).toEqual({ kind: 'every', seconds: 60 });
    expect(readSchedule('daily at 03:30 UTC')).toEqual({ kind: 'daily', hour: 3, minute: 30 });
    expect(readSchedule('when asked for')).toEqual({ kind: 'asked' });
    expect(readSchedule('at full moon')).toEqual({ kind: 'other', text: 'at full moon' });
  });
});

describe('a duration', () => {
  it('of one unit is known as one', () => {
    expect([60, 3600, 86_400, 61].map(singleUnit)).toEqual(['minute', 'hour', 'day', null]);
  });

  it('is told in the largest unit that is whole', () => {
    expect(renderDuration(60, 'en')).toBe('1 minute');
    expect(renderDuration(5400, 'en')).toBe('90 minutes');
    expect(renderDuration(86_400, 'de')).toBe('1 Tag');
    expect(renderDuration(61, 'en')).toBe('61 seconds');
  });

  it('of a run is told as exactly as it matters', () => {
    expect(renderRunTime(45, 'en')).toBe('45 ms');
    expect(renderRunTime(12_345, 'en')).toBe('12.3 sec');
    expect(renderRunTime(245_900, 'en')).toBe('4 min 5 sec');
  });
});
