// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { ArchiveRestore, Trash2 } from 'lucide-preact';

import { deleteCalendar, listDeletedCalendars, restoreCalendar, type MyCalendar } from '../../../api/calendars';
import { Button, IconButton } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded } from '../../../ui/loaded';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { locale } from '../formats';
import { refreshCalendars } from '../state';
import { daysLeft, renderAgo } from './moments';
import { Dot } from './parts';

export function TrashedCalendars() {
  const told = words.value.calendarPanels.trash;
  const calendars = useLoaded(listDeletedCalendars, []);
  if (calendars.value === undefined) {
    return (
      <div class="calendar-panel-below">
        {calendars.error === null ? <Skeleton lines={5} /> : <Failure error={calendars.error} retry={calendars.reload} />}
      </div>
    );
  }
  // Those that are told to go are still there until the server comes to it.
  const kept = calendars.value.filter((one) => Date.parse(one.erase_at ?? '') > Date.now());
  if (kept.length === 0) {
    return <EmptyState icon={<Trash2 />} title={told.noCalendars}><p>{told.noCalendarsHint}</p></EmptyState>;
  }
  return (
    <ul class="calendar-panel-list calendar-panel-below">
      {kept.map((one) => <TrashedCalendar key={one.id} calendar={one} onChanged={calendars.reload} />)}
    </ul>
  );
}

function TrashedCalendar({ calendar, onChanged }: { calendar: MyCalendar; onChanged: () => void }) {
  const told = words.value.calendarPanels.trash;
  const [busy, setBusy] = useState(false);
  const run = async (deed: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await deed();
      say(done);
      await refreshCalendars();
    } catch (error) {
      sayError(error);
    }
    setBusy(false);
    onChanged();
  };
  const erase = async () => {
    if (await confirm({ title: told.eraseTitle(calendar.name), text: told.eraseText, deed: told.erase })) {
      await run(() => deleteCalendar(calendar.id, true), told.erased(calendar.name));
    }
  };
  const deletedAt = calendar.deleted_at ?? '';
  return (
    <li class="calendar-panel-row">
      <div class="calendar-panel-row-text">
        <span class="calendar-panel-row-title"><Dot color={calendar.color} />{calendar.name}</span>
        <small class="hint">
          {told.deletedAt(renderAgo(deletedAt, locale.value))} · {told.daysLeft(daysLeft(deletedAt))}
        </small>
      </div>
      <Button busy={busy} aria-label={told.restoreNamed(calendar.name)}
        onClick={() => void run(() => restoreCalendar(calendar.id), told.restored(calendar.name))}><ArchiveRestore />{told.restore}</Button>
      <IconButton label={told.eraseNamed(calendar.name)} disabled={busy} onClick={() => void erase()}><Trash2 /></IconButton>
    </li>
  );
}
