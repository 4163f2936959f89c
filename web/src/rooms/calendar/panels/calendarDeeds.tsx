// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Copy, Download, FileUp, History, Link2, Rss, Trash2, Users } from 'lucide-preact';

import { copyCalendar, deleteCalendar, restoreCalendar, type MyCalendar } from '../../../api/calendars';
import { exportAddress } from '../../../api/icalendar';
import { listMembers } from '../../../api/members';
import { confirm } from '../../../ui/confirm';
import { say, sayError, sayWithUndo } from '../../../ui/toast';
import { words } from '../../../words';
import { mayWrite, refreshCalendars, showCalendar, showPanel } from '../state';
import { Deed } from './parts';

/** What can be done with a calendar besides changing how it is called. */
export function CalendarDeeds({ calendar, close }: { calendar: MyCalendar; close: () => void }) {
  const told = words.value.calendarPanels.calendar;
  const about = { calendarId: calendar.id };
  return (
    <section>
      <h3 class="calendar-panel-head">{told.deeds}</h3>
      <ul class="calendar-panel-list">
        <Deed icon={<Users />} label={told.share} hint={told.shareHint} onClick={() => showPanel('share', about)} />
        {calendar.source === 'feed' &&
          <Deed icon={<Rss />} label={told.subscription} hint={told.subscriptionHint} onClick={() => showPanel('subscribe', about)} />}
        {calendar.role !== 'reader' && <Deed icon={<Link2 />} label={told.links} hint={told.linksHint} onClick={() => showPanel('feeds', about)} />}
        {mayWrite(calendar) && <Deed icon={<FileUp />} label={told.import} hint={told.importHint} onClick={() => showPanel('import', about)} />}
        <Deed icon={<Download />} label={told.export} hint={told.exportHint} href={exportAddress(calendar.id)} download
          onClick={() => say(told.exporting)} />
        <CopyDeed calendar={calendar} close={close} />
        <Deed icon={<History />} label={told.trash} hint={told.trashHint} onClick={() => showPanel('trash', about)} />
        {calendar.role === 'owner' && !calendar.is_default && (
          <Deed icon={<Trash2 />} label={told.deleteIt} tone="danger" onClick={() => void removeCalendar(calendar, close)} />
        )}
      </ul>
    </section>
  );
}

function CopyDeed({ calendar, close }: { calendar: MyCalendar; close: () => void }) {
  const told = words.value.calendarPanels.calendar;
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      const copy = await copyCalendar(calendar.id, told.copyName(calendar.name.slice(0, 85)));
      await refreshCalendars();
      showCalendar(copy.id, true);
      close();
      say(told.copied(copy.name));
    } catch (error) {
      setBusy(false);
      sayError(error);
    }
  };
  return <Deed icon={<Copy />} label={busy ? told.copying : told.copy} hint={told.copyHint} busy={busy} onClick={() => void run()} />;
}

/** How many others lose it. Who cannot be counted is not mentioned. */
async function othersIn(calendar: MyCalendar): Promise<number> {
  try {
    return (await listMembers(calendar.id)).filter((member) => member.status === 'active').length - 1;
  } catch {
    return 0;
  }
}

/** Into the trash, with a way back. */
export async function removeCalendar(calendar: MyCalendar, close: () => void): Promise<void> {
  const told = words.value.calendarPanels.calendar;
  const question = { title: told.deleteTitle(calendar.name), text: told.deleteText(await othersIn(calendar)), deed: told.deleteIt };
  if (!(await confirm(question))) {
    return;
  }
  try {
    await deleteCalendar(calendar.id);
    close();
    sayWithUndo(told.deleted(calendar.name), () => void bringBack(calendar));
    await refreshCalendars();
  } catch (error) {
    sayError(error);
  }
}

async function bringBack(calendar: MyCalendar): Promise<void> {
  try {
    await restoreCalendar(calendar.id);
    await refreshCalendars();
    say(words.value.calendarPanels.calendar.restored(calendar.name));
  } catch (error) {
    sayError(error);
  }
}
