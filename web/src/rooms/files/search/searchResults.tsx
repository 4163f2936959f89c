// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ChevronLeft, FolderOpen, SearchX } from 'lucide-preact';
import { Link } from 'wouter-preact';

import { searchNames, type FoundEntry } from '../../../api/fileSearch';
import { loadLibrary } from '../../../api/files';
import { Button } from '../../../ui/button';
import { useLoaded } from '../../../ui/loaded';
import { renderBytes } from '../../../ui/sizes';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { language, words } from '../../../words';
import { usePages } from '../history/pages';
import { EntryIcon } from '../icons';
import { join, nameOf, pageOf, parentOf, ROOT } from '../paths';
import { When } from '../when';
import { SearchField, searchPage } from './searchField';

/** What was found, in one library or in all. */
export function SearchResults({ text, library }: { text: string; library: string | null }) {
  const told = words.value.files;
  const within = useLoaded(async (signal) => (library === null ? null : loadLibrary(library, signal)), [library]);
  const found = usePages<FoundEntry & { isCutOff: boolean }, number>(async (page, signal) => {
    if (text === '') return { items: [], next: null };
    const reply = await searchNames(text, library, page ?? 1, signal);
    return { items: reply.results.map((one) => ({ ...one, isCutOff: reply.is_cut_off })), next: reply.has_more ? (page ?? 1) + 1 : null };
  }, [text, library]);
  const name = within.value?.repo_name;
  return (
    <div class="page files-page">
      <Link href={library === null ? '/files' : pageOf({ library, path: ROOT })} class="files-back"><ChevronLeft />{name ?? told.toLibraries}</Link>
      <header class="page-head">
        <h1>{told.searchTitle(text)} {name && <span class="muted">{told.searchIn(name)}</span>}</h1>
        <SearchField key={text} library={library} text={text} />
      </header>
      {library !== null && <p><Link href={searchPage(text, null)}>{told.searchEverywhere}</Link></p>}
      {found.isLoading && (found.error === null ? <Skeleton lines={6} /> : <Failure error={found.error} retry={found.reload} />)}
      {!found.isLoading && (found.items.length === 0
        ? <EmptyState icon={<SearchX />} title={told.foundNothing}><p>{told.foundNothingHint}</p></EmptyState>
        : <p class="muted" role="status">{told.found(found.items.length, found.hasMore)}</p>)}
      {found.items.some((one) => one.isCutOff) && <p class="notice notice-warn">{told.cutOff}</p>}
      <ul class="files-old">{found.items.map((one) => <Found key={`${one.repo_id}${one.fullpath}`} found={one} />)}</ul>
      {found.hasMore && <Button busy={found.isAsking} onClick={found.more}>{words.value.common.loadMore}</Button>}
    </div>
  );
}

function Found({ found }: { found: FoundEntry }) {
  const told = words.value.files;
  const path = join(found.fullpath);
  const folder = pageOf({ library: found.repo_id, path: parentOf(path) });
  const page = found.is_dir ? pageOf({ library: found.repo_id, path }) : `${folder}?file=${encodeURIComponent(nameOf(path))}`;
  return (
    <li class="files-old-entry">
      <EntryIcon name={found.name} isFolder={found.is_dir} />
      <span class="files-name">
        <Link href={page}>{found.name}</Link>
        <small class="hint">{join(found.repo_name, parentOf(path)).slice(1)}</small>
      </span>
      <span class="muted files-old-facts">{!found.is_dir && <>{renderBytes(found.size, language.value)} · </>}<When at={found.mtime * 1000} /></span>
      <Link href={folder} class="icon-button" aria-label={`${told.showInFolder}: ${found.name}`} title={told.showInFolder}><FolderOpen /></Link>
    </li>
  );
}
