// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** "1.4 MB", as people of that language write it. */
export function renderBytes(bytes: number, language: string): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return formatOf(language, unit, value < 10 && unit > 0 ? 1 : 0).format(value);
}

// Making one takes as long as using it a hundred times, and a list of files uses many.
const made = new Map<string, Intl.NumberFormat>();

function formatOf(language: string, unit: number, digits: number): Intl.NumberFormat {
  const key = `${language} ${unit} ${digits}`;
  const format = made.get(key) ?? new Intl.NumberFormat(language, {
    style: 'unit', unit: UNITS[unit]!, unitDisplay: unit === 0 ? 'long' : 'short', maximumFractionDigits: digits,
  });
  made.set(key, format);
  return format;
}
