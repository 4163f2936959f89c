// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { FolderOpen, History, Library as LibraryIcon, Lock, Monitor, MoreHorizontal, Settings, Trash2 } from 'lucide-preact';
import { Link, useLocation } from 'wouter-preact';

import { deleteLibrary, restoreLibrary, type Library } from '../../../api/files';
import { confirm } from '../../../ui/confirm';
import { Menu, type MenuItem } from '../../../ui/menu';
import { renderBytes } from '../../../ui/sizes';
import { say, sayError, sayWithUndo } from '../../../ui/toast';
import { me } from '../../../shell/session';
import { language, words } from '../../../words';
import { ConnectDialog } from '../connect/connectDialog';
import { pageOf, ROOT } from '../paths';
import { When } from '../when';

export const isOwn = (library: Library): boolean => library.owner_email === me.value?.user?.email;

/** Asks, puts it among the deleted ones, and offers to take that back. Whether it is gone. */
export async function askAndDelete(library: Library, changed: () => void): Promise<boolean> {
  const told = words.value.files.libraries;
  const { repo_id: id, repo_name: name } = library;
  if (!await confirm({ title: told.deleteSure(name), text: told.deleteHint, deed: told.delete })) {
    return false;
  }
  try {
    await deleteLibrary(id);
  } catch (error) {
    sayError(error);
    return false;
  }
  changed();
  sayWithUndo(told.deleted(name), () => {
    restoreLibrary(id).then(() => { say(told.restored(name)); changed(); }, sayError);
  });
  return true;
}

export function LibraryCard({ library, changed, openSettings }: { library: Library; changed: () => void; openSettings: () => void }) {
  const told = words.value.files;
  const [, go] = useLocation();
  const [isConnecting, setConnecting] = useState(false);
  const page = pageOf({ library: library.repo_id, path: ROOT });
  const items: (MenuItem | null)[] = [
    { label: told.open, icon: <FolderOpen />, run: () => go(page) },
    { label: told.connectLibrary, icon: <Monitor />, run: () => setConnecting(true) },
    { label: told.historyOf, icon: <History />, run: () => go(`${page}?show=history`) },
    { label: told.trash, icon: <Trash2 />, run: () => go(`${page}?show=trash`) },
    ...(isOwn(library) && library.permission === 'rw' ? [
      { label: told.settings, icon: <Settings />, run: openSettings },
      null,
      { label: told.libraries.delete, icon: <Trash2 />, tone: 'danger' as const, run: () => void askAndDelete(library, changed) },
    ] : []),
  ];
  return (
    <li class="card files-library">
      <span class="files-library-icon" aria-hidden="true">{library.encrypted ? <Lock /> : <LibraryIcon />}</span>
      <div class="files-library-text">
        <Link href={page} class="files-library-name">{library.repo_name}</Link>
        {library.repo_desc && <p class="files-library-about">{library.repo_desc}</p>}
        <p class="muted files-library-facts">
          <span>{renderBytes(library.size, language.value)}</span>
          <span>{told.libraries.filesCount(library.file_count)}</span>
          <span>{told.changed} <When at={Date.parse(library.last_modified)} /></span>
          {!isOwn(library) && <span>{told.libraries.owner(library.owner_name || library.owner_email)}</span>}
          {library.encrypted === 1 && <span class="badge">{told.encrypted}</span>}
        </p>
      </div>
      <Menu label={told.libraries.menu(library.repo_name)} items={items}><MoreHorizontal /></Menu>
      {isConnecting && <ConnectDialog library={library} onClose={() => setConnecting(false)} />}
    </li>
  );
}
