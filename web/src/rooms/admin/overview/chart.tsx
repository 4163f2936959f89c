// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';

import { homeZone } from '../../../shell/session';
import { theme } from '../../../shell/theme';
import { locale, words } from '../../../words';
import type { Plot } from './plot';

export interface Line {
  label: string;
  /** A colour of the theme. */
  tone: 'accent' | 'focus' | 'bad';
  values: (number | null)[];
}

export interface ChartProps {
  title: string;
  /** In seconds. */
  times: number[];
  lines: Line[];
  render: (value: number) => string;
  /** There are no halves of it. */
  whole?: boolean;
}

/** Lines over time. What draws them is fetched when the first chart is shown; the numbers stand in a table beside it. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    import('./plot').then(({ drawPlot }) => {
      if (!gone && place.current) {
        plot.current = drawPlot(place.current, () => latest.current, { locale: locale.value, zone: homeZone.value });
      }
    }, () => setFailed(true));
    return () => {
      gone = true;
      plot.current?.end();
      plot.current = null;
    };
  }, [locale.value, homeZone.value, props.title]);
  useEffect(() => plot.current?.update(), [props.times, props.lines]);
  useEffect(() => plot.current?.repaint(), [theme.value]);
  return (
    <figure class="card admin-chart">
      <figcaption>{props.title}</figcaption>
      {failed ? <p class="muted">{words.value.admin.charts.failed}</p> : <div ref={place} class="admin-plot" aria-hidden="true" />}
    </figure>
  );
}
