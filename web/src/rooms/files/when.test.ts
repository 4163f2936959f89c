// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { renderWhen } from './when';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const when = (iso: string, tongue = 'en-GB', zone = 'UTC') => renderWhen(Date.parse(iso), NOW, tongue, zone);

describe('times', () => {
  it('of the last hour are told from now', () => {
    expect(when('2026-03-10T11:59:40Z')).toBe('now');
    expect(when('2026-03-10T11:55:00Z')).toBe('5 minutes ago');
    expect(when('2026-03-10T11:55:00Z', 'de')).toBe('vor 5 Minuten');
  });

  it('of today and yesterday have their clock time', () => {
    expect(when('2026-03-10T09:05:00Z')).toBe('today, 09:05');
    expect(when('2026-03-09T23:05:00Z', 'de')).toBe('gestern, 23:05');
  });

  it('belong to the day of the person who reads them', () => {
    expect(when('2026-03-09T23:05:00Z', 'en-GB', 'Europe/Berlin')).toBe('today, 00:05');
  });

  it('of other days are dates', () => {
    expect(when('2025-03-01T09:05:00Z')).toBe('1 Mar 2025');
    expect(when('2026-03-10T18:00:00Z')).toBe('today, 18:00');
  });
});
