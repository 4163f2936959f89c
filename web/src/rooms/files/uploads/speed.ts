// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

const WINDOW_MS = 8000;
const SHORTEST_MS = 1000;

/** How fast bytes went lately. Times are milliseconds, from any beginning. */
export class Speedometer {
  private samples: { at: number; bytes: number }[] = [];

  /** So many bytes in all have gone at this time. */
  note(at: number, bytes: number): void {
    const last = this.samples.at(-1);
    // What had to be sent again does not count backwards.
    if (last !== undefined && bytes < last.bytes) {
      this.samples = [];
    }
    this.samples.push({ at, bytes });
    while (this.samples.length > 2 && this.samples[1]!.at < at - WINDOW_MS) {
      this.samples.shift();
    }
  }

  /** Bytes per second; null when too little is known. */
  perSecond(now: number): number | null {
    const first = this.samples.find((sample) => sample.at >= now - WINDOW_MS) ?? this.samples.at(-1);
    const last = this.samples.at(-1);
    if (first === undefined || last === undefined || now - first.at < SHORTEST_MS) {
      return null;
    }
    return ((last.bytes - first.bytes) / (now - first.at)) * 1000;
  }

  forget(): void {
    this.samples = [];
  }
}

/** Seconds that the rest will take; null when nobody can tell. */
export function secondsLeft(rest: number, perSecond: number | null): number | null {
  return perSecond === null || perSecond <= 0 ? null : rest / perSecond;
}

/** "3 min", "1 hr 20 min": as much as people want to know. */
export function renderDuration(seconds: number, language: string): string {
  const unit = (value: number, name: 'second' | 'minute' | 'hour') =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  if (seconds < 60) {
    // Up to the next five, so that it does not flicker.
    return unit(Math.max(5, Math.ceil(seconds / 5) * 5), 'second');
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) {
    return unit(minutes, 'minute');
  }
  const rest = minutes % 60;
  return rest === 0 ? unit(minutes / 60, 'hour') : `${unit(Math.floor(minutes / 60), 'hour')} ${unit(rest, 'minute')}`;
}
