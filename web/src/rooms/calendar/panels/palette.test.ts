// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { contrast, PALETTE, PALETTE_NAMES, paletteNameOf, unusedColor } from './palette';

describe('the palette', () => {
  it.each(PALETTE_NAMES)('has white text readable on %s', (name) => {
    expect(contrast(PALETTE[name], '#ffffff')).toBeGreaterThanOrEqual(4.5);
  });

  it.each(PALETTE_NAMES)('has %s stand out on the dark surface', (name) => {
    expect(contrast(PALETTE[name], '#1e2128')).toBeGreaterThanOrEqual(3);
  });

  it('knows its own colours however they are written', () => {
    expect(paletteNameOf('#D62C26')).toBe('red');
    expect(paletteNameOf('#123456')).toBeNull();
  });

  it('offers a colour that is not taken, or else a rare one', () => {
    expect(unusedColor([])).toBe(PALETTE.red);
    expect(unusedColor([PALETTE.red.toUpperCase(), PALETTE.amber])).toBe(PALETTE.orange);
    const all = Object.values(PALETTE);
    expect(unusedColor([...all, ...all.filter((color) => color !== PALETTE.teal)])).toBe(PALETTE.teal);
  });
});

describe('contrast', () => {
  it('is 21 between black and white, 1 between the same', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#808080', '#808080')).toBe(1);
  });
});
