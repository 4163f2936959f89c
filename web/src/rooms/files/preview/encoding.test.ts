// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { decode, encode, type Encoding } from './encoding';

const bytes = (...all: (number | string)[]): Uint8Array =>
  Uint8Array.from(all.flatMap((one) => (typeof one === 'number' ? [one] : [...new TextEncoder().encode(one)])));

const written = (text: string, encoding: Encoding): number[] => {
  const result = encode(text, encoding);
  return 'bytes' in result ? [...result.bytes] : [];
};

describe('the encoding of a text', () => {
  it.each<[string, Encoding, Uint8Array, string]>([
    ['UTF-8', 'utf-8', bytes('Grüße 😀\r\n'), 'Grüße 😀\r\n'],
    ['nothing at all', 'utf-8', bytes(), ''],
    ['plain ASCII', 'utf-8', bytes('a\nb'), 'a\nb'],
    ['UTF-8 with a mark', 'utf-8-bom', bytes(0xef, 0xbb, 0xbf, 'Grüße'), 'Grüße'],
    ['a mark that comes twice', 'utf-8-bom', bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 'a'), '\uFEFFa'],
    ['UTF-16, small end first', 'utf-16le', bytes(0xff, 0xfe, 0x47, 0, 0xfc, 0, 0x3d, 0xd8, 0x00, 0xde), 'Gü😀'],
    ['UTF-16, big end first', 'utf-16be', bytes(0xfe, 0xff, 0, 0x47, 0, 0xfc, 0xd8, 0x3d, 0xde, 0x00), 'Gü😀'],
    ['Latin-1', 'windows-1252', bytes(0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0d, 0x0a), 'Grüße\r\n'],
    ['Windows-1252 beyond Latin-1', 'windows-1252', bytes(0x80, 0x20, 0x93, 0x61, 0x94), '€ “a”'],
  ])('%s is recognised, and written back byte for byte', (_, encoding, stored, text) => {
    expect(decode(stored, false)).toEqual({ text, encoding });
    expect(written(text, encoding)).toEqual([...stored]);
  });

  it('brings every byte of Windows-1252 back', () => {
    const all = Array.from({ length: 255 }, (_, index) => index + 1).filter((byte) => ![0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte));
    const read = decode(Uint8Array.from(all), false)!;
    expect(read.encoding).toBe('windows-1252');
    expect(written(read.text, 'windows-1252')).toEqual(all);
  });

  it('is unknown where bytes have no letter: such a text is shown, not changed', () => {
    expect(decode(bytes('a', 0x81, 'b'), false)).toEqual({ text: 'a\uFFFDb', encoding: null });
  });

  it('is unknown where a text breaks the rules of its mark', () => {
    expect(decode(bytes(0xef, 0xbb, 0xbf, 'a', 0xff), false)).toEqual({ text: 'a\uFFFD', encoding: null });
    expect(decode(bytes(0xff, 0xfe, 0x41), false)?.encoding).toBeNull();
    expect(decode(bytes(0xff, 0xfe, 0x3d, 0xd8, 0x41, 0), false)?.encoding).toBeNull();
  });

  it('is null for content that holds zeros', () => {
    expect(decode(bytes('PK', 0, 4), false)).toBeNull();
    expect(decode(bytes(0xff, 0xfe, 0, 0, 0x41, 0, 0, 0), false)).toBeNull();
    expect(decode(bytes('ü', 0xff, 0), false)).toBeNull();
  });

  it('of a text that was cut ends with a whole letter', () => {
    expect(decode(bytes('aü').slice(0, 2), true)).toEqual({ text: 'a', encoding: 'utf-8' });
    expect(decode(bytes('a😀').slice(0, 4), true)).toEqual({ text: 'a', encoding: 'utf-8' });
    expect(decode(bytes(0xff, 0xfe, 0x41, 0, 0x42), true)).toEqual({ text: 'A', encoding: 'utf-16le' });
  });

  it('that cannot hold a character says which, and replaces nothing', () => {
    expect(encode('a→b→😀é', 'windows-1252')).toEqual({ unfit: ['→', '😀'] });
    expect(encode('a\uD83D', 'utf-8')).toEqual({ unfit: ['\uD83D'] });
    expect(encode('a\uD83D', 'utf-16le')).toEqual({ unfit: ['\uD83D'] });
    expect(encode('a\u0081', 'windows-1252')).toEqual({ unfit: ['\u0081'] });
  });
});
