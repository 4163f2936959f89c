// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { homeZone } from '../../shell/session';
import { language } from '../../words';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const dayIn = (at: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at);

/** "5 minutes ago", "today, 14:05", "12 Mar 2025": what is near in time is told nearer. */
export function renderWhen(at: number, now: number, tongue: string, zone: string): string {
  const ago = now - at;
  const relative = new Intl.RelativeTimeFormat(tongue, { numeric: 'auto' });
  if (ago >= 0 && ago < MINUTE) return relative.format(0, 'second');
  if (ago >= 0 && ago < HOUR) return relative.format(-Math.floor(ago / MINUTE), 'minute');
  const time = new Intl.DateTimeFormat(tongue, { timeZone: zone, timeStyle: 'short' });
  for (const days of [0, 1]) {
    if (dayIn(at, zone) === dayIn(now - days * 24 * HOUR, zone)) {
      return `${relative.format(-days, 'day')}, ${time.format(at)}`;
    }
  }
  return new Intl.DateTimeFormat(tongue, { timeZone: zone, dateStyle: 'medium' }).format(at);
}

/** Date and time, as exactly as anybody needs it. */
export const renderMoment = (at: number): string =>
  new Intl.DateTimeFormat(language.value, { timeZone: homeZone.value, dateStyle: 'medium', timeStyle: 'short' }).format(at);

/** A time near to how people say it; the exact one is its title. `at` in milliseconds. */
export function When({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()} title={renderMoment(at)}>{renderWhen(at, Date.now(), language.value, homeZone.value)}</time>;
}
