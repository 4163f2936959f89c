// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** The colours offered for calendars: white text is readable on all of them, and they stand out on light and dark ground. */
export const PALETTE = {
  red: '#d62c26',
  orange: '#b95115',
  amber: '#95670c',
  olive: '#657819',
  green: '#208048',
  teal: '#127d79',
  sky: '#1377ac',
  blue: '#2d6bdd',
  indigo: '#6a60d5',
  violet: '#974dcb',
  pink: '#cb307d',
  grey: '#657181',
} as const;

export type PaletteName = keyof typeof PALETTE;
export const PALETTE_NAMES = Object.keys(PALETTE) as PaletteName[];

/** The colour of the palette that this is, if it is one. */
export const paletteNameOf = (color: string): PaletteName | null =>
  PALETTE_NAMES.find((name) => PALETTE[name] === color.toLowerCase()) ?? null;

/** The first colour that none of the others has; with all of them taken, the one that the fewest have. */
export function unusedColor(taken: readonly string[]): string {
  const uses = new Map<string, number>(PALETTE_NAMES.map((name) => [PALETTE[name], 0]));
  taken.map((color) => color.toLowerCase()).filter((color) => uses.has(color))
    .forEach((color) => uses.set(color, uses.get(color)! + 1));
  const fewest = Math.min(...uses.values());
  return [...uses].find(([, count]) => count === fewest)![0];
}

/** The ratio of WCAG 2 between two colours written as #rrggbb: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(color.slice(at, at + 2), 16) / 255)) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const linear = (part: number): number => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
