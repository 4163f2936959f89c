// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { loadEntry, type Entry } from '../../../api/entries';

/** An entry that the sheet is about, as the server had it. */
export interface Opened {
  /** The occurrence, of a series. */
  entry: Entry;
  /** The entry itself; for what comes once, the same. */
  series: Entry;
  /** Under which it can be changed. */
  etag: string | null;
}

/**
 * Loads what was chosen. A link that names an occurrence of what comes only once by now, or none of what repeats, leads
 * to the entry, or to its first occurrence.
 */
export async function open(id: string, occurrence: string | null, signal?: AbortSignal): Promise<Opened> {
  const { entry: series, etag } = await loadEntry(id, null, signal);
  if (!series.recurrence) {
    return { entry: series, series, etag };
  }
  const at = occurrence ?? `${series.startDate}T${series.startTime ?? '00:00'}`;
  const one = await loadEntry(id, at, signal);
  return { entry: { ...one.entry, occurrence: one.entry.occurrence ?? at }, series, etag };
}
