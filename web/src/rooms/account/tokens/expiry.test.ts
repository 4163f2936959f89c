// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { expiryInstant } from './expiry';

const NOW = Date.parse('2027-01-15T12:00:00Z');

describe('expiryInstant', () => {
  it('is never, or a number of days away', () => {
    expect(expiryInstant('never', '', NOW)).toBeUndefined();
    expect(expiryInstant('days30', '', NOW)).toBe('2027-02-14T12:00:00.000Z');
    expect(expiryInstant('year', '', NOW)).toBe('2028-01-15T12:00:00.000Z');
  });

  it('is the end of a chosen day', () => {
    const end = expiryInstant('date', '2027-03-01', NOW)!;
    expect(new Date(end).getHours()).toBe(23);
    expect(Date.parse(end)).toBeGreaterThan(Date.parse('2027-02-28T12:00:00Z'));
  });

  it('refuses days that are over, or none', () => {
    expect(expiryInstant('date', '2027-01-10', NOW)).toBeNull();
    expect(expiryInstant('date', '', NOW)).toBeNull();
  });
});
