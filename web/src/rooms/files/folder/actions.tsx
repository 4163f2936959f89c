// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Copy, Download, Eye, FolderInput, FolderOpen, History, Info, Pencil, Trash2 } from 'lucide-preact';

import type { Entry } from '../../../api/folders';
import type { MenuItem } from '../../../ui/menu';
import { words } from '../../../words';

/** What can be done with entries. */
export interface EntryDeeds {
  open: (entry: Entry) => void;
  download: (entries: readonly Entry[]) => void;
  rename: (entry: Entry) => void;
  relocate: (how: 'move' | 'copy', entries: readonly Entry[]) => void;
  details: (entry: Entry) => void;
  versions: (entry: Entry) => void;
  remove: (entries: readonly Entry[]) => void;
}

/** The menu of what is selected. */
export function entryMenu(entries: readonly Entry[], deeds: EntryDeeds, mayWrite: boolean): (MenuItem | null)[] {
  const told = words.value.files;
  const one = entries.length === 1 ? entries[0]! : null;
  const isFile = one?.type === 'file';
  const items: (MenuItem | null | false)[] = [
    one !== null && { label: told.open, icon: isFile ? <Eye /> : <FolderOpen />, run: () => deeds.open(one) },
    { label: isFile ? told.download : told.downloadArchive, icon: <Download />, run: () => deeds.download(entries) },
    null,
    mayWrite && one !== null && { label: told.rename, icon: <Pencil />, run: () => deeds.rename(one) },
    mayWrite && { label: told.move, icon: <FolderInput />, run: () => deeds.relocate('move', entries) },
    { label: told.copy, icon: <Copy />, run: () => deeds.relocate('copy', entries) },
    one !== null && null,
    one !== null && { label: told.details, icon: <Info />, run: () => deeds.details(one) },
    isFile && { label: told.versions, icon: <History />, run: () => deeds.versions(one) },
    mayWrite && null,
    mayWrite && { label: told.delete, icon: <Trash2 />, tone: 'danger' as const, run: () => deeds.remove(entries) },
  ];
  return items.filter((item): item is MenuItem | null => item !== false);
}

/** What a key does with what is selected; nothing for keys without a meaning. */
export function deedOfKey(key: string, entries: readonly Entry[], deeds: EntryDeeds, mayWrite: boolean): (() => void) | null {
  if (!mayWrite || entries.length === 0) return null;
  if (key === 'Delete') return () => deeds.remove(entries);
  return key === 'F2' && entries.length === 1 ? () => deeds.rename(entries[0]!) : null;
}
