// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Library as LibraryIcon, Monitor, MoreHorizontal, Plus, Trash2 } from 'lucide-preact';
import { useLocation } from 'wouter-preact';

import { listLibraries, loadSpace, type Library } from '../../../api/files';
import { Button } from '../../../ui/button';
import { useLoaded } from '../../../ui/loaded';
import { Menu } from '../../../ui/menu';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { words } from '../../../words';
import { ConnectDialog } from '../connect/connectDialog';
import { SearchField } from '../search/searchField';
import { onLook } from '../news';
import { LibraryCard } from './libraryCard';
import { LibrarySettings } from './librarySettings';
import { NewLibraryDialog } from './newLibrary';
import { SpaceBar } from './spaceBar';

const LOOK_EVERY_MS = 30_000;

/** All libraries of a person. */
export function LibrariesPage() {
  const told = words.value.files.libraries;
  const [, go] = useLocation();
  const libraries = useLoaded(listLibraries, []);
  const space = useLoaded(loadSpace, []);
  const [isMaking, setMaking] = useState(false);
  const [isConnecting, setConnecting] = useState(false);
  const [settingsOf, setSettingsOf] = useState<Library | null>(null);
  const reload = () => { libraries.reload(); space.reload(); };
  useEffect(() => onLook(reload, LOOK_EVERY_MS), []);
  const mayMake = space.value?.can_add_repo ?? false;
  return (
    <div class="page">
      <header class="page-head">
        <h1>{told.title}</h1>
        <SearchField library={null} />
        {mayMake && <Button tone="primary" onClick={() => setMaking(true)}><Plus />{told.new}</Button>}
        <Menu label={words.value.files.moreActions} items={[
          { label: words.value.files.connectLibrary, icon: <Monitor />, run: () => setConnecting(true) },
          { label: told.deletedTitle, icon: <Trash2 />, run: () => go('/files/deleted') },
        ]}><MoreHorizontal /></Menu>
      </header>
      <Libraries libraries={libraries.value} error={libraries.error} mayMake={mayMake} retry={reload}
        make={() => setMaking(true)} changed={reload} openSettings={setSettingsOf} />
      {space.value && <SpaceBar space={space.value} />}
      {isMaking && <NewLibraryDialog onClose={() => setMaking(false)} />}
      {isConnecting && <ConnectDialog library={null} onClose={() => setConnecting(false)} />}
      {settingsOf && <LibrarySettings library={settingsOf} onClose={() => setSettingsOf(null)} changed={reload} />}
    </div>
  );
}

function Libraries({ libraries, error, mayMake, retry, make, changed, openSettings }: {
  libraries: Library[] | undefined; error: unknown; mayMake: boolean;
  retry: () => void; make: () => void; changed: () => void; openSettings: (library: Library) => void;
}) {
  const told = words.value.files.libraries;
  if (libraries === undefined) {
    return error === null ? <Skeleton lines={6} /> : <Failure error={error} retry={retry} />;
  }
  if (libraries.length === 0) {
    return (
      <EmptyState icon={<LibraryIcon />} title={told.emptyTitle} action={mayMake && <Button tone="primary" onClick={make}>{told.new}</Button>}>
        <p>{mayMake ? told.emptyHint : told.emptyReadOnly}</p>
      </EmptyState>
    );
  }
  const sorted = [...libraries].sort((a, b) => b.last_modified.localeCompare(a.last_modified));
  return (
    <>
      <ul class="files-libraries">
        {sorted.map((library) => (
          <LibraryCard key={library.repo_id} library={library} changed={changed} openSettings={() => openSettings(library)} />
        ))}
      </ul>
      {libraries.every((library) => library.file_count === 0) && <p class="muted files-first">{told.firstSteps}</p>}
    </>
  );
}
