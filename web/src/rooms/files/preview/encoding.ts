// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** How the letters of a text are bytes. Each of these comes back as it was: what is read and written again is the same. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface DecodedText {
  text: string;
  /** Null: nobody knows which. The text is shown as far as it goes, and must not be written back. */
  encoding: Encoding | null;
}

const BOM = '\uFEFF';
const MARKS: readonly { encoding: Encoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8-bom', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];
// What Windows-1252 has where Latin-1 has control characters. At five places it has nothing: the sign of another encoding.
const WESTERN = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
const LETTERS = Array.from({ length: 256 }, (_, byte) => (byte >= 0x80 && byte <= 0x9f ? WESTERN[byte - 0x80]! : String.fromCharCode(byte)));
const LETTER_BYTES = new Map(LETTERS.map((letter, byte) => [letter, byte]));

/** The text of a file, or of its beginning when it was cut; null: these are not the bytes of a text. */
export function decode(bytes: Uint8Array, isCut: boolean): DecodedText | null {
  const mark = MARKS.find((one) => one.bytes.every((byte, index) => bytes[index] === byte));
  const encoding = mark?.encoding ?? 'utf-8';
  const content = bytes.subarray(mark?.bytes.length ?? 0);
  const exact = exactly(content, encoding, isCut);
  if (exact !== null) {
    return withoutZeros({ text: exact, encoding });
  }
  const western = mark === undefined ? Array.from(bytes, (byte) => LETTERS[byte]!).join('') : '\0';
  return western.includes('\0')
    ? withoutZeros({ text: new TextDecoder(unicodeOf(encoding)).decode(content), encoding: null })
    : { text: western, encoding: 'windows-1252' };
}

// No text holds zeros.
const withoutZeros = (read: DecodedText): DecodedText | null => (read.text.includes('\0') ? null : read);

const unicodeOf = (encoding: Encoding): string => encoding.replace('-bom', '');

/** Null where the bytes break the rules of the encoding. */
function exactly(bytes: Uint8Array, encoding: Encoding, isCut: boolean): string | null {
  try {
    // A letter may have been cut in the middle, and waits for its rest then.
    return new TextDecoder(unicodeOf(encoding), { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

/** The bytes of a text; or the characters, each once, that the encoding cannot hold. */
export type Encoded = { bytes: Uint8Array } | { unfit: string[] };

export function encode(text: string, encoding: Encoding): Encoded {
  const unfit = [...new Set([...text].filter((character) => !fits(character, encoding)))];
  return unfit.length > 0 ? { unfit } : { bytes: bytesOf(text, encoding) };
}

function fits(character: string, encoding: Encoding): boolean {
  // Half of a pair is no character in any encoding, and what holds a zero is no text any more.
  const isHalf = character.length === 1 && character >= '\uD800' && character <= '\uDFFF';
  return !isHalf && character !== '\0' && (encoding !== 'windows-1252' || LETTER_BYTES.has(character));
}

function bytesOf(text: string, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case 'utf-8':
      return new TextEncoder().encode(text);
    case 'utf-8-bom':
      return new TextEncoder().encode(BOM + text);
    case 'windows-1252':
      return Uint8Array.from(text, (character) => LETTER_BYTES.get(character)!);
    case 'utf-16le':
    case 'utf-16be': {
      const bytes = new DataView(new ArrayBuffer(2 * (text.length + 1)));
      (BOM + text).split('').forEach((unit, index) => bytes.setUint16(2 * index, unit.charCodeAt(0), encoding === 'utf-16le'));
      return new Uint8Array(bytes.buffer);
    }
  }
}
