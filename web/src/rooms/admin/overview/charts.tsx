// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { loadSeries, type Series } from '../../../api/admin';
import { homeZone } from '../../../shell/session';
import { useLoaded } from '../../../ui/loaded';
import { renderBytes } from '../../../ui/sizes';
import { locale, words } from '../../../words';
import { Shown, renderCount, useRefreshing } from '../parts';
import { Chart, type Line } from './chart';
import { columnsOf, perMinute, perSecond, stretchesOf, valuesOf, type Columns } from './columns';

const RANGES = { day: 1, week: 7, month: 30, year: 365 } as const;
type Range = keyof typeof RANGES;

const REFRESH_MS = 60_000;
const ROWS_MAX = 31;

/** Traffic and storage over time. */
export function Charts() {
  const told = words.value.admin.charts;
  const [range, setRange] = useState<Range>('day');
  const series = useLoaded(
    (signal) => loadSeries(new Date(Date.now() - RANGES[range] * 86_400_000).toISOString(), signal),
    [range],
  );
  useRefreshing(series.reload, REFRESH_MS);
  return (
    <section class="admin-charts" aria-labelledby="admin-charts-title">
      <header class="row spread row-wrap">
        <h2 id="admin-charts-title">{told.title}</h2>
        <div class="segments" role="group" aria-label={told.range}>
          {(Object.keys(RANGES) as Range[]).map((one) => (
            <button key={one} type="button" aria-pressed={range === one} onClick={() => setRange(one)}>
              {told.ranges[one]}
            </button>
          ))}
        </div>
      </header>
      <Shown loaded={series} lines={6}>
        {(value) => <Drawn series={value} />}
      </Shown>
    </section>
  );
}

function Drawn({ series }: { series: Series }) {
  const told = words.value.admin.charts;
  const columns = columnsOf(series);
  if (series.points.length === 0) {
    return <p class="card muted">{told.empty}</p>;
  }
  const bytes = (value: number) => renderBytes(value, locale.value);
  const rate = (value: number) => told.perSecond(bytes(value));
  const count = (value: number) =>
    new Intl.NumberFormat(locale.value, { maximumFractionDigits: value < 10 ? 1 : 0, notation: 'compact' }).format(
      value,
    );
  const draw = (title: string, lines: Line[], render: (value: number) => string, whole = false) => (
    <Chart key={title} title={title} times={columns.times} lines={lines} render={render} whole={whole} />
  );
  return (
    <>
      <div class="admin-chart-grid">
        {draw(
          told.requests,
          [
            {
              label: told.requestsPerMinute,
              tone: 'accent',
              values: valuesOf(columns, (point) => perMinute(point.requests, point)),
            },
            {
              label: told.errorsPerMinute,
              tone: 'bad',
              values: valuesOf(columns, (point) => perMinute(point.errors, point)),
            },
          ],
          count,
        )}
        {draw(
          told.traffic,
          [
            {
              label: told.sent,
              tone: 'accent',
              values: valuesOf(columns, (point) => perSecond(point.bytes_out, point)),
            },
            {
              label: told.received,
              tone: 'focus',
              values: valuesOf(columns, (point) => perSecond(point.bytes_in, point)),
            },
          ],
          rate,
        )}
        {draw(
          told.storage,
          [
            { label: told.fileContent, tone: 'accent', values: valuesOf(columns, (point) => point.blob_bytes) },
            { label: told.store, tone: 'focus', values: valuesOf(columns, (point) => point.store_bytes) },
          ],
          bytes,
        )}
        {draw(
          told.people,
          [
            { label: told.sessions, tone: 'accent', values: valuesOf(columns, (point) => point.sessions) },
            { label: told.accounts, tone: 'focus', values: valuesOf(columns, (point) => point.users) },
          ],
          count,
          true,
        )}
      </div>
      <Numbers columns={columns} stepSeconds={series.step_s} />
    </>
  );
}

/** The same for who cannot see charts, or wants numbers. */
function Numbers({ columns, stepSeconds }: { columns: Columns; stepSeconds: number }) {
  const told = words.value.admin.charts;
  const stretches = stretchesOf(columns, stepSeconds, ROWS_MAX);
  const long = stretches.some((one) => one.until - one.from >= 86_400_000);
  const format = new Intl.DateTimeFormat(
    locale.value,
    long
      ? { dateStyle: 'medium', timeZone: homeZone.value }
      : { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone: homeZone.value },
  );
  const bytes = (value: number) => renderBytes(value, locale.value);
  return (
    <details class="admin-numbers">
      <summary>{told.asTable}</summary>
      <div class="table-around" tabIndex={0} role="region" aria-label={told.asTable}>
        <table>
          <thead>
            <tr>
              <th scope="col">{told.from}</th>
              <th scope="col">{told.requests}</th>
              <th scope="col">{told.errors}</th>
              <th scope="col">{told.received}</th>
              <th scope="col">{told.sent}</th>
              <th scope="col">{told.fileContent}</th>
              <th scope="col">{told.store}</th>
              <th scope="col">{told.sessions}</th>
            </tr>
          </thead>
          <tbody>
            {stretches.map((one) => (
              <tr key={one.from}>
                <th scope="row">{format.format(one.from)}</th>
                <td>{renderCount(one.requests)}</td>
                <td>{renderCount(one.errors)}</td>
                <td>{bytes(one.bytes_in)}</td>
                <td>{bytes(one.bytes_out)}</td>
                <td>{bytes(one.blob_bytes)}</td>
                <td>{bytes(one.store_bytes)}</td>
                <td>{renderCount(one.sessions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
