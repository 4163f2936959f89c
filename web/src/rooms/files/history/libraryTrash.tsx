// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Trash2 } from 'lucide-preact';

import { emptyTrash, listTrash, restoreEntries, type TrashedEntry } from '../../../api/fileHistory';
import type { Library } from '../../../api/files';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { SelectField } from '../../../ui/field';
import { renderBytes } from '../../../ui/sizes';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { language, words } from '../../../words';
import { forgetListings } from '../folder/listing';
import { EntryIcon } from '../icons';
import { isOwn } from '../libraries/libraryCard';
import { join } from '../paths';
import { When } from '../when';
import { usePages } from './pages';
import { SubpageHead } from './subpageHead';

const keyOf = ({ commit_id, parent_dir, obj_name }: TrashedEntry): string => `${commit_id} ${parent_dir}${obj_name}`;

/** What was deleted from a library. */
export function LibraryTrash({ library, turn }: { library: Library; turn: number }) {
  const told = words.value.files.history;
  const trash = usePages<TrashedEntry, string>(async (after, signal) => {
    const page = await listTrash(library.repo_id, after, signal);
    return { items: page.data, next: page.more ? page.scan_stat : null };
  }, [library.repo_id, turn]);
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [isEmptying, setEmptying] = useState(false);
  const mayWrite = library.permission === 'rw';
  const some = trash.items.filter((entry) => chosen.has(keyOf(entry)));
  const bringBack = async (entries: readonly TrashedEntry[]) => {
    try {
      say(await restoreAll(library.repo_id, entries));
      choose(new Set());
      forgetListings(library.repo_id);
      trash.reload();
    } catch (error) {
      sayError(error);
    }
  };
  const toggle = (entry: TrashedEntry) => {
    const next = new Set(chosen);
    if (!next.delete(keyOf(entry))) next.add(keyOf(entry));
    choose(next);
  };
  return (
    <div class="page files-page">
      <SubpageHead library={library} title={told.trashTitle(library.repo_name)}>
        {mayWrite && some.length > 0 && <Button tone="primary" onClick={() => void bringBack(some)}>{told.bringBack} ({some.length})</Button>}
        {mayWrite && isOwn(library) && trash.items.length > 0 && <Button tone="danger" onClick={() => setEmptying(true)}>{told.emptyTrash}</Button>}
      </SubpageHead>
      {trash.isLoading && (trash.error === null ? <Skeleton lines={6} /> : <Failure error={trash.error} retry={trash.reload} />)}
      {!trash.isLoading && trash.items.length === 0 && !trash.hasMore && (
        <EmptyState icon={<Trash2 />} title={told.trashEmpty}><p>{told.trashEmptyHint}</p></EmptyState>
      )}
      <ul class="files-old">
        {trash.items.map((entry) => (
          <Trashed key={keyOf(entry)} entry={entry} isChosen={chosen.has(keyOf(entry))} mayWrite={mayWrite} toggle={() => toggle(entry)}
            bringBack={() => void bringBack([entry])} />
        ))}
      </ul>
      {!trash.isLoading && trash.error !== null && <Failure error={trash.error} retry={trash.more} />}
      {trash.hasMore && <Button busy={trash.isAsking} onClick={trash.more}>{words.value.common.loadMore}</Button>}
      {isEmptying && <EmptyDialog library={library.repo_id} onClose={() => setEmptying(false)} emptied={trash.reload} />}
    </div>
  );
}

/** Entries are brought back from the state that last had them: one change for each of these. */
async function restoreAll(library: string, entries: readonly TrashedEntry[]): Promise<string> {
  const told = words.value.files.history;
  const byState = new Map<string, string[]>();
  for (const { commit_id: commit, parent_dir: parent, obj_name: name } of entries) {
    byState.set(commit, [...(byState.get(commit) ?? []), join(parent, name)]);
  }
  let count = 0;
  for (const [commit, paths] of byState) {
    const { success, failed } = await restoreEntries(library, commit, paths);
    count += success.length;
    if (failed.length > 0) throw new Error(`${told.notBroughtBack(failed[0]!.path)} ${failed[0]!.error_msg}`);
  }
  return told.broughtBack(count);
}

function Trashed({ entry, isChosen, mayWrite, toggle, bringBack }: {
  entry: TrashedEntry; isChosen: boolean; mayWrite: boolean; toggle: () => void; bringBack: () => void;
}) {
  const told = words.value.files;
  return (
    <li class="files-old-entry">
      {mayWrite && <input type="checkbox" checked={isChosen} aria-label={told.select(entry.obj_name)} onChange={toggle} />}
      <EntryIcon name={entry.obj_name} isFolder={entry.is_dir} />
      <span class="files-name">
        {entry.obj_name}
        <small class="hint">{told.history.from(entry.parent_dir)} · <When at={Date.parse(entry.deleted_time)} /></small>
      </span>
      <span class="muted files-old-facts">{entry.is_dir ? '' : renderBytes(entry.size, language.value)}</span>
      {mayWrite && <Button onClick={bringBack}>{told.history.bringBack}</Button>}
    </li>
  );
}

const DAYS = [0, 3, 7, 30, 90];

function EmptyDialog({ library, onClose, emptied }: { library: string; onClose: () => void; emptied: () => void }) {
  const told = words.value.files.history;
  const [days, setDays] = useState('0');
  const [busy, setBusy] = useState(false);
  const empty = async () => {
    setBusy(true);
    try {
      await emptyTrash(library, Number(days));
      say(told.emptied);
      onClose();
      emptied();
    } catch (error) {
      sayError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={told.emptySure} onClose={onClose} actions={<>
      <Button onClick={onClose}>{words.value.common.cancel}</Button>
      <Button tone="danger" busy={busy} onClick={() => void empty()}>{told.emptyTrash}</Button>
    </>}>
      <p>{told.emptyHint}</p>
      <SelectField label={told.emptyWhich} value={days} onValue={setDays}
        options={DAYS.map((count) => ({ value: String(count), label: count === 0 ? told.emptyAll : told.emptyOlder(count) }))} />
    </Dialog>
  );
}
