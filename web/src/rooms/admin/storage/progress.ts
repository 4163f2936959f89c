// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Task } from '../../../api/admin';
import { renderBytes } from '../../../ui/sizes';

/** 0 to 100; null while nobody knows how much there is. */
export function percentOf({ done, total }: Task['progress']): number | null {
  return total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : null;
}

/** How far it is, in amounts: "1.2 GB of 4 GB"; empty while there is nothing to tell. */
export function amountOf(
  progress: Task['progress'],
  language: string,
  words: { of: (done: string, total: string) => string; rows: (count: number) => string },
): string {
  if (progress.words !== '' || progress.done === 0) {
    return progress.words;
  }
  const write = (amount: number) =>
    progress.unit === 'bytes' ? renderBytes(amount, language) : new Intl.NumberFormat(language).format(amount);
  const whole = (amount: number) => (progress.unit === 'rows' ? words.rows(amount) : write(amount));
  return progress.total > 0 ? words.of(write(progress.done), whole(progress.total)) : whole(progress.done);
}
