// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** A file that somebody chose or dropped, with the folders it came in: "" or "Photos/2024". */
export interface PickedFile {
  file: File;
  relative: string;
}

export interface Picked {
  files: PickedFile[];
  /** Folders without anything in them, which no file would bring along. */
  emptyFolders: string[];
}

// Left behind by systems in every folder they show; nobody means to upload them.
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** What an <input type="file"> holds, of files or of a whole folder. */
export function pickedFromInput(list: Iterable<File>): Picked {
  const files = [...list]
    .map((file) => ({ file, relative: (file.webkitRelativePath || '').split('/').slice(0, -1).join('/') }))
    .filter(({ file, relative }) => relative === '' || !LITTER.has(file.name));
  return { files, emptyFolders: [] };
}

/** What was dropped. The list of a drop is gone after the event: this reads it before it first waits. */
export function pickedFromDrop(items: DataTransferItemList): Promise<Picked> {
  const entries: FileSystemEntry[] = [];
  const loose: PickedFile[] = [];
  for (const item of items) {
    if (item.kind !== 'file') {
      continue;
    }
    const entry = item.webkitGetAsEntry();
    const file = entry === null ? item.getAsFile() : null;
    if (entry !== null) {
      entries.push(entry);
    } else if (file !== null) {
      loose.push({ file, relative: '' });
    }
  }
  return gather(entries, { files: loose, emptyFolders: [] });
}

async function gather(entries: FileSystemEntry[], picked: Picked): Promise<Picked> {
  for (const entry of entries) {
    await gatherEntry(entry, '', picked);
  }
  return picked;
}

async function gatherEntry(entry: FileSystemEntry, relative: string, picked: Picked): Promise<void> {
  if (entry.isFile) {
    if (relative === '' || !LITTER.has(entry.name)) {
      picked.files.push({ file: await fileOf(entry as FileSystemFileEntry), relative });
    }
    return;
  }
  const below = relative === '' ? entry.name : `${relative}/${entry.name}`;
  const children = await childrenOf(entry as FileSystemDirectoryEntry);
  if (children.length === 0) {
    picked.emptyFolders.push(below);
  }
  for (const child of children) {
    await gatherEntry(child, below, picked);
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject));

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  // Browsers hand them out a hundred at a time, and an empty list at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) {
      return children;
    }
    children.push(...some);
  }
}
