// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { storeFacts } from './facts';

const told = {
  size: 'size',
  rows: 'rows',
  commits: 'commits',
  cacheHits: 'hits',
  writable: 'writable',
  yes: 'yes',
  no: 'no',
};
const figures = (values: Record<string, number>) => ({
  folder: '',
  statistics: Object.entries(values).map(([name, value]) => ({ name, help: '', value })),
});

describe('figures of the store', () => {
  it('are told in a few facts', () => {
    expect(
      storeFacts(
        figures({
          table_bytes_total: 1_000_000,
          memtable_bytes: 500_000,
          estimated_rows: 1234,
          commits_total: 9,
          recent_rows_hits_total: 90,
          block_cache_hits_total: 5,
          block_cache_misses_total: 5,
          background_error: 0,
        }),
        told,
        'en',
      ),
    ).toEqual([
      ['size', '1.5 MB'],
      ['rows', '1,234'],
      ['commits', '9'],
      ['hits', '95%'],
      ['writable', 'yes'],
    ]);
  });

  it('say when nothing can be written', () => {
    expect(storeFacts(figures({ background_error: 1 }), told, 'en')).toEqual([['writable', 'no']]);
  });
});
