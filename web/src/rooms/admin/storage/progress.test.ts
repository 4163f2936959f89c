// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { amountOf, percentOf } from './progress';

const told = { of: (done: string, total: string) => `${done} of ${total}`, rows: (count: number) => `${count} rows` };

describe('progress', () => {
  it('is a part of the whole once that is known', () => {
    expect(percentOf({ done: 1, total: 3, unit: 'bytes', words: '' })).toBe(33);
    expect(percentOf({ done: 9, total: 3, unit: 'bytes', words: '' })).toBe(100);
    expect(percentOf({ done: 9, total: 0, unit: 'rows', words: '' })).toBeNull();
  });

  it('is told in amounts', () => {
    expect(amountOf({ done: 1_200_000, total: 4_000_000, unit: 'bytes', words: '' }, 'en', told)).toBe('1.2 MB of 4 MB');
    expect(amountOf({ done: 12_000, total: 0, unit: 'rows', words: '' }, 'en', told)).toBe('12000 rows');
    expect(amountOf({ done: 3, total: 12_000, unit: 'rows', words: '' }, 'en', told)).toBe('3 of 12000 rows');
    expect(amountOf({ done: 0, total: 0, unit: 'bytes', words: '' }, 'en', told)).toBe('');
  });

  it('is told in the words of the task where it has any', () => {
    expect(amountOf({ done: 3, total: 12_000, unit: 'rows', words: '' }, 'en', told)).toBe('3 of 12000 rows');
    expect(amountOf({ done: 0, total: 0, unit: 'bytes', words: '3 libraries' }, 'en', told)).toBe('3 libraries');
  });
});
