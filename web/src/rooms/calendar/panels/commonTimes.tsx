// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { CalendarPlus } from 'lucide-preact';

import type { BusyPerson } from '../../../api/freeBusy';
import { homeZone } from '../../../shell/session';
import { Button } from '../../../ui/button';
import { words } from '../../../words';
import { timeOf } from '../formats';
import { beginAt } from '../newEntry';
import { writableCalendars } from '../state';
import { wallAt } from '../times';
import { renderSpan } from './busyStrips';
import { gapsIn, hoursOf, spanOf, type Day, type Span } from './busyTimes';

const FROM_HOUR = 8;
const TO_HOUR = 20;
const LEAST_MINUTES = 30;
const USUAL_MS = 3_600_000;
const SHOWN = 6;
const HALF_HOUR_MS = 1_800_000;

/** When nobody of them is busy, by day and not in the past. */
function commonGaps(people: readonly BusyPerson[], days: readonly Day[]): Span[] {
  const busy = people.flatMap((person) => person.busy.map(spanOf));
  const soonest = Math.ceil(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS;
  return days.map((day) => hoursOf(day, FROM_HOUR, TO_HOUR))
    .map((frame) => ({ ...frame, from: Math.max(frame.from, soonest) }))
    .flatMap((frame) => (frame.from < frame.to ? gapsIn(frame, busy, LEAST_MINUTES) : []));
}

/** Times that suit everyone, each with a way to an entry. */
export function CommonTimes({ people, days, close }: { people: readonly BusyPerson[]; days: readonly Day[]; close: () => void }) {
  const told = words.value.calendarPanels.availability;
  const [isLong, setLong] = useState(false);
  const gaps = commonGaps(people, days);
  const hour = (at: number) => timeOf(`2026-01-01T${String(at).padStart(2, '0')}:00`);
  const shown = isLong ? gaps : gaps.slice(0, SHOWN);
  return (
    <section>
      <h3 class="calendar-panel-head">{told.commonTitle}</h3>
      {gaps.length === 0 ? <p>{told.noCommon}</p> : (
        <>
          <p class="hint">{told.commonHint(hour(FROM_HOUR), hour(TO_HOUR))}</p>
          <ul class="calendar-panel-list calendar-panel-gaps">
            {shown.map((gap) => (
              <li key={gap.from} class="calendar-panel-row">
                <span class="calendar-panel-row-text">{renderSpan(gap)}</span>
                {writableCalendars.value.length > 0 && (
                  <Button aria-label={told.planAt(renderSpan(gap))} onClick={() => { close(); plan(gap); }}><CalendarPlus />{told.plan}</Button>
                )}
              </li>
            ))}
          </ul>
          {gaps.length > shown.length && <Button tone="quiet" onClick={() => setLong(true)}>{told.showMore(gaps.length - shown.length)}</Button>}
        </>
      )}
    </section>
  );
}

/** An hour from the beginning of the gap, or less when there is less. */
function plan(gap: Span): void {
  const zone = homeZone.value;
  beginAt({ allDay: false, start: wallAt(gap.from, zone), end: wallAt(Math.min(gap.to, gap.from + USUAL_MS), zone) });
}
