// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { BusyPerson } from '../../../api/freeBusy';
import { homeZone, me } from '../../../shell/session';
import { Avatar } from '../../../ui/avatar';
import { words } from '../../../words';
import { locale } from '../formats';
import { hoursOf, placeIn, spanOf, within, type Day, type Span } from './busyTimes';
import { photoOf } from './parts';
import { knownPeople } from './people';

const HOURS_TOLD = [0, 6, 9, 12, 15, 18, 21];
const percent = (part: number): string => `${part * 100}%`;

/** A strip for each person: dark where they have no time. */
export function BusyStrips({ people, days }: { people: readonly BusyPerson[]; days: readonly Day[] }) {
  const frame: Span = { from: days[0]!.from, to: days[days.length - 1]!.to };
  return (
    <div class="calendar-panel-strips" tabIndex={0} role="group" aria-label={words.value.calendarPanels.availability.title}>
      <div class="calendar-panel-strip-row calendar-panel-strip-scale" aria-hidden="true">
        <span />
        <div class="calendar-panel-strip-head">
          {days.length === 1 ? <Hours day={days[0]!} /> : days.map((day) => <DayHead key={day.date} day={day} frame={frame} />)}
        </div>
      </div>
      {people.map((person) => <Strip key={person.user} person={person} days={days} frame={frame} />)}
    </div>
  );
}

function Hours({ day }: { day: Day }) {
  const format = new Intl.DateTimeFormat(locale.value, { hour: 'numeric', timeZone: 'UTC' });
  return (
    <>
      {HOURS_TOLD.map((hour) => (
        <span key={hour} style={{ insetInlineStart: percent(placeIn(day, hoursOf(day, hour, 24)).start) }}>{format.format(hour * 3_600_000)}</span>
      ))}
    </>
  );
}

function DayHead({ day, frame }: { day: Day; frame: Span }) {
  const format = new Intl.DateTimeFormat(locale.value, { weekday: 'short', day: 'numeric', timeZone: 'UTC' });
  return <span style={{ insetInlineStart: percent(placeIn(frame, day).start) }}>{format.format(new Date(`${day.date}T00:00Z`))}</span>;
}

function Strip({ person, days, frame }: { person: BusyPerson; days: readonly Day[]; frame: Span }) {
  const told = words.value.calendarPanels.availability;
  const known = knownPeople.value.get(person.email);
  const isMe = person.user === me.value?.user?.id;
  const name = known?.name ?? (isMe ? me.value?.user?.name : undefined) ?? person.email;
  const busy = within(person.busy.map(spanOf), frame);
  return (
    <div class="calendar-panel-strip-row">
      <span class="calendar-panel-strip-name">
        <Avatar name={name} photo={photoOf(known)} size="small" /><span>{isMe ? told.you(name) : name}</span>
      </span>
      <div class="calendar-panel-strip" role="img" aria-label={`${told.strip(name)}: ${busy.map(renderSpan).join('; ') || told.freeAll}`}>
        {days.flatMap((day) => marksOf(day, days.length === 1 ? HOURS_TOLD.slice(1) : [12])).map(({ at, look }) => (
          <i key={at} class={look} style={{ insetInlineStart: percent(placeIn(frame, { from: at, to: at }).start) }} />
        ))}
        {busy.map((span) => {
          const { start, width } = placeIn(frame, span);
          return <b key={span.from} title={renderSpan(span)} style={{ insetInlineStart: percent(start), width: percent(width) }} />;
        })}
      </div>
    </div>
  );
}

/** Lines in a strip: where days begin, and some hours of each. */
const marksOf = (day: Day, hours: readonly number[]): { at: number; look: string }[] => [
  { at: day.from, look: 'calendar-panel-strip-day' },
  ...hours.map((hour) => ({ at: hoursOf(day, hour, 24).from, look: 'calendar-panel-strip-hour' }))];

/** "Mon 2, 09:00 – 10:00". */
export function renderSpan(span: Span): string {
  const zone = homeZone.value;
  const day = new Intl.DateTimeFormat(locale.value, { weekday: 'short', day: 'numeric', month: 'short', timeZone: zone });
  const time = new Intl.DateTimeFormat(locale.value, { timeStyle: 'short', timeZone: zone });
  const [first, last] = [day.format(span.from), day.format(span.to)];
  return first === last ? `${first}, ${time.format(span.from)} – ${time.format(span.to)}`
    : `${first}, ${time.format(span.from)} – ${last}, ${time.format(span.to)}`;
}
