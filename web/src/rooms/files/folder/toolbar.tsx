// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useRef } from 'preact/hooks';
import {
  FilePlus, FileUp, FolderPlus, FolderUp, History, LayoutGrid, List, Monitor, MoreHorizontal, Plus, RefreshCw, Settings, Trash2, Upload, X,
} from 'lucide-preact';
import { useLocation } from 'wouter-preact';

import type { Library } from '../../../api/files';
import type { Entry } from '../../../api/folders';
import { Button, IconButton } from '../../../ui/button';
import { Menu, type MenuItem } from '../../../ui/menu';
import { words } from '../../../words';
import { isOwn } from '../libraries/libraryCard';
import { useNarrow } from '../narrow';
import { pageOf, ROOT } from '../paths';
import { SearchField } from '../search/searchField';
import { pickedFromInput, type Picked } from '../uploads/picked';
import { entryMenu, type EntryDeeds } from './actions';

export type Look = 'table' | 'grid';

export interface ToolbarProps {
  library: Library;
  mayWrite: boolean;
  look: Look;
  setLook: (look: Look) => void;
  upload: (picked: Picked) => void;
  newFolder: () => void;
  newFile: () => void;
  connect: () => void;
  settings: () => void;
  reload: () => void;
}

/** What can be done with a folder. */
export function Toolbar({ library, mayWrite, look, setLook, upload, newFolder, newFile, connect, settings, reload }: ToolbarProps) {
  const told = words.value.files;
  const [, go] = useLocation();
  const page = pageOf({ library: library.repo_id, path: ROOT });
  const more: (MenuItem | null)[] = [
    { label: told.refresh, icon: <RefreshCw />, run: reload },
    { label: told.connectLibrary, icon: <Monitor />, run: connect },
    { label: told.historyOf, icon: <History />, run: () => go(`${page}?show=history`) },
    { label: told.trash, icon: <Trash2 />, run: () => go(`${page}?show=trash`) },
    ...(mayWrite && isOwn(library) ? [null, { label: told.librarySettings, icon: <Settings />, run: settings }] : []),
  ];
  return (
    <div class="files-bar">
      {mayWrite && <UploadMenu upload={upload} />}
      {mayWrite && (
        <Menu label={told.create} class="button" items={[
          { label: told.newFolder, icon: <FolderPlus />, run: newFolder },
          { label: told.newFile, icon: <FilePlus />, run: newFile },
        ]}><Plus /><span class="files-bar-word files-bar-wide">{told.create}</span></Menu>
      )}
      <SearchField library={library.repo_id} />
      <div class="segments" role="group" aria-label={told.look}>
        {([['table', <List />], ['grid', <LayoutGrid />]] as const).map(([one, icon]) => (
          <button key={one} type="button" aria-pressed={look === one} aria-label={told[one]} title={told[one]} onClick={() => setLook(one)}>
            {icon}
          </button>
        ))}
      </div>
      <Menu label={told.moreActions} items={more}><MoreHorizontal /></Menu>
    </div>
  );
}

function UploadMenu({ upload }: { upload: (picked: Picked) => void }) {
  const told = words.value.files;
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const picked = (input: HTMLInputElement) => {
    upload(pickedFromInput(input.files ?? []));
    // So that the same file can be chosen again.
    input.value = '';
  };
  return (
    <>
      <Menu label={told.upload} class="button button-primary" items={[
        { label: told.uploadFiles, icon: <FileUp />, run: () => files.current!.click() },
        { label: told.uploadFolder, icon: <FolderUp />, run: () => folder.current!.click() },
      ]}><Upload /><span class="files-bar-word">{told.upload}</span></Menu>
      <input ref={files} type="file" multiple hidden aria-label={told.uploadFiles} onChange={(event) => picked(event.currentTarget)} />
      <input ref={folder} type="file" hidden aria-label={told.uploadFolder} onChange={(event) => picked(event.currentTarget)}
        {...{ webkitdirectory: true }} />
    </>
  );
}

/** What can be done with what is selected; takes the place of the other bar meanwhile. */
export function SelectionBar({ entries, deeds, mayWrite, clear }: {
  entries: readonly Entry[]; deeds: EntryDeeds; mayWrite: boolean; clear: () => void;
}) {
  const told = words.value.files;
  const isNarrow = useNarrow();
  const items = entryMenu(entries, deeds, mayWrite).filter((item): item is MenuItem => item !== null);
  const usual = [told.download, told.downloadArchive, told.move, told.delete];
  const shown = isNarrow ? items.filter(({ label }) => usual.includes(label)) : items;
  const rest = items.filter((item) => !shown.includes(item));
  return (
    <div class="files-bar files-bar-selection">
      <IconButton label={told.clearSelection} onClick={clear}><X /></IconButton>
      <strong role="status">{told.selected(entries.length)}</strong>
      <div class="files-bar-deeds" role="toolbar" aria-label={told.selected(entries.length)}>
        {shown.map((item) => (
          <Button key={item.label} tone={item.tone === 'danger' ? 'danger' : 'plain'} onClick={item.run} title={item.label} aria-label={item.label}>
            {item.icon}<span class="files-bar-word">{item.label}</span>
          </Button>
        ))}
        {rest.length > 0 && <Menu label={told.moreActions} items={rest}><MoreHorizontal /></Menu>}
      </div>
    </div>
  );
}
