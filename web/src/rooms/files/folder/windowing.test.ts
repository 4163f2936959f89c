// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { spanOf } from './windowing';

const rowHeight = 40;

describe('the rows to be drawn', () => {
  it('are all of a short list', () => {
    expect(spanOf({ count: 5, rowHeight, above: 0, height: 800 })).toEqual({ from: 0, to: 5 });
  });

  it('are those in sight of a long one, and some around them', () => {
    expect(spanOf({ count: 10_000, rowHeight, above: 40_000, height: 800 })).toEqual({ from: 988, to: 1032 });
  });

  it('end with the list', () => {
    expect(spanOf({ count: 100, rowHeight, above: 3900, height: 800 })).toEqual({ from: 85, to: 100 });
    expect(spanOf({ count: 3, rowHeight, above: 9000, height: 800 })).toEqual({ from: 3, to: 3 });
    expect(spanOf({ count: 0, rowHeight, above: 0, height: 800 })).toEqual({ from: 0, to: 0 });
  });
});
