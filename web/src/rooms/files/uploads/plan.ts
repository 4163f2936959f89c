// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { freeName, join, sameName } from '../paths';
import type { Target } from './item';
import type { PickedFile } from './picked';

/** What becomes of files whose name is taken. */
export type OnTaken = 'replace' | 'keepBoth' | 'skip';

/** Names that are taken, by the folder they are in, and by what. */
export type TakenNames = ReadonlyMap<string, ReadonlyMap<string, 'file' | 'dir'>>;

export interface PlannedFile {
  target: Target;
  content: File;
}

const folderFor = (folder: string, { relative }: PickedFile): string => join(folder, relative);

/** The first folders below which files go: those that may be there already and have to be looked at. */
export function firstFolders(files: readonly PickedFile[]): string[] {
  return [...new Set(files.map(({ relative }) => relative.split('/')[0]!).filter((name) => name !== ''))];
}

/** Files whose name is taken where they go. */
export function conflictsOf(folder: string, files: readonly PickedFile[], taken: TakenNames): PickedFile[] {
  return files.filter((picked) => taken.get(sameName(folderFor(folder, picked)))?.has(sameName(picked.file.name)));
}

/** Where each file goes. With `keepBoth` they get names that are free, also among themselves; a folder is never replaced by a file. */
export function planUploads(
  place: { library: string; folder: string }, files: readonly PickedFile[], taken: TakenNames, onTaken: OnTaken,
): PlannedFile[] {
  const conflicting = new Set(conflictsOf(place.folder, files, taken));
  const names = new Map([...taken].map(([folder, some]) => [folder, new Set(some.keys())]));
  const planned: PlannedFile[] = [];
  for (const picked of files) {
    const folder = sameName(folderFor(place.folder, picked));
    const isTaken = conflicting.has(picked);
    if (isTaken && onTaken === 'skip') {
      continue;
    }
    const used = names.get(folder) ?? new Set<string>();
    const replace = isTaken && onTaken === 'replace' && taken.get(folder)!.get(sameName(picked.file.name)) === 'file';
    const name = replace ? picked.file.name : freeName(picked.file.name, used);
    names.set(folder, used.add(sameName(name)));
    planned.push({ target: { ...place, relative: picked.relative, name, replace }, content: picked.file });
  }
  return planned;
}
