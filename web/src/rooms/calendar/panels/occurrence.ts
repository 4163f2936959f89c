// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { listEntries, type Entry } from '../../../api/entries';
import { homeZone } from '../../../shell/session';
import { addDays } from '../days';
import { todayIn } from '../times';

const DAYS_AHEAD = 366;

/** Where an entry is found: a day, and for a series which of it. The next one counts; when all are over, the last. */
export async function findOccurrence(entry: Entry): Promise<{ day: string; occurrence: string | null }> {
  if (!entry.recurrence) {
    return { day: entry.startDate, occurrence: null };
  }
  const today = todayIn(homeZone.value);
  const last = entry.recurrence.last?.slice(0, 10);
  const isOver = last !== undefined && last < today;
  const from = isOver ? last : entry.startDate > today ? entry.startDate : today;
  const found = await listEntries({
    calendarIds: [entry.calendarId], from: isOver ? addDays(from, -1) : from, to: addDays(from, isOver ? 1 : DAYS_AHEAD), timeZone: homeZone.value,
  });
  const one = found.find((other) => other.id === entry.id);
  return { day: one?.startDate ?? entry.startDate, occurrence: one?.occurrence ?? null };
}
