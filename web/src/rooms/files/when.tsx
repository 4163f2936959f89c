// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { homeZone } from '../../shell/session';
import { language } from '../../words';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Formats {
  relative: Intl.RelativeTimeFormat;
  day: Intl.DateTimeFormat;
  time: Intl.DateTimeFormat;
  date: Intl.DateTimeFormat;
  moment: Intl.DateTimeFormat;
}

// Making one takes as long as using it a hundred times, and a list of files uses many.
const made = new Map<string, Formats>();

function formatsOf(tongue: string, zone: string): Formats {
  const key = `${tongue} ${zone}`;
  const known = made.get(key);
  if (known !== undefined) {
    return known;
  }
  const formats: Formats = {
    relative: new Intl.RelativeTimeFormat(tongue, { numeric: 'auto' }),
    day: new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }),
    time: new Intl.DateTimeFormat(tongue, { timeZone: zone, timeStyle: 'short' }),
    date: new Intl.DateTimeFormat(tongue, { timeZone: zone, dateStyle: 'medium' }),
    moment: new Intl.DateTimeFormat(tongue, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }),
  };
  made.set(key, formats);
  return formats;
}

/** "5 minutes ago", "today, 14:05", "12 Mar 2025": what is near in time is told nearer. */
export function renderWhen(at: number, now: number, tongue: string, zone: string): string {
  const { relative, day, time, date } = formatsOf(tongue, zone);
  const ago = now - at;
  if (ago >= 0 && ago < MINUTE) return relative.format(0, 'second');
  if (ago >= 0 && ago < HOUR) return relative.format(-Math.floor(ago / MINUTE), 'minute');
  if (Math.abs(ago) < 2 * DAY) {
    const found = [0, 1].find((days) => day.format(at) === day.format(now - days * DAY));
    if (found !== undefined) return `${relative.format(-found, 'day')}, ${time.format(at)}`;
  }
  return date.format(at);
}

/** Date and time, as exactly as anybody needs it. */
export function renderMoment(at: number): string {
  return formatsOf(language.value, homeZone.value).moment.format(at);
}

/** A time near to how people say it; the exact one is its title. `at` in milliseconds. */
export function When({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()} title={renderMoment(at)}>{renderWhen(at, Date.now(), language.value, homeZone.value)}</time>;
}
