// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useLocation } from 'wouter-preact';

import type { Library } from '../../../api/files';
import { makeFile, makeFolder, type Entry } from '../../../api/folders';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import { ConnectDialog } from '../connect/connectDialog';
import { EntrySheet } from '../history/entrySheet';
import { VersionsSheet } from '../history/versionsSheet';
import { LibrarySettings } from '../libraries/librarySettings';
import { join, pageOf, sameName, type Place } from '../paths';
import { rename } from './deeds';
import { NameDialog } from './nameDialog';
import { RelocateDialog } from './picker';

export type OpenDialog =
  | { kind: 'newFolder' | 'newFile' | 'connect' | 'settings' }
  | { kind: 'rename' | 'details' | 'versions'; entry: Entry }
  | { kind: 'relocate'; how: 'move' | 'copy'; entries: readonly Entry[] };

interface DialogsProps {
  dialog: OpenDialog;
  library: Library;
  place: Place;
  entries: readonly Entry[];
  onClose: () => void;
  /** Shows an entry before the list is asked for again. */
  add: (entry: Entry) => void;
  changed: () => void;
  libraryChanged: () => void;
}

/** The dialog that is open in front of a folder. */
export function FolderDialogs({ dialog, library, place, entries, onClose, add, changed, libraryChanged }: DialogsProps) {
  const told = words.value.files;
  const [, go] = useLocation();
  const taken = new Set(entries.map(({ name }) => sameName(name)));
  const made = (name: string) => { say(told.made(name)); changed(); };
  switch (dialog.kind) {
    case 'newFolder':
      return <NameDialog title={told.newFolder} label={told.newFolderName} deed={told.create} name={told.newFolderDefault} taken={taken}
        onClose={onClose} act={async (name) => made((await makeFolder(place.library, join(place.path, name))).obj_name)} />;
    case 'newFile':
      return <NameDialog title={told.newFile} label={told.newFileName} deed={told.create} name={told.newFileDefault} taken={taken}
        onClose={onClose} act={async (name) => {
          const { obj_name: given, obj_id: id, mtime } = await makeFile(place.library, join(place.path, name));
          add({ type: 'file', id, name: given, size: 0, mtime: Date.parse(mtime) / 1000 });
          made(given);
          go(`${pageOf(place)}?file=${encodeURIComponent(given)}`, { state: { fromFolder: true, edit: true } });
        }} />;
    case 'rename':
      taken.delete(sameName(dialog.entry.name));
      return <NameDialog title={told.renameOf(dialog.entry.name)} label={told.newName} deed={told.rename} name={dialog.entry.name} taken={taken}
        onClose={onClose} act={async (name) => { if (name !== dialog.entry.name) await rename(place, dialog.entry, name, changed); }} />;
    case 'relocate':
      return <RelocateDialog some={{ place, entries: dialog.entries }} how={dialog.how} onClose={onClose} changed={changed} />;
    case 'details':
      return <EntrySheet library={library} place={place} entry={dialog.entry} onClose={onClose} changed={changed} />;
    case 'versions':
      return <VersionsSheet library={library} path={join(place.path, dialog.entry.name)} onClose={onClose} changed={changed} />;
    case 'connect':
      return <ConnectDialog library={library} onClose={onClose} />;
    case 'settings':
      return <LibrarySettings library={library} onClose={onClose} changed={libraryChanged} gone={() => go('/files')} />;
  }
}
