// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { AlignLeft, Bell, CalendarDays, Clock, Globe, MapPin, Repeat } from 'lucide-preact';

import { homeZone } from '../../../shell/session';
import { words } from '../../../words';
import { elsewhere } from '../eventContent';
import { longDay, timeOf } from '../formats';
import { sentenceOf } from '../ruleSentence';
import { keyOf, type Placed } from '../shelf';
import { calendarsById } from '../state';
import { place } from '../times';
import { Invited } from './invited';
import { Line } from './line';
import type { Opened } from './opened';

/** When it is, for who looks at it. */
function whenText(placed: Placed): string {
  const days = placed.firstDay === placed.lastDay ? longDay(placed.firstDay) : `${longDay(placed.firstDay)} – ${longDay(placed.lastDay)}`;
  if (placed.allDay) {
    return days;
  }
  const isPoint = placed.start === placed.end;
  return `${days}, ${timeOf(placed.start)}${isPoint ? '' : ` – ${timeOf(placed.end)}`}`;
}

/** An entry that one may see and not change. */
export function Reading({ opened }: { opened: Opened }) {
  const { entry, series } = opened;
  const told = words.value.calendar;
  const placed: Placed = { ...place(entry, homeZone.value), key: keyOf(entry), entry };
  const other = elsewhere(placed);
  const rule = series.recurrence?.rule;
  const reminders = series.reminders.map(({ minutesBefore }) => told.sheet.reminder(minutesBefore)).join(', ');
  return (
    <div class="calendar-reading">
      <Line icon={Clock}>{whenText(placed)}{entry.kind === 'task' && ` · ${told.task}${entry.completed ? `, ${told.done}` : ''}`}</Line>
      {other !== null && <Line icon={Globe}>{other}</Line>}
      {rule && <Line icon={Repeat}>{sentenceOf(rule, series.startDate, told.rule)}</Line>}
      {entry.location && <Line icon={MapPin}>{entry.location}</Line>}
      {entry.description && <Line icon={AlignLeft}><p class="calendar-notes">{entry.description}</p></Line>}
      <Invited entry={entry} />
      {reminders !== '' && <Line icon={Bell}>{reminders}</Line>}
      <Line icon={CalendarDays}>{calendarsById.value.get(entry.calendarId)?.name}</Line>
      <p class="hint">{told.sheet.readOnly}</p>
    </div>
  );
}
