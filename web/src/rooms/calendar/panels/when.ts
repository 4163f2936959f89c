// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry } from '../../../api/entries';
import { renderDay, renderTime } from './moments';

/** "Mon, 2 Mar 2026, 09:00 – 10:00": as the entry says it, in its own zone. */
export function renderWhen(entry: Entry, language: string): string {
  const first = renderDay(entry.startDate, language);
  const last = renderDay(entry.endDate, language);
  if (!entry.startTime) {
    return first === last ? first : `${first} – ${last}`;
  }
  const start = `${first}, ${renderTime(entry.startTime, language)}`;
  if (!entry.endTime || entry.kind === 'task') {
    return start;
  }
  const end = renderTime(entry.endTime, language);
  return first === last ? `${start} – ${end}` : `${start} – ${last}, ${end}`;
}

/** The same without the day it begins on, for lists that stand below that day; empty for one whole day. */
export function renderTimeOf(entry: Entry, language: string): string {
  const end = entry.endDate === entry.startDate ? '' : renderDay(entry.endDate, language);
  if (!entry.startTime) {
    return end === '' ? '' : `– ${end}`;
  }
  const start = renderTime(entry.startTime, language);
  if (!entry.endTime || entry.kind === 'task') {
    return start;
  }
  return `${start} – ${end === '' ? '' : `${end}, `}${renderTime(entry.endTime, language)}`;
}
