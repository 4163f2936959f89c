// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** What the server says of a schedule, taken apart so that it can be told in any language. */
export type Schedule =
  | { kind: 'every'; seconds: number }
  /** UTC. */
  | { kind: 'daily'; hour: number; minute: number }
  | { kind: 'asked' }
  | { kind: 'other'; text: string };

export function readSchedule(text: string): Schedule {
  const every = /^every (\d+) s$/.exec(text);
  if (every) {
    return { kind: 'every', seconds: Number(every[1]) };
  }
  const daily = /^daily at (\d\d):(\d\d) UTC$/.exec(text);
  if (daily) {
    return { kind: 'daily', hour: Number(daily[1]), minute: Number(daily[2]) };
  }
  return text === 'when asked for' ? { kind: 'asked' } : { kind: 'other', text };
}

/** One of something: people say "every hour", not "every 1 hour". */
export function singleUnit(seconds: number): 'day' | 'hour' | 'minute' | null {
  return seconds === 86_400 ? 'day' : seconds === 3600 ? 'hour' : seconds === 60 ? 'minute' : null;
}

/** "1 hour", "90 minutes", as people of that language say it: in the largest unit that is whole. */
export function renderDuration(seconds: number, language: string): string {
  const units = [['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]] as const;
  const [unit, length] = units.find(([, one]) => seconds >= one && seconds % one === 0) ?? units[3];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}

/** "45 ms", "12.3 s", "4 min 5 s" */
export function renderRunTime(milliseconds: number, language: string): string {
  const write = (value: number, unit: string, digits: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(value);
  if (milliseconds < 1000) {
    return write(milliseconds, 'millisecond', 0);
  }
  const seconds = milliseconds / 1000;
  if (seconds < 60) {
    return write(seconds, 'second', 1);
  }
  return `${write(Math.floor(seconds / 60), 'minute', 0)} ${write(Math.floor(seconds % 60), 'second', 0)}`;
}
