// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { Copy, Ellipsis, History, Trash2 } from 'lucide-preact';

import { ApiError } from '../../../api/client';
import type { EntryFields } from '../../../api/entries';
import { homeZone } from '../../../shell/session';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialog';
import { messageOf } from '../../../ui/errors';
import { Menu, type MenuItem } from '../../../ui/menu';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { words } from '../../../words';
import { create, remove } from '../deeds';
import { touchedEntry } from '../live';
import { rememberCalendar } from '../newEntry';
import { askScope } from '../scope';
import { calendarsById, closeSheet, mayWrite, selected, showPanel } from '../state';
import { todayIn } from '../times';
import { Conflict } from './conflict';
import { draftOf, fieldsOf, mistakeIn, newDraft, refusedField, type Draft, type DraftField } from './draft';
import { EntryForm } from './form';
import { open, type Opened } from './opened';
import { Reading } from './reading';
import { saveChanges } from './save';

const FORM = 'calendar-entry-form';

/** The sheet at the side: what is chosen, or what is being made. */
export function EntrySheet() {
  const about = selected.value;
  if (about === null) {
    return null;
  }
  return 'fields' in about
    ? <NewSheet key={JSON.stringify(about.fields)} fields={about.fields} />
    : <LoadedSheet key={`${about.id} ${about.occurrence ?? ''}`} id={about.id} occurrence={about.occurrence ?? null} />;
}

/** What is wrong, and where. */
type Trouble = { field: DraftField | null; text: string };

function troubleOf(error: unknown): Trouble {
  const named = error instanceof ApiError && error.status === 400 ? refusedField(error.message) : null;
  return named ?? { field: null, text: messageOf(error) };
}

/** Closes, after asking when something would be lost. */
async function closeSafely(isDirty: boolean): Promise<void> {
  const told = words.value.calendar.sheet;
  if (!isDirty || await confirm({ title: told.discardTitle, text: told.discardText, deed: told.discard })) {
    closeSheet();
  }
}

/** A draft that is being typed, with what is wrong about it. */
function useDraft(initial: Draft) {
  const [base, setBase] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (deed: () => Promise<void>) => {
    const mistake = mistakeIn(draft);
    if (mistake !== null) {
      setTrouble({ field: mistake.field, text: words.value.calendar.sheet[mistake.reason] });
      return;
    }
    setBusy(true);
    setTrouble(null);
    try {
      await deed();
    } catch (error) {
      setTrouble(troubleOf(error));
    }
    setBusy(false);
  };
  return {
    base, draft, busy, trouble, submit,
    isDirty: JSON.stringify(base) !== JSON.stringify(draft),
    change: (next: Draft) => { setDraft(next); setTrouble(null); },
    reset: (next: Draft) => { setBase(next); setDraft(next); setTrouble(null); },
    errorOf: (field: DraftField) => (trouble?.field === field ? trouble.text : null),
  };
}

const General = ({ trouble }: { trouble: Trouble | null }) =>
  (trouble !== null && trouble.field === null ? <div class="notice notice-bad" role="alert">{trouble.text}</div> : null);

function NewSheet({ fields }: { fields: EntryFields }) {
  const told = words.value.calendar.sheet;
  const form = useDraft(newDraft(fields, homeZone.value, todayIn(homeZone.value)));
  const save = () => void form.submit(async () => {
    await create(fieldsOf(form.draft));
    rememberCalendar(form.draft.calendarId);
    closeSheet();
  });
  return (
    <Dialog shape="sheet" title={told.newTitle} onClose={() => void closeSafely(form.isDirty)}
      actions={<>
        <Button onClick={() => void closeSafely(form.isDirty)}>{words.value.common.cancel}</Button>
        <Button tone="primary" type="submit" form={FORM} busy={form.busy}>{told.create}</Button>
      </>}>
      <General trouble={form.trouble} />
      <EntryForm draft={form.draft} change={form.change} errorOf={form.errorOf} series={null} onSubmit={save} />
    </Dialog>
  );
}

function LoadedSheet({ id, occurrence }: { id: string; occurrence: string | null }) {
  const told = words.value.calendar.sheet;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () => {
    setError(null);
    open(id, occurrence).then(setOpened, setError);
  };
  useEffect(load, []);
  // Whoever may change it has a sheet that looks itself.
  const isReading = opened !== null && !mayWrite(calendarsById.value.get(opened.series.calendarId));
  useTouch(opened, !isReading, load);
  const isSlow = useLater(SKELETON_MS);
  if (opened !== null && !isReading) {
    return <EditSheet opened={opened} />;
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
function deedsFor(opened: Opened, draft: Draft, submit: (deed: () => Promise<void>) => Promise<void>): (MenuItem | null)[] {
  const told = words.value.calendar;
  const copy = () => submit(async () => {
    const { title, ...rest } = fieldsOf({ ...draft, rule: '' });
    await create({ ...rest, title: title ?? '', completed: false }, told.said.copied);
    closeSheet();
  });
  return [
    { label: told.sheet.copy, icon: <Copy />, run: () => void copy() },
    { label: told.sheet.history, icon: <History />, run: () => showHistory(opened) },
  ];
}

function EditSheet({ opened: first }: { opened: Opened }) {
  const told = words.value.calendar.sheet;
  const [opened, setOpened] = useState(first);
  // What somebody else made of it meanwhile; `null` inside when they deleted it.
  const [theirs, setTheirs] = useState<{ opened: Opened | null } | null>(null);
  const form = useDraft(draftOf(first.entry, first.series, homeZone.value));
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
  const save = (etag: string | null) => form.submit(async () => {
    try {
      if (await saveChanges({ opened: { ...opened, etag }, before: form.base, after: form.draft })) closeSheet();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      await look();
    }
  });
  const erase = () => form.submit(async () => {
    const scope = opened.entry.occurrence === undefined ? 'all' : await askScope('delete');
    if (scope === null) return;
    await remove(opened.entry, scope, null);
    closeSheet();
  });
  const take = () => {
    if (theirs?.opened == null) {
      closeSheet();
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
    <Dialog shape="sheet" title={told.editTitle} onClose={() => void closeSafely(form.isDirty)}
      actions={<>
        <Button tone="danger" class="calendar-delete" busy={form.busy} onClick={() => void erase()}><Trash2 />{told.delete}</Button>
        <Menu label={told.deeds} items={deedsFor(opened, form.draft, form.submit)}><Ellipsis /></Menu>
        <Button tone="primary" type="submit" form={FORM} busy={form.busy}>{told.save}</Button>
      </>}>
      <General trouble={form.trouble} />
      {theirs !== null && (
        <Conflict before={form.base} theirs={theirs.opened && draftOf(theirs.opened.entry, theirs.opened.series, homeZone.value)}
          onTake={take} onKeep={keep} />
      )}
      <EntryForm draft={form.draft} change={form.change} errorOf={form.errorOf} series={opened.series} onSubmit={() => void save(opened.etag)} />
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
