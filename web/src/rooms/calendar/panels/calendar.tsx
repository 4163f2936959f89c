// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { MyCalendar } from '../../../api/calendars';
import { Dialog } from '../../../ui/dialog';
import { Skeleton } from '../../../ui/states';
import { words } from '../../../words';
import type { PanelProps } from '../panels';
import { calendarsById } from '../state';
import { CalendarDeeds } from './calendarDeeds';
import { CalendarForm } from './calendarForm';
import { NewCalendar } from './newCalendar';
import { ViewForm } from './viewForm';
import './parts.css';

/** Makes a calendar, or changes the one it is about. */
export function CalendarPanel({ calendarId, close }: PanelProps) {
  const told = words.value.calendarPanels.calendar;
  if (calendarId === undefined) {
    return <NewCalendar close={close} />;
  }
  const calendar = calendarsById.value.get(calendarId);
  return (
    <Dialog title={told.editTitle} onClose={close} shape="sheet">
      {calendar ? <Settings calendar={calendar} close={close} /> : <Skeleton lines={8} />}
    </Dialog>
  );
}

function Settings({ calendar, close }: { calendar: MyCalendar; close: () => void }) {
  const told = words.value.calendarPanels.calendar;
  return (
    <>
      {calendar.is_default && calendar.role === 'owner' && (
        <p class="notice"><strong>{told.isDefault}.</strong> {told.isDefaultHint}</p>
      )}
      {calendar.source === 'feed' && <p><span class="badge">{told.isFeed}</span></p>}
      <CalendarForm calendar={calendar} />
      <ViewForm calendar={calendar} />
      <CalendarDeeds calendar={calendar} close={close} />
    </>
  );
}
