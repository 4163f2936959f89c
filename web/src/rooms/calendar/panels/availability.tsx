// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { ChevronLeft, ChevronRight, UsersRound } from 'lucide-preact';

import { loadFreeBusy } from '../../../api/freeBusy';
import { personal } from '../../../shell/person';
import { homeZone, me } from '../../../shell/session';
import { Button, IconButton } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { useLoaded } from '../../../ui/loaded';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { words } from '../../../words';
import { addDays, startOfWeek } from '../days';
import { dayRange, firstWeekday, longDay } from '../formats';
import type { PanelProps } from '../panels';
import { day as shownDay } from '../state';
import { todayIn } from '../times';
import { BusyStrips } from './busyStrips';
import { daysFrom, type Day } from './busyTimes';
import { CommonTimes } from './commonTimes';
import { meetPeople } from './people';
import { PeopleField } from './peopleField';
import './availability.css';

// Who was chosen stays so until the page is left.
const chosen = personal<readonly string[]>([]);
type Stretch = 'day' | 'week';
const LENGTH: Record<Stretch, number> = { day: 1, week: 7 };

/** When people have time, side by side. */
export function AvailabilityPanel({ close }: PanelProps) {
  const told = words.value.calendarPanels.availability;
  const mine = me.value?.user?.email;
  const [stretch, setStretch] = useState<Stretch>('week');
  const [at, setAt] = useState(shownDay.value);
  const zone = homeZone.value;
  const first = stretch === 'week' ? startOfWeek(at, firstWeekday.value) : at;
  const days = daysFrom(first, LENGTH[stretch], zone);
  useEffect(() => void meetPeople(), []);
  const emails = [...(mine ? [mine] : []), ...chosen.value];
  return (
    <Dialog title={told.title} onClose={close} shape="wide">
      <PeopleField people={chosen.value} onPeople={(next) => { chosen.value = next; }} />
      {chosen.value.length === 0 ? <EmptyState icon={<UsersRound />} title={told.none}><p>{told.noneHint}</p></EmptyState> : (
        <>
          <div class="row row-wrap calendar-panel-stretch">
            <div class="segments" role="group" aria-label={told.title}>
              <button type="button" aria-pressed={stretch === 'day'} onClick={() => setStretch('day')}>{told.day}</button>
              <button type="button" aria-pressed={stretch === 'week'} onClick={() => setStretch('week')}>{told.week}</button>
            </div>
            <IconButton label={told.earlier} onClick={() => setAt(addDays(at, -LENGTH[stretch]))}><ChevronLeft /></IconButton>
            <Button onClick={() => setAt(todayIn(zone))}>{told.today}</Button>
            <IconButton label={told.later} onClick={() => setAt(addDays(at, LENGTH[stretch]))}><ChevronRight /></IconButton>
            <strong role="status">{rangeOf(days)}</strong>
          </div>
          <Times emails={emails} days={days} close={close} />
        </>
      )}
    </Dialog>
  );
}

const rangeOf = (days: readonly Day[]): string =>
  (days.length === 1 ? longDay(days[0]!.date) : dayRange(days[0]!.date, days[days.length - 1]!.date));

function Times({ emails, days, close }: { emails: readonly string[]; days: readonly Day[]; close: () => void }) {
  const told = words.value.calendarPanels.availability;
  const [from, to] = [days[0]!.from, days[days.length - 1]!.to];
  const found = useLoaded(
    (signal) => loadFreeBusy(emails, new Date(from).toISOString(), new Date(to).toISOString(), signal), [emails.join(), from, to]);
  if (found.value === undefined) {
    return found.error === null ? <Skeleton lines={emails.length + 2} /> : <Failure error={found.error} retry={found.reload} />;
  }
  return (
    <>
      {found.value.unknown.length > 0 && <p class="notice notice-warn" role="status">{told.unknown(found.value.unknown.join(', '))}</p>}
      <BusyStrips people={found.value.people} days={days} />
      <p class="hint">{told.zone(homeZone.value)}. {told.fromOwn}</p>
      <CommonTimes people={found.value.people} days={days} close={close} />
    </>
  );
}
