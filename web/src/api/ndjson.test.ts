// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { JsonLines } from './ndjson';

describe('lines of JSON', () => {
  it('are put together from pieces that end anywhere', () => {
    const lines = new JsonLines<{ done: number }>();
    expect(lines.take('{"do')).toEqual([]);
    expect(lines.take('ne":1}\n{"done":2}\n{"d')).toEqual([{ done: 1 }, { done: 2 }]);
    expect(lines.take('one":3}\n')).toEqual([{ done: 3 }]);
    expect(lines.end()).toEqual([]);
  });

  it('need no line break after the last one', () => {
    const lines = new JsonLines<{ done: number }>();
    expect(lines.take('{"done":1}')).toEqual([]);
    expect(lines.end()).toEqual([{ done: 1 }]);
  });

  it('may be empty', () => {
    expect(new JsonLines().take('\n\r\n\n')).toEqual([]);
  });

  it('that are cut off are told', () => {
    const lines = new JsonLines();
    lines.take('{"added":1');
    expect(() => lines.end()).toThrow(SyntaxError);
  });
});
