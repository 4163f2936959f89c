// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { inGroups } from './codes';
import { hostOf } from './linked';
import { qrPath } from '../../../ui/qr';

describe('qrPath', () => {
  it('draws the three finders and leaves the quiet zone empty', () => {
    const { path, side } = qrPath('otpauth://totp/Atrium:ann%40example.org?secret=ABCDEFGH&issuer=Atrium');
    const rows = path.match(/M\d+ \d+h\d+/g)!.map((run) => run.match(/\d+/g)!.map(Number) as [number, number, number]);
    expect(Math.min(...rows.map(([x]) => x))).toBe(4);
    expect(Math.max(...rows.map(([x, , length]) => x + length))).toBe(side - 4);
    // The top edges of the finders are seven modules long, in both corners of the first row.
    expect(rows.filter(([, y, length]) => y === 4 && length === 7).map(([x]) => x)).toEqual([4, side - 4 - 7]);
  });
});

describe('small texts', () => {
  it('groups a secret for the eye', () => {
    expect(inGroups('ABCDEFGHIJ')).toBe('ABCD EFGH IJ');
    expect(inGroups('ABCD')).toBe('ABCD');
  });

  it('names who runs an account elsewhere', () => {
    expect(hostOf('https://id.example.net/realms/a')).toBe('id.example.net');
    expect(hostOf('not an address')).toBe('not an address');
  });
});
