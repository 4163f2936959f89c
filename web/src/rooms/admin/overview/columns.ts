// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Point, Series } from '../../../api/admin';

/** Points on the grid of their time: where nothing was measured stands null, so that a chart shows the gap. */
export interface Columns {
  /** In seconds. */
  times: number[];
  points: (Point | null)[];
}

export function columnsOf(series: Series): Columns {
  const step = series.step_s;
  const known = new Map(series.points.map((point) => [Date.parse(point.at) / 1000, point]));
  const first = Math.floor(Date.parse(series.from) / 1000 / step) * step;
  const end = Date.parse(series.to) / 1000;
  const times: number[] = [];
  for (let time = first; time <= end; time += step) {
    times.push(time);
  }
  return { times, points: times.map((time) => known.get(time) ?? null) };
}

/** How much of it there was in each minute that was measured. */
export const perMinute = (amount: number, point: Point): number | null =>
  point.seconds > 0 ? (amount * 60) / point.seconds : null;
export const perSecond = (amount: number, point: Point): number | null =>
  point.seconds > 0 ? amount / point.seconds : null;

export const valuesOf = (columns: Columns, value: (point: Point) => number | null): (number | null)[] =>
  columns.points.map((point) => (point === null ? null : value(point)));

/** A stretch of several points, as a table tells it. */
export interface Stretch {
  /** In milliseconds, the end not included. */
  from: number;
  until: number;
  requests: number;
  errors: number;
  bytes_in: number;
  bytes_out: number;
  store_bytes: number;
  blob_bytes: number;
  sessions: number;
}

/** The same in few rows, newest first. Stretches in which nothing was measured are left out. */
export function stretchesOf(columns: Columns, stepSeconds: number, rowsMax: number): Stretch[] {
  const together = Math.max(1, Math.ceil(columns.times.length / rowsMax));
  const stretches: Stretch[] = [];
  for (let start = 0; start < columns.times.length; start += together) {
    const points = columns.points.slice(start, start + together).filter((point): point is Point => point !== null);
    if (points.length > 0) {
      const from = columns.times[start]! * 1000;
      const count = Math.min(together, columns.times.length - start);
      stretches.unshift({ from, until: from + count * stepSeconds * 1000, ...sumOf(points) });
    }
  }
  return stretches;
}

function sumOf(points: readonly Point[]): Omit<Stretch, 'from' | 'until'> {
  const sum = (value: (point: Point) => number) => points.reduce((total, point) => total + value(point), 0);
  const last = points[points.length - 1]!;
  return {
    requests: sum((point) => point.requests),
    errors: sum((point) => point.errors),
    bytes_in: sum((point) => point.bytes_in),
    bytes_out: sum((point) => point.bytes_out),
    store_bytes: last.store_bytes,
    blob_bytes: last.blob_bytes,
    sessions: Math.max(...points.map((point) => point.sessions)),
  };
}
