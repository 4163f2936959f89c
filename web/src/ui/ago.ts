// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000], ['month', 2_592_000], ['week', 604_800], ['day', 86_400], ['hour', 3600], ['minute', 60],
];

/** "5 minutes ago", "yesterday", as people of that language say it. Clocks differ a little: the future is now. */
export function renderAgo(instant: string, language: string, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(instant)) / 1000);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of STEPS) {
    if (seconds >= length) {
      return format.format(-Math.floor(seconds / length), unit);
    }
  }
  return format.format(0, 'second');
}

/** "17 Nov 2026" */
export const renderDay = (instant: string, language: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone }).format(new Date(instant));
