// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry } from '../../../api/entries';
import { mediumDay, timeOf } from '../formats';
import { ownEnd, ownStart } from '../times';

/** "Mon, 2 Mar 2026, 09:00 – 10:00": as the entry says it, in its own zone. */
export function renderWhen(entry: Entry): string {
  const [first, last] = [mediumDay(entry.startDate), mediumDay(entry.endDate)];
  if (!entry.startTime) {
    return first === last ? first : `${first} – ${last}`;
  }
  const start = `${first}, ${timeOf(ownStart(entry))}`;
  if (!entry.endTime || entry.kind === 'task') {
    return start;
  }
  const end = timeOf(ownEnd(entry));
  return first === last ? `${start} – ${end}` : `${start} – ${last}, ${end}`;
}

/** The same without the day it begins on, for lists that stand below that day; empty for one whole day. */
export function renderTimeOf(entry: Entry): string {
  const last = entry.endDate === entry.startDate ? '' : mediumDay(entry.endDate);
  if (!entry.startTime) {
    return last === '' ? '' : `– ${last}`;
  }
  const start = timeOf(ownStart(entry));
  if (!entry.endTime || entry.kind === 'task') {
    return start;
  }
  return `${start} – ${last === '' ? '' : `${last}, `}${timeOf(ownEnd(entry))}`;
}
