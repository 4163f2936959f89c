// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Overview } from '../../../api/admin';

export type Health = 'good' | 'warn' | 'bad';

const DAY_MS = 86_400_000;

/** Below a tenth it is time to think of it, below a fiftieth the server will soon refuse to write. */
export function diskHealth({ free_bytes, total_bytes }: Overview['disk']): Health {
  const free = total_bytes > 0 ? free_bytes / total_bytes : 1;
  return free < 0.02 ? 'bad' : free < 0.1 ? 'warn' : 'good';
}

/** A backup is made each night: two nights without one are worth a look, a week is not a backup any more. */
export function backupHealth(backup: Overview['backup'], now: number): Health {
  if (!backup.configured) {
    return 'warn';
  }
  if (backup.problem !== '' || backup.latest === undefined) {
    return 'bad';
  }
  const age = now - Date.parse(backup.latest.made_at);
  return age > 7 * DAY_MS ? 'bad' : age > 2 * DAY_MS ? 'warn' : 'good';
}
