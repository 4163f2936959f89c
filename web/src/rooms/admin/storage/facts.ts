// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { StoreFigures } from '../../../api/admin';
import { renderBytes } from '../../../ui/sizes';

interface FactWords {
  size: string;
  rows: string;
  commits: string;
  cacheHits: string;
  writable: string;
  yes: string;
  no: string;
}

/** The few figures of the store that say how it is. Those that an engine does not have are left out. */
export function storeFacts(figures: StoreFigures, told: FactWords, language: string): [string, string][] {
  const values = new Map(figures.statistics.map((one) => [one.name, one.value]));
  const count = (value: number) => new Intl.NumberFormat(language).format(value);
  const facts: [string, string][] = [];
  const tables = values.get('table_bytes_total');
  if (tables !== undefined) {
    facts.push([told.size, renderBytes(tables + (values.get('memtable_bytes') ?? 0), language)]);
  }
  const rows = values.get('estimated_rows');
  if (rows !== undefined) {
    facts.push([told.rows, count(rows)]);
  }
  const commits = values.get('commits_total');
  if (commits !== undefined) {
    facts.push([told.commits, count(commits)]);
  }
  const hits = (values.get('recent_rows_hits_total') ?? 0) + (values.get('block_cache_hits_total') ?? 0);
  const asked = hits + (values.get('block_cache_misses_total') ?? 0);
  if (asked > 0) {
    facts.push([told.cacheHits, new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(hits / asked)]);
  }
  const broken = values.get('background_error');
  if (broken !== undefined) {
    facts.push([told.writable, broken > 0 ? told.no : told.yes]);
  }
  return facts;
}
