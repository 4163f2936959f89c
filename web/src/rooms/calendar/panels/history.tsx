// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { RotateCcw, Undo2 } from 'lucide-preact';

import { listHistory, revertEntry, undoEntry, type EntryChange, type Tagged } from '../../../api/entries';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { useLoaded } from '../../../ui/loaded';
import { Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { expire } from '../entries';
import type { PanelProps } from '../panels';
import { calendarsById, mayWrite } from '../state';
import { ChangeRow } from './changeRow';
import { meetPeople } from './people';
import './history.css';

const KEPT = 50;

/** Who changed what of an entry, and the way back to any of its states. */
export function HistoryPanel({ entryId = '', close }: PanelProps) {
  const told = words.value.calendarPanels.history;
  const history = useLoaded((signal) => listHistory(entryId, signal), [entryId]);
  const changes = history.value;
  useEffect(() => void meetPeople(), []);
  return (
    <Dialog title={changes?.[0] ? told.of(changes[0].entry.title) : told.title} onClose={close} shape="sheet">
      {changes === undefined
        ? history.error === null ? <Skeleton lines={9} /> : <Failure error={history.error} retry={history.reload} />
        : <Changes entryId={entryId} changes={changes} reload={history.reload} />}
    </Dialog>
  );
}

function Changes({ entryId, changes, reload }: { entryId: string; changes: readonly EntryChange[]; reload: () => void }) {
  const told = words.value.calendarPanels.history;
  const [busy, setBusy] = useState(false);
  const newest = changes[0];
  const may = newest !== undefined && mayWrite(calendarsById.value.get(newest.entry.calendarId));
  const run = async (deed: () => Promise<Tagged>, done: string) => {
    setBusy(true);
    try {
      const before = newest?.entry.calendarId;
      const { entry } = await deed();
      expire(entry.calendarId);
      if (before !== undefined && before !== entry.calendarId) expire(before);
      say(done);
    } catch (error) {
      sayError(error);
    }
    reload();
    setBusy(false);
  };
  return (
    <>
      {may ? changes.length > 1 && (
        <p><Button busy={busy} onClick={() => void run(() => undoEntry(entryId), told.undone)}><Undo2 />{told.undo}</Button></p>
      ) : <p class="notice">{told.readOnly}</p>}
      <ol class="calendar-panel-history">
        {changes.map((change, index) => (
          <ChangeRow key={change.number} change={change} before={changes[index + 1]} isNow={index === 0}
            action={may && index > 0 && !change.entry.deletedAt ? (label) => (
              <Button tone="quiet" busy={busy} aria-label={label} onClick={() => void run(() => revertEntry(entryId, change.number), told.backDone)}>
                <RotateCcw />{told.back}
              </Button>
            ) : undefined} />
        ))}
      </ol>
      {changes.length >= KEPT && <p class="hint">{told.firstKnown}</p>}
    </>
  );
}
