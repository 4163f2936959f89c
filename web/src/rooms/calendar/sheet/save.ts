// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { words } from '../../../words';
import { daysBetween } from '../days';
import { change, moveTo } from '../deeds';
import { rememberCalendar } from '../newEntry';
import { askScope } from '../scope';
import { addMinutes } from '../times';
import { changesBetween, mayBeOne, type Draft } from './draft';
import type { Opened } from './opened';

/** Saves what was typed. False: the person thought better of it. Throws what the server refuses. */
export async function saveChanges({ opened, before, after }: { opened: Opened; before: Draft; after: Draft }): Promise<boolean> {
  const { entry, series, etag } = opened;
  // Extra dates follow the start, as the server has it when the rule does not come along.
  const shift = daysBetween(before.startDate, after.startDate) * 1440;
  const changes = changesBetween(before, after, (series.recurrence?.additions ?? []).map((at) => addMinutes(at, shift)));
  const moves = before.calendarId !== after.calendarId;
  const hasChanges = Object.keys(changes).length > 0;
  const isPart = entry.occurrence !== undefined;
  const scope = isPart && hasChanges ? await askScope('save', mayBeOne(changes) && !moves) : 'all';
  if (scope === null) {
    return false;
  }
  let saved = series;
  if (hasChanges) {
    const current = isPart ? entry : series;
    saved = (await change({ entry: current, fields: changes, scope, etag, text: words.value.calendar.said.saved })).entry;
  }
  if (moves) {
    await moveTo(saved, after.calendarId);
    rememberCalendar(after.calendarId);
  }
  return true;
}
