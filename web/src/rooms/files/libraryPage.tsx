// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Library as LibraryIcon, Lock } from 'lucide-preact';
import { Link } from 'wouter-preact';

import { ApiError } from '../../api/client';
import { loadLibrary, type Library } from '../../api/files';
import { useLoaded } from '../../ui/loaded';
import { EmptyState, Failure, Skeleton } from '../../ui/states';
import { useTitle } from '../../ui/title';
import { words } from '../../words';
import { FolderView } from './folder/folderView';
import { LibraryHistory } from './history/libraryHistory';
import { LibraryTrash } from './history/libraryTrash';
import { StateView } from './history/stateView';
import { watchLibrary } from './news';
import { PasswordForm } from './passwords';
import type { Place } from './paths';

/** What is seen of a library: a folder, a folder of an earlier state, the history, the trash. Made anew for every library. */
export function LibraryPage({ place, search }: { place: Place; search: URLSearchParams }) {
  const library = useLoaded((signal) => loadLibrary(place.library, signal), [place.library]);
  const { value } = library;
  if (value === undefined) {
    if (library.error instanceof ApiError && (library.error.status === 404 || library.error.status === 400)) {
      return <LibraryMissing />;
    }
    return <div class="page">{library.error === null ? <Skeleton lines={8} /> : <Failure error={library.error} retry={library.reload} />}</div>;
  }
  return value.lib_need_decrypt
    ? <Locked library={value} opened={() => library.show({ ...value, lib_need_decrypt: false })} />
    : <Inside library={value} place={place} search={search} changed={library.reload} />;
}

/** Where a library should be: it is gone, hidden from this person, or was never there. */
export function LibraryMissing() {
  const told = words.value.files;
  useTitle(told.libraryMissing);
  return (
    <EmptyState icon={<LibraryIcon />} title={told.libraryMissing}
      action={<Link href="/files" class="button button-primary">{told.toLibraries}</Link>}>
      <p>{told.libraryMissingHint}</p>
    </EmptyState>
  );
}

function Locked({ library, opened }: { library: Library; opened: () => void }) {
  const told = words.value.files;
  return (
    <div class="page files-locked">
      <h1 class="visually-hidden">{library.repo_name}</h1>
      <EmptyState icon={<Lock />} title={told.locked(library.repo_name)}
        action={<div class="card files-locked-form"><PasswordForm library={library.repo_id} opened={opened} /></div>}>
        <p>{told.lockedHint}</p>
        <p><Link href="/files">{told.toLibraries}</Link></p>
      </EmptyState>
    </div>
  );
}

function Inside({ library, place, search, changed }: { library: Library; place: Place; search: URLSearchParams; changed: () => void }) {
  const [turn, setTurn] = useState(0);
  useEffect(() => watchLibrary(library.repo_id, library.head_commit_id, () => setTurn((before) => before + 1)), [library.repo_id]);
  const state = search.get('state');
  if (state !== null) {
    return <StateView key={`${state}${place.path}`} library={library} place={place} commit={state} at={Number(search.get('at') ?? NaN)} />;
  }
  switch (search.get('show')) {
    case 'history':
      return <LibraryHistory library={library} turn={turn} />;
    case 'trash':
      return <LibraryTrash library={library} turn={turn} />;
    default:
      return <FolderView key={place.path} library={library} place={place} shown={search.get('file')} turn={turn} libraryChanged={changed} />;
  }
}
