// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { Copy, Ellipsis, History, Trash2 } from 'lucide-preact';

import { ApiError } from '../../../api/client';
import type { EntryFields } from '../../../api/entries';
import { dropDraft, findDraft } from '../../../shell/drafts';
import { personId } from '../../../shell/person';
import { homeZone } from '../../../shell/session';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialog';
import { Menu, type MenuItem } from '../../../ui/menu';
import { Restored } from '../../../ui/restored';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { words } from '../../../words';
import { create, remove } from '../deeds';
import { touchedEntry } from '../live';
import { rememberCalendar } from '../newEntry';
import { askScope } from '../scope';
import { calendarsById, closeSheet, mayWrite, selected, showPanel } from '../state';
import { todayIn } from '../times';
import { Conflict } from './conflict';
import { draftOf, fieldsOf, newDraft } from './draft';
import { EntryForm } from './form';
import { Invited } from './invited';
import { open, type Opened } from './opened';
import { Reading } from './reading';
import { saveChanges } from './save';
import { isKeptEntry, placeOfEntry, placeOfNew, useTyping, type KeptEntry, type KeptNew, type Trouble } from './typing';

const FORM = 'calendar-entry-form';

/** The sheet at the side: what is chosen, or what is being made. */
export function EntrySheet() {
  const about = selected.value;
  // What somebody typed is nobody else's, whatever led here.
  if (about === null || ('fields' in about && about.kept !== undefined && about.kept.owner !== personId())) {
    return null;
  }
  return 'fields' in about
    ? <NewSheet key={about.kept?.place ?? JSON.stringify(about.fields)} fields={about.fields} kept={about.kept} />
    : <LoadedSheet key={`${about.id} ${about.occurrence ?? ''}`} id={about.id} occurrence={about.occurrence ?? null} />;
}

/** Closes, after asking when something would be lost. */
async function closeSafely({ isDirty, forget }: { isDirty: boolean; forget: () => void }): Promise<void> {
  const told = words.value.calendar.sheet;
  if (!isDirty || await confirm({ title: told.discardTitle, text: told.discardText, deed: told.discard })) {
    forget();
    closeSheet();
  }
}

const General = ({ trouble }: { trouble: Trouble | null }) =>
  (trouble !== null && trouble.field === null ? <div class="notice notice-bad" role="alert">{trouble.text}</div> : null);

function NewSheet({ fields, kept }: { fields: EntryFields; kept: KeptNew | undefined }) {
  const told = words.value.calendar.sheet;
  const [place] = useState(() => kept?.place ?? placeOfNew());
  const form = useTyping({ place, base: newDraft(fields, homeZone.value, todayIn(homeZone.value)), etag: null, kept: kept?.entry ?? null });
  const save = () => void form.submit(async () => {
    await create(fieldsOf(form.draft));
    rememberCalendar(form.draft.calendarId);
    form.forget();
    closeSheet();
  });
  return (
    <Dialog shape="sheet" title={told.newTitle} onClose={() => void closeSafely(form)}
      actions={<>
        <Button onClick={() => void closeSafely(form)}>{words.value.common.cancel}</Button>
        <Button tone="primary" type="submit" form={FORM} busy={form.busy}>{told.create}</Button>
      </>}>
      {form.isRestored && <Restored discard={() => form.reset(form.base)} />}
      <General trouble={form.trouble} />
      <EntryForm draft={form.draft} change={form.change} errorOf={form.errorOf} series={null} onSubmit={save} />
    </Dialog>
  );
}

function LoadedSheet({ id, occurrence }: { id: string; occurrence: string | null }) {
  const told = words.value.calendar.sheet;
  const place = placeOfEntry(id, occurrence);
  const [found, setFound] = useState<{ opened: Opened; kept: KeptEntry | null } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const opened = found?.opened ?? null;
  const load = () => {
    setError(null);
    Promise.all([open(id, occurrence), findDraft(place, isKeptEntry)]).then(([now, kept]) => setFound({ opened: now, kept }), (failure: unknown) => {
      // What it was about is gone, and so nobody can go on with it.
      if (failure instanceof ApiError && failure.status === 404) dropDraft(place);
      setError(failure);
    });
  };
  useEffect(load, []);
  // Whoever may change it has a sheet that looks itself.
  const isReading = opened !== null && !mayWrite(calendarsById.value.get(opened.series.calendarId));
  useTouch(opened, !isReading, load);
  const isSlow = useLater(SKELETON_MS);
  if (found !== null && !isReading) {
    return <EditSheet opened={found.opened} place={place} kept={found.kept} />;
  }
  if (opened === null && error === null && !isSlow) {
    return null;
  }
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <Dialog shape="sheet" title={opened?.entry.title || told.editTitle} onClose={closeSheet}
      actions={opened && <Button onClick={() => showHistory(opened)}><History />{told.history}</Button>}>
      {isGone && <EmptyState title={told.gone} action={<Button onClick={closeSheet}>{words.value.common.close}</Button>} />}
      {error !== null && !isGone && <Failure error={error} retry={load} />}
      {opened === null && error === null && <Skeleton lines={8} />}
      {opened !== null && <Reading opened={opened} />}
    </Dialog>
  );
}

// Sooner than that, the entry itself is usually there.
const SKELETON_MS = 200;

/** Becomes true after a while. */
function useLater(delay: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setPassed(true), delay);
    return () => window.clearTimeout(timer);
  }, []);
  return passed;
}

const showHistory = ({ series }: Opened): void => showPanel('history', { entryId: series.id, calendarId: series.calendarId });

/** What else can be done with an entry. */
function deedsFor(opened: Opened, { draft, submit, forget }: ReturnType<typeof useTyping>): (MenuItem | null)[] {
  const told = words.value.calendar;
  const copy = () => submit(async () => {
    const { title, ...rest } = fieldsOf({ ...draft, rule: '' });
    const link = opened.entry.url ? { url: opened.entry.url } : {};
    await create({ ...rest, ...link, title: title ?? '', completed: false }, told.said.copied);
    forget();
    closeSheet();
  });
  return [
    { label: told.sheet.copy, icon: <Copy />, run: () => void copy() },
    { label: told.sheet.history, icon: <History />, run: () => showHistory(opened) },
  ];
}

function EditSheet({ opened: first, place, kept }: { opened: Opened; place: string; kept: KeptEntry | null }) {
  const told = words.value.calendar.sheet;
  const [opened, setOpened] = useState(kept === null ? first : { ...first, etag: kept.etag });
  // What somebody else made of it meanwhile; `null` inside when they deleted it.
  const [theirs, setTheirs] = useState<{ opened: Opened | null } | null>(kept === null || kept.etag === first.etag ? null : { opened: first });
  const form = useTyping({ place, base: draftOf(first.entry, first.series, homeZone.value), etag: opened.etag, kept });
  const isDirty = useRef(false);
  isDirty.current = form.isDirty;
  const show = (now: Opened) => {
    setOpened(now);
    form.reset(draftOf(now.entry, now.series, homeZone.value));
    setTheirs(null);
  };
  const look = async () => {
    try {
      const now = await open(opened.series.id, opened.entry.occurrence ?? null);
      if (now.etag === opened.etag) return;
      // Nothing was typed, so there is nothing to decide.
      if (isDirty.current) setTheirs({ opened: now }); else show(now);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) setTheirs({ opened: null });
    }
  };
  useTouch(opened, form.busy, look);
  const close = () => {
    form.forget();
    closeSheet();
  };
  const startOver = () => (theirs?.opened ? show(theirs.opened) : form.reset(form.base));
  const save = (etag: string | null) => form.submit(async () => {
    try {
      if (await saveChanges({ opened: { ...opened, etag }, before: form.base, after: form.draft })) close();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      await look();
    }
  });
  const erase = () => form.submit(async () => {
    const scope = opened.entry.occurrence === undefined ? 'all' : await askScope('delete');
    if (scope === null) return;
    await remove(opened.entry, scope, null);
    close();
  });
  const take = () => {
    if (theirs?.opened == null) {
      close();
      return;
    }
    show(theirs.opened);
  };
  const keep = () => {
    const latest = theirs?.opened ?? opened;
    setOpened(latest);
    setTheirs(null);
    void save(latest.etag);
  };
  return (
    <Dialog shape="sheet" title={told.editTitle} onClose={() => void closeSafely(form)}
      actions={<>
        <Button tone="danger" class="calendar-delete" busy={form.busy} onClick={() => void erase()}><Trash2 />{told.delete}</Button>
        <Menu label={told.deeds} items={deedsFor(opened, form)}><Ellipsis /></Menu>
        <Button tone="primary" type="submit" form={FORM} busy={form.busy}>{told.save}</Button>
      </>}>
      {form.isRestored && <Restored discard={startOver} />}
      <General trouble={form.trouble} />
      {theirs !== null && (
        <Conflict before={form.base} theirs={theirs.opened && draftOf(theirs.opened.entry, theirs.opened.series, homeZone.value)}
          onTake={take} onKeep={keep} />
      )}
      <EntryForm draft={form.draft} change={form.change} errorOf={form.errorOf} series={opened.series} onSubmit={() => void save(opened.etag)} />
      <Invited entry={opened.entry} />
    </Dialog>
  );
}

/** Looks again when somebody else changes what is open. */
function useTouch(opened: Opened | null, busy: boolean, look: () => unknown): void {
  const touched = touchedEntry.value;
  useEffect(() => {
    if (!busy && opened !== null && touched?.id === opened.series.id && touched.sequence > opened.series.sequence) look();
  }, [touched]);
}
