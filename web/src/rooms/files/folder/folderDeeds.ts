// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useLocation } from 'wouter-preact';

import type { Library } from '../../../api/files';
import { listFolder, type Entry, type Listing } from '../../../api/folders';
import type { Loaded } from '../../../ui/loaded';
import { sayError } from '../../../ui/toast';
import { download } from '../downloads';
import { join, pageOf, type Place } from '../paths';
import type { EntryDeeds } from './actions';
import { relocateSome, remove } from './deeds';
import type { OpenDialog } from './folderDialogs';

interface FolderDeeds extends EntryDeeds {
  /** Moves entries that were dropped on a folder. */
  moveTo: (folder: string, entries: readonly Entry[]) => void;
}

/** What can be done in a folder: at once, or by a dialog. */
export function useFolderDeeds(
  library: Library, place: Place, listing: Loaded<Listing>, openDialog: (dialog: OpenDialog) => void,
): FolderDeeds {
  const [, go] = useLocation();
  // The list shows it at once; what the server says of it follows.
  const hide = (entries: readonly Entry[]) => {
    const gone = new Set(entries.map((entry) => entry.name));
    const before = listing.value!;
    listing.show({ ...before, dirent_list: before.dirent_list.filter((entry) => !gone.has(entry.name)) });
  };
  const moveTo = async (folder: string, entries: readonly Entry[]) => {
    const { dirent_list: there } = await listFolder(place.library, folder);
    await relocateSome({ place, entries }, 'move', { library, folder, names: there.map((entry) => entry.name) }, listing.reload);
  };
  return {
    open: (entry) => (entry.type === 'dir'
      ? go(pageOf({ ...place, path: join(place.path, entry.name) }))
      : go(`${pageOf(place)}?file=${encodeURIComponent(entry.name)}`, { state: { fromFolder: true } })),
    download: (entries) => void download(place.library, place.path, entries),
    rename: (entry) => openDialog({ kind: 'rename', entry }),
    relocate: (how, entries) => openDialog({ kind: 'relocate', how, entries }),
    details: (entry) => openDialog({ kind: 'details', entry }),
    versions: (entry) => openDialog({ kind: 'versions', entry }),
    remove: (entries) => {
      hide(entries);
      void remove({ place, entries }, listing.reload);
    },
    moveTo: (folder, entries) => void moveTo(folder, entries).catch(sayError),
  };
}
