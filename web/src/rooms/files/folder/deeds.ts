// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { restoreEntries } from '../../../api/fileHistory';
import { loadLibrary, type Library } from '../../../api/files';
import { deleteEntries, relocate, renameEntry, type ConflictPolicy, type Entry, type Relocation } from '../../../api/folders';
import { say, sayError, sayWithUndo } from '../../../ui/toast';
import { words } from '../../../words';
import { askAboutTaken } from '../conflictQuestion';
import { join, nameOf, sameName, type Place } from '../paths';
import { runTask } from '../transfers/tasks';
import type { OnTaken } from '../uploads/plan';

/** Entries of one folder. */
export interface Some {
  place: Place;
  entries: readonly Entry[];
}

const namesOf = (entries: readonly Entry[]): string[] => entries.map((entry) => entry.name);

/** Puts entries into the trash, and offers to bring them back from the state before. */
export async function remove({ place: { library, path }, entries }: Some, changed: () => void): Promise<void> {
  const told = words.value.files;
  try {
    const { head_commit_id: before } = await loadLibrary(library);
    await deleteEntries(library, path, namesOf(entries));
    changed();
    sayWithUndo(told.deleted(entries[0]!.name, entries.length), () => {
      restoreEntries(library, before, namesOf(entries).map((name) => join(path, name)))
        .then(({ success }) => { say(told.restored(success.length)); changed(); }, sayError);
    });
  } catch (error) {
    sayError(error);
    changed();
  }
}

/** Gives an entry another name. Throws. */
export async function rename({ library, path }: Place, entry: Entry, name: string, changed: () => void): Promise<void> {
  const { obj_name: given } = await renameEntry(library, entry.type, join(path, entry.name), name);
  changed();
  sayWithUndo(words.value.files.renamed(given), () => {
    renameEntry(library, entry.type, join(path, given), entry.name).then(changed, sayError);
  });
}

const POLICIES: Record<OnTaken, ConflictPolicy> = { replace: 'replace', keepBoth: 'autorename', skip: 'skip' };

export interface Destination {
  library: Library;
  folder: string;
  /** What is in that folder. */
  names: readonly string[];
}

/** Moves or copies entries, after asking about names that are taken. Whether it was done or begun. */
export async function relocateSome({ place, entries }: Some, how: Relocation['how'], to: Destination, changed: () => void): Promise<boolean> {
  const taken = new Set(to.names.map(sameName));
  const isSameFolder = to.library.repo_id === place.library && to.folder === place.path;
  const conflicts = isSameFolder ? [] : namesOf(entries).filter((name) => taken.has(sameName(name)));
  const choice = conflicts.length === 0 ? 'keepBoth' : await askAboutTaken(conflicts);
  if (choice === null) {
    return false;
  }
  const relocation: Relocation = {
    how, policy: POLICIES[choice], from: { library: place.library, folder: place.path, names: namesOf(entries) },
    to: { library: to.library.repo_id, folder: to.folder },
  };
  if (to.library.repo_id === place.library) {
    await relocateWithin(relocation, conflicts.length === 0, changed);
  } else {
    void runTask(relocation, to.library.repo_name).then(changed, sayError);
  }
  return true;
}

async function relocateWithin(relocation: Relocation, mayUndo: boolean, changed: () => void): Promise<void> {
  const told = words.value.files;
  const { how, from, to } = relocation;
  try {
    await relocate(relocation);
    changed();
    const folder = nameOf(to.folder) || '/';
    if (how === 'copy') {
      say(told.copied(from.names.length, folder));
    } else if (!mayUndo) {
      say(told.moved(from.names.length, folder));
    } else {
      sayWithUndo(told.moved(from.names.length, folder), () => {
        relocate({ ...relocation, from: { ...to, names: from.names }, to: { library: from.library, folder: from.folder } }).then(changed, sayError);
      });
    }
  } catch (error) {
    sayError(error);
    changed();
  }
}
