// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useLocation, useSearch } from 'wouter-preact';

import { PopupMenu } from '../../ui/popupMenu';
import { ConflictQuestion } from './conflictQuestion';
import { DeletedLibraries } from './libraries/deletedLibraries';
import { LibrariesPage } from './libraries/librariesPage';
import { LibraryMissing, LibraryPage } from './libraryPage';
import { PasswordQuestion } from './passwords';
import { placeOf } from './paths';
import { SearchResults } from './search/searchResults';
import { TransferPanel } from './transfers/transferPanel';
import './files.css';
import './folder.css';
import './preview.css';

/** The room of files: libraries, and what is in them. */
export function Files() {
  return (
    <>
      <Pages />
      <TransferPanel />
      <PopupMenu />
      <ConflictQuestion />
      <PasswordQuestion />
    </>
  );
}

function Pages() {
  const [path] = useLocation();
  const search = new URLSearchParams(useSearch());
  // Not the path that the router has decoded: names may hold anything, percent signs and slashes of their own included.
  const place = placeOf(window.location.pathname);
  if (place !== null) {
    return <LibraryPage key={place.library} place={place} search={search} />;
  }
  if (path === '/files/deleted') {
    return <DeletedLibraries />;
  }
  if (path === '/files/search') {
    const text = search.get('q') ?? '';
    const library = search.get('library');
    return <SearchResults key={`${text} ${library ?? ''}`} text={text} library={library} />;
  }
  return path === '/files' || path === '/files/' ? <LibrariesPage /> : <LibraryMissing />;
}
