// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from 'vitest';

import type { Content, Target } from './item';
import { StoredLedger } from './ledger';

const target = (name: string): Target => ({ library: 'l', folder: '/', relative: '', name, replace: false });
const content = (size: number, lastModified: number): Content => ({ size, lastModified, slice: () => new Blob() });

describe('the ledger', () => {
  beforeEach(() => localStorage.clear());

  it('knows a file again, and no other of its name', () => {
    new StoredLedger().begin(target('a'), content(5, 1));
    const ledger = new StoredLedger();
    expect(ledger.knows(target('a'), content(5, 1))).toBe(true);
    expect(ledger.knows(target('a'), content(5, 2))).toBe(false);
    expect(ledger.knows(target('b'), content(5, 1))).toBe(false);
  });

  it('forgets what has ended', () => {
    const ledger = new StoredLedger();
    ledger.begin(target('a'), content(5, 1));
    ledger.end(target('a'));
    expect(ledger.knows(target('a'), content(5, 1))).toBe(false);
  });

  it('keeps the newest ones only', () => {
    const ledger = new StoredLedger();
    for (let number = 0; number < 70; number += 1) {
      ledger.begin(target(String(number)), content(5, 1));
    }
    expect(ledger.knows(target('0'), content(5, 1))).toBe(false);
    expect(ledger.knows(target('69'), content(5, 1))).toBe(true);
  });

  it('survives what is broken', () => {
    localStorage.setItem('atrium.files.unfinished', '{');
    expect(new StoredLedger().knows(target('a'), content(5, 1))).toBe(false);
  });
});
