// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { backupHealth, diskHealth } from './health';

const NOW = Date.parse('2027-01-15T08:00:00Z');
const madeDaysAgo = (days: number) => ({
  configured: true, problem: '', latest: { number: 1, bytes: 5, made_at: new Date(NOW - days * 86_400_000).toISOString() },
});

describe('health', () => {
  it('of the disk is what is left', () => {
    expect(diskHealth({ free_bytes: 50, total_bytes: 100 })).toBe('good');
    expect(diskHealth({ free_bytes: 9, total_bytes: 100 })).toBe('warn');
    expect(diskHealth({ free_bytes: 1, total_bytes: 100 })).toBe('bad');
    expect(diskHealth({ free_bytes: 0, total_bytes: 0 })).toBe('good');
  });

  it('of backups is their age', () => {
    expect(backupHealth(madeDaysAgo(1), NOW)).toBe('good');
    expect(backupHealth(madeDaysAgo(3), NOW)).toBe('warn');
    expect(backupHealth(madeDaysAgo(8), NOW)).toBe('bad');
  });

  it('of backups is bad when there is none where one should be', () => {
    expect(backupHealth({ configured: true, problem: '' }, NOW)).toBe('bad');
    expect(backupHealth({ ...madeDaysAgo(1), problem: 'no such folder' }, NOW)).toBe('bad');
    expect(backupHealth({ configured: false, problem: '' }, NOW)).toBe('warn');
  });
});
