// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [['minute', 60], ['hour', 3600], ['day', 86_400]];
const DAYS_TOLD = 7;

/** "3 minutes ago", "yesterday", "in 2 hours"; further away the date: "on" is left to whoever writes the sentence. */
export function renderAgo(moment: string, language: string, now: number = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1000;
  if (Math.abs(seconds) > DAYS_TOLD * 86_400) {
    return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(moment));
  }
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (Math.abs(seconds) < 45) {
    return words.format(0, 'second');
  }
  const [unit, length] = [...STEPS].reverse().find(([, step]) => Math.abs(seconds) >= step) ?? STEPS[0]!;
  return words.format(Math.round(seconds / length), unit);
}

/** "2 Mar 2026, 09:15", as the clocks of the zone have it. */
export const renderMoment = (moment: string, language: string, zone: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(new Date(moment));

const KEPT_DAYS = 30;

/** How many days are left before something that was deleted then is gone; 0 on the last one. */
export const daysLeft = (deletedAt: string, now: number = Date.now()): number =>
  Math.max(0, Math.ceil((Date.parse(deletedAt) + KEPT_DAYS * 86_400_000 - now) / 86_400_000));
