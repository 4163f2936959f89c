// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import type { ChartProps } from './chart';

const HEIGHT = 180;
const DAY_S = 86_400;
const FEW = 12;
const WHOLE_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

export interface Plot {
  /** Draws what the owner shows now. */
  update: () => void;
  /** The same in the colours of another theme. */
  repaint: () => void;
  end: () => void;
}

interface Place {
  locale: string;
  zone: string;
}

const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** What stands below the chart: times within days, days within months, months beyond. */
function renderTimes(splits: number[], step: number, { locale, zone }: Place): string[] {
  const options: Intl.DateTimeFormatOptions =
    step >= 28 * DAY_S
      ? { month: 'short', year: '2-digit' }
      : step >= DAY_S
        ? { day: 'numeric', month: 'short' }
        : { hour: '2-digit', minute: '2-digit' };
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  return splits.map((split) => format.format(split * 1000));
}

function axes(props: () => ChartProps, place: Place): UPlot.Axis[] {
  const look = { stroke: () => colour('text-2'), font: '12px system-ui, sans-serif' };
  const line = { stroke: () => colour('line'), width: 1 };
  return [
    {
      ...look,
      grid: { show: false },
      ticks: line,
      size: 36,
      space: 76,
      values: (_plot, splits, _axis, _space, step) => renderTimes(splits, step, place),
    },
    {
      ...look,
      grid: line,
      ticks: { show: false },
      size: 76,
      ...(props().whole && { incrs: WHOLE_STEPS }),
      values: (_plot, splits) => splits.map((split) => props().render(split)),
    },
  ];
}

function options(props: () => ChartProps, place: Place, width: number): UPlot.Options {
  const moment = new Intl.DateTimeFormat(place.locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: place.zone,
  });
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), place.zone),
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
    axes: axes(props, place),
    series: [
      { label: '', value: (_plot, time) => (time === null || time === undefined ? '' : moment.format(time * 1000)) },
      ...props().lines.map((line): UPlot.Series => ({
        label: line.label,
        stroke: () => colour(line.tone),
        width: 2,
        // A line needs two points; a few alone would not be seen.
        points: { show: () => line.values.filter((value) => value !== null).length <= FEW, size: 5 },
        value: (_plot, value) => (value === null || value === undefined ? '–' : props().render(value)),
      })),
    ],
  };
}

const rowsOf = (props: ChartProps): UPlot.AlignedData => [props.times, ...props.lines.map((line) => line.values)];

/** Draws the chart into `inside`, as wide as that is. */
export function drawPlot(inside: HTMLElement, props: () => ChartProps, place: Place): Plot {
  const plot = new UPlot(options(props, place, Math.max(inside.clientWidth, 200)), rowsOf(props()), inside);
  const watcher = new ResizeObserver(() => {
    if (inside.clientWidth > 0 && inside.clientWidth !== plot.width) {
      plot.setSize({ width: inside.clientWidth, height: HEIGHT });
    }
  });
  watcher.observe(inside);
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const repaint = () => plot.redraw(false);
  dark.addEventListener('change', repaint);
  return {
    update: () => plot.setData(rowsOf(props())),
    repaint,
    end: () => {
      watcher.disconnect();
      dark.removeEventListener('change', repaint);
      plot.destroy();
    },
  };
}
