// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { textOf } from './text';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('text', () => {
  it('is UTF-8', () => {
    expect(textOf(bytes('Grüße'), false)).toBe('Grüße');
  });

  it('is not what holds zeros', () => {
    expect(textOf(new Uint8Array([0x50, 0x4b, 0, 4]), false)).toBeNull();
  });

  it('that was cut ends with a whole letter', () => {
    expect(textOf(bytes('aü').slice(0, 2), true)).toBe('a');
    expect(textOf(bytes('a😀').slice(0, 4), true)).toBe('a');
  });
});
