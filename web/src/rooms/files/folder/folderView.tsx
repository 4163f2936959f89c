// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { FolderOpen, FolderX } from 'lucide-preact';
import { Link, useLocation } from 'wouter-preact';

import { ApiError } from '../../../api/client';
import type { Library } from '../../../api/files';
import type { Entry, Listing } from '../../../api/folders';
import type { Loaded } from '../../../ui/loaded';
import { openMenu } from '../../../ui/popupMenu';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { language, words } from '../../../words';
import { isWithin, nameOf, pageOf, parentOf, ROOT, type Place } from '../paths';
import { FolderPreview } from '../preview/folderPreview';
import { onArrival, upload } from '../uploads/store';
import { deedOfKey, entryMenu } from './actions';
import { Breadcrumbs } from './breadcrumbs';
import { DropZone } from './dropZone';
import type { EntriesProps } from './entries';
import { EntryGrid } from './entryGrid';
import { EntryTable } from './entryTable';
import { useFolderDeeds } from './folderDeeds';
import { FolderDialogs, type OpenDialog } from './folderDialogs';
import { useListing } from './listing';
import { kept, none, NOTHING } from './selection';
import { rememberedSorting, rememberSorting, sortedBy, sortEntries, type SortKey } from './sorting';
import { SelectionBar, Toolbar, type Look } from './toolbar';

interface FolderViewProps {
  library: Library;
  place: Place;
  /** The file that is shown in front of the folder. */
  shown: string | null;
  /** Goes up when the library has changed. */
  turn: number;
  libraryChanged: () => void;
}

/** A folder of a library. Made anew for every folder. */
export function FolderView({ library, place, shown, turn, libraryChanged }: FolderViewProps) {
  const listing = useListing(place.library, place.path);
  const [dialog, openDialog] = useState<OpenDialog | null>(null);
  const [look, setLook] = useLook();
  const [sorting, sortBy] = useSorting();
  const [selection, select] = useState(NOTHING);
  const deeds = useFolderDeeds(library, place, listing, openDialog);
  const [, go] = useLocation();
  const entries = useMemo(() => sortEntries(listing.value?.dirent_list ?? [], sorting, language.value), [listing.value, sorting, language.value]);
  const chosenOf = (names: ReadonlySet<string>) => entries.filter((entry) => names.has(entry.name));
  const chosen = useMemo(() => chosenOf(selection.chosen), [entries, selection.chosen]);
  const mayWrite = library.permission === 'rw';
  useEffect(() => { select((before) => kept(new Set(entries.map((entry) => entry.name)), before)); }, [entries]);
  useNews(place, listing, turn);

  const moveTo = (folder: string) => deeds.moveTo(folder, chosen);
  const up = () => go(pageOf({ ...place, path: parentOf(place.path) }));
  const props: EntriesProps = {
    place, entries, selection, select, open: deeds.open, mayMove: mayWrite, moveTo,
    openMenuAt: (point, names) => {
      const some = chosenOf(names);
      openMenu(words.value.files.entryMenu(some[0]?.name ?? ''), entryMenu(some, deeds, mayWrite), point);
    },
    keyDeed: (key) => (key === 'Backspace' && place.path !== ROOT ? up : deedOfKey(key, chosen, deeds, mayWrite)),
  };
  return (
    <DropZone name={nameOf(place.path) || library.repo_name} enabled={mayWrite && listing.value !== undefined}
      drop={(picked) => void upload(place, picked)}>
      <div class="page files-page">
        <Breadcrumbs place={place} libraryName={library.repo_name} moveTo={mayWrite ? moveTo : undefined} />
        {!mayWrite && <p class="notice">{words.value.files.readOnly}</p>}
        <div class="files-bars">
          {chosen.length > 0
            ? <SelectionBar entries={chosen} deeds={deeds} mayWrite={mayWrite} clear={() => select(none(selection))} />
            : <Toolbar library={library} mayWrite={mayWrite} look={look} setLook={setLook} upload={(picked) => void upload(place, picked)}
              newFolder={() => openDialog({ kind: 'newFolder' })} newFile={() => openDialog({ kind: 'newFile' })}
              connect={() => openDialog({ kind: 'connect' })} settings={() => openDialog({ kind: 'settings' })} reload={listing.reload} />}
        </div>
        <Content listing={listing} place={place} mayWrite={mayWrite}>
          {look === 'grid' ? <EntryGrid {...props} /> : <EntryTable {...props} sorting={sorting} sortBy={sortBy} />}
          <Counts entries={entries} />
        </Content>
      </div>
      {dialog && <FolderDialogs dialog={dialog} library={library} place={place} entries={entries} onClose={() => openDialog(null)}
        add={(entry) => listing.show({ ...listing.value!, dirent_list: [...listing.value!.dirent_list, entry] })}
        changed={listing.reload} libraryChanged={libraryChanged} />}
      {shown !== null && listing.value && (
        <FolderPreview place={place} entries={entries} shown={shown} mayWrite={mayWrite} deeds={deeds} changed={listing.reload} />
      )}
    </DropZone>
  );
}

function Content({ listing, place, mayWrite, children }: {
  listing: Loaded<Listing>; place: Place; mayWrite: boolean; children: ComponentChildren;
}) {
  const told = words.value.files;
  const isMissing = listing.error instanceof ApiError && listing.error.status === 404;
  if (isMissing) {
    return (
      <EmptyState icon={<FolderX />} title={told.folderMissing}
        action={<Link href={pageOf({ ...place, path: ROOT })} class="button">{told.toLibrary}</Link>}>
        <p>{told.folderMissingHint}</p>
      </EmptyState>
    );
  }
  if (listing.value === undefined) {
    return listing.error === null ? <Skeleton lines={8} /> : <Failure error={listing.error} retry={listing.reload} />;
  }
  if (listing.value.dirent_list.length === 0) {
    return (
      <EmptyState icon={<FolderOpen />} title={told.folderEmpty}>
        <p>{mayWrite ? told.folderEmptyHint : told.folderEmptyReadOnly}</p>
      </EmptyState>
    );
  }
  return <>{children}</>;
}

function Counts({ entries }: { entries: readonly Entry[] }) {
  const folders = entries.filter((entry) => entry.type === 'dir').length;
  return <p class="muted files-counts">{words.value.files.count(folders, entries.length - folders)}</p>;
}

/** Looks again when the library has changed, or files have arrived here. */
function useNews(place: Place, listing: Loaded<Listing>, turn: number): void {
  useEffect(() => { if (turn > 0) listing.reload(); }, [turn]);
  useEffect(() => onArrival((library, folder) => { if (library === place.library && isWithin(folder, place.path)) listing.reload(); }), []);
}

const LOOK_KEY = 'atrium.files.look';

function useLook(): [Look, (look: Look) => void] {
  const [look, setLook] = useState<Look>(localStorage.getItem(LOOK_KEY) === 'grid' ? 'grid' : 'table');
  return [look, (next) => { localStorage.setItem(LOOK_KEY, next); setLook(next); }];
}

function useSorting() {
  const [sorting, setSorting] = useState(rememberedSorting);
  const sortBy = (key: SortKey) => {
    const next = sortedBy(sorting, key);
    rememberSorting(next);
    setSorting(next);
  };
  return [sorting, sortBy] as const;
}
