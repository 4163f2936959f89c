// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { ArchiveRestore, Trash2 } from 'lucide-preact';

import { listDeletedEntries, restoreEntry, type Entry, type EntryPage } from '../../../api/entries';
import { Button } from '../../../ui/button';
import { SelectField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { locale } from '../formats';
import { expire } from '../entries';
import { activeCalendars, calendarsById, mayWrite } from '../state';
import { daysLeft, renderAgo } from './moments';
import { meetPeople, personById } from './people';
import { renderWhen } from './when';

/** The latest deletion first. */
const inOrder = (entries: readonly Entry[]): Entry[] => [...entries].sort((a, b) => (b.deletedAt ?? '').localeCompare(a.deletedAt ?? ''));

export function TrashedEntries({ calendarId }: { calendarId: string | undefined }) {
  const told = words.value.calendarPanels.trash;
  const [chosen, setChosen] = useState(calendarId ?? activeCalendars.value[0]?.id ?? '');
  const page = useLoaded<EntryPage & { of: string }>(
    async (signal) => ({ ...(await listDeletedEntries(chosen, null, signal)), of: chosen }), [chosen]);
  useEffect(() => void meetPeople(), []);
  // Of another calendar: what was asked for is still on its way.
  const found = page.value?.of === chosen ? page.value : undefined;
  return (
    <div class="calendar-panel-below">
      <SelectField label={told.which} value={chosen} onValue={setChosen}
        options={activeCalendars.value.map((one) => ({ value: one.id, label: one.name }))} />
      {found === undefined
        ? page.error === null ? <Skeleton lines={5} /> : <Failure error={page.error} retry={page.reload} />
        : <Entries page={found} show={(next) => page.show({ ...next, of: chosen })} calendarId={chosen} />}
    </div>
  );
}

function Entries({ page, show, calendarId }: { page: EntryPage; show: (page: EntryPage) => void; calendarId: string }) {
  const told = words.value.calendarPanels.trash;
  const may = mayWrite(calendarsById.value.get(calendarId));
  const [busy, setBusy] = useState(false);
  const loadMore = async () => {
    setBusy(true);
    try {
      const next = await listDeletedEntries(calendarId, page.after);
      show({ entries: [...page.entries, ...next.entries], after: next.after ?? null });
    } catch (error) {
      sayError(error);
    }
    setBusy(false);
  };
  const restore = async (entry: Entry) => {
    try {
      await restoreEntry(entry.id);
      show({ ...page, entries: page.entries.filter((one) => one.id !== entry.id) });
      expire(calendarId);
      say(told.restored(entry.title));
    } catch (error) {
      sayError(error);
    }
  };
  if (page.entries.length === 0) {
    return <EmptyState icon={<Trash2 />} title={told.noEntries}><p>{told.noEntriesHint}</p></EmptyState>;
  }
  return (
    <>
      {!may && <p class="notice">{told.readOnly}</p>}
      <ul class="calendar-panel-list">
        {inOrder(page.entries).map((entry) => <TrashedEntry key={entry.id} entry={entry} restore={may ? () => restore(entry) : undefined} />)}
      </ul>
      {page.after && <Button busy={busy} onClick={() => void loadMore()}>{words.value.common.loadMore}</Button>}
    </>
  );
}

function TrashedEntry({ entry, restore }: { entry: Entry; restore: (() => Promise<void>) | undefined }) {
  const told = words.value.calendarPanels.trash;
  const [busy, setBusy] = useState(false);
  const deleter = personById(entry.updatedBy);
  const when = entry.deletedAt ? renderAgo(entry.deletedAt, locale.value) : '';
  const run = async () => {
    setBusy(true);
    await restore?.();
    setBusy(false);
  };
  return (
    <li class="calendar-panel-row">
      <div class="calendar-panel-row-text">
        <span class="calendar-panel-row-title">{entry.title}</span>
        <small class="hint">{renderWhen(entry)}{entry.recurrence && ` · ${told.series}`}</small>
        <small class="hint">
          {deleter ? told.deletedBy(when, deleter.name) : told.deletedAt(when)} · {told.daysLeft(daysLeft(entry.deletedAt ?? ''))}
        </small>
      </div>
      {restore && (
        <Button busy={busy} aria-label={told.restoreNamed(entry.title)} onClick={() => void run()}><ArchiveRestore />{told.restore}</Button>
      )}
    </li>
  );
}
