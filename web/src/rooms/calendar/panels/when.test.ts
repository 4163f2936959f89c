// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, describe, expect, it } from 'vitest';

import { language } from '../../../words';
import { sampleEntry } from '../sampleEntry';
import { renderTimeOf, renderWhen } from './when';

const entry = sampleEntry({ startDate: '2026-03-02', endDate: '2026-03-02', startTime: '09:00', endTime: '10:30' });

describe('when an entry is', () => {
  beforeAll(() => { language.value = 'de'; });

  it.each([
    [entry, 'Mo., 2. März 2026, 9:00 – 10:30', '9:00 – 10:30'],
    [{ ...entry, endDate: '2026-03-03' }, 'Mo., 2. März 2026, 9:00 – Di., 3. März 2026, 10:30', '9:00 – Di., 3. März 2026, 10:30'],
    [{ ...entry, kind: 'all-day' as const, startTime: null, endTime: null }, 'Mo., 2. März 2026', ''],
    [{ ...entry, kind: 'multi-day' as const, startTime: null, endTime: null, endDate: '2026-03-04' },
      'Mo., 2. März 2026 – Mi., 4. März 2026', '– Mi., 4. März 2026'],
    [{ ...entry, kind: 'task' as const, endTime: null }, 'Mo., 2. März 2026, 9:00', '9:00'],
  ])('%#', (one, whole, time) => {
    expect(renderWhen(one)).toBe(whole);
    expect(renderTimeOf(one)).toBe(time);
  });
});
