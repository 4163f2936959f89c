// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { followTyping, lineEndsOf, shownIn } from './lineEnds';

describe('the ends of lines', () => {
  it('are told apart', () => {
    expect(lineEndsOf('one line')).toBe('none');
    expect(lineEndsOf('a\nb\n')).toBe('LF');
    expect(lineEndsOf('a\r\nb')).toBe('CRLF');
    expect(lineEndsOf('a\rb')).toBe('CR');
    expect(lineEndsOf('a\r\nb\nc')).toBe('mixed');
  });

  it('stay as they are when nothing is typed', () => {
    for (const text of ['', 'a', 'a\r\nb\r\n', 'a\rb\nc\r\nd\r\r\n\n']) {
      expect(followTyping(text, shownIn(text))).toBe(text);
    }
  });

  it('of new lines are those of most others', () => {
    expect(followTyping('a\r\nb\r\n', 'a\nx\ny\nb\n')).toBe('a\r\nx\r\ny\r\nb\r\n');
    expect(followTyping('a\nb', 'a\nb\nc')).toBe('a\nb\nc');
    expect(followTyping('', 'a\nb')).toBe('a\nb');
    expect(followTyping('a\r\nb\r\nc\nd', 'a\nb\nx\nc\nd')).toBe('a\r\nb\r\nx\r\nc\nd');
  });

  it('of other lines stay where something is typed, taken away or pasted over', () => {
    const mixed = 'one\ntwo\r\nthree\rfour\r\n';
    expect(followTyping(mixed, 'one\ntwo!\nthree\nfour\n')).toBe('one\ntwo!\r\nthree\rfour\r\n');
    expect(followTyping(mixed, 'one\nthree\nfour\n')).toBe('one\nthree\rfour\r\n');
    expect(followTyping(mixed, 'onefour\n')).toBe('onefour\r\n');
    expect(followTyping(mixed, 'one\nX\nY\nfour\n')).toBe('one\nX\r\nY\rfour\r\n');
    expect(followTyping(mixed, '')).toBe('');
  });
});
