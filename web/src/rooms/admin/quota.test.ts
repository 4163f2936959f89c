// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { quotaBytes, quotaFields } from './quota';

describe('a quota', () => {
  it('is shown in the unit that fits', () => {
    expect(quotaFields(null)).toEqual({ amount: '', unit: 'GB' });
    expect(quotaFields(0)).toEqual({ amount: '0', unit: 'MB' });
    expect(quotaFields(500_000_000)).toEqual({ amount: '500', unit: 'MB' });
    expect(quotaFields(2_500_000_000)).toEqual({ amount: '2.5', unit: 'GB' });
    expect(quotaFields(3e12)).toEqual({ amount: '3', unit: 'TB' });
  });

  it('is read back as it was shown', () => {
    for (const bytes of [0, 1_000_000, 123_456_789, 5e9, 7.25e12]) {
      expect(quotaBytes(quotaFields(bytes))).toBe(bytes);
    }
  });

  it('is none when nothing is typed, and wrong when it is no number', () => {
    expect(quotaBytes({ amount: ' ', unit: 'GB' })).toBeNull();
    expect(quotaBytes({ amount: '1,5', unit: 'GB' })).toBe(1_500_000_000);
    expect(quotaBytes({ amount: '-1', unit: 'GB' })).toBeUndefined();
    expect(quotaBytes({ amount: 'much', unit: 'GB' })).toBeUndefined();
  });
});
