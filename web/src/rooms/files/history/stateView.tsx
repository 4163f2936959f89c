// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Download, FolderOpen, History, Undo2 } from 'lucide-preact';
import { Link } from 'wouter-preact';

import { ApiError } from '../../../api/client';
import { linkToVersion, listOldFolder, revertEntry } from '../../../api/fileHistory';
import type { Library } from '../../../api/files';
import type { Entry } from '../../../api/folders';
import { IconButton } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded } from '../../../ui/loaded';
import { renderBytes } from '../../../ui/sizes';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { language, words } from '../../../words';
import { save } from '../downloads';
import { Breadcrumbs } from '../folder/breadcrumbs';
import { DEFAULT_SORTING, sortEntries } from '../folder/sorting';
import { EntryIcon } from '../icons';
import { withPassword } from '../passwords';
import { join, pageOf, type Place } from '../paths';
import { Preview } from '../preview/preview';
import { renderMoment } from '../when';

/** What stands in the address of a page that shows a state. `at` in milliseconds. */
export const stateSearch = (commit: string, at: number): string => `?state=${commit}&at=${at}`;

/** A folder as it was: to look at, to save from, and to bring back. */
export function StateView({ library, place, commit, at }: { library: Library; place: Place; commit: string; at: number }) {
  const told = words.value.files;
  const search = stateSearch(commit, at);
  const folder = useLoaded((signal) => listOldFolder(library.repo_id, commit, place.path, signal), [library.repo_id, commit, place.path]);
  const [viewed, view] = useState<Entry | null>(null);
  const isGone = folder.error instanceof ApiError && folder.error.status === 404;
  const entries = folder.value && sortEntries(folder.value, DEFAULT_SORTING, language.value);
  return (
    <div class="page files-page">
      <Breadcrumbs place={place} libraryName={library.repo_name} search={search} />
      <div class="notice files-state-notice">
        <History aria-hidden="true" />
        <div>
          <strong>{Number.isFinite(at) ? told.history.stateOf(renderMoment(at)) : told.history.stateUnknown}</strong>
          <p>{told.history.stateHint}</p>
        </div>
        <Link href={pageOf(place)} class="button">{told.history.leaveState}</Link>
      </div>
      {isGone && <EmptyState icon={<History />} title={told.history.stateGone} />}
      {!isGone && entries === undefined && (folder.error === null ? <Skeleton lines={6} /> : <Failure error={folder.error} retry={folder.reload} />)}
      {entries?.length === 0 && <EmptyState icon={<FolderOpen />} title={told.folderEmpty} />}
      {entries && entries.length > 0 && (
        <ul class="files-old">
          {entries.map((entry) => (
            <OldEntry key={entry.name} library={library} place={place} commit={commit} search={search} entry={entry} view={() => view(entry)} />
          ))}
        </ul>
      )}
      {viewed && <Preview onClose={() => view(null)} item={{
        name: viewed.name, size: viewed.size ?? 0, id: viewed.id, key: `${commit} ${viewed.name}`,
        link: (signal) => linkTo(library, commit, join(place.path, viewed.name), signal),
      }} />}
    </div>
  );
}

const linkTo = (library: Library, commit: string, path: string, signal?: AbortSignal): Promise<string | null> =>
  withPassword(library.repo_id, () => linkToVersion(library.repo_id, commit, path, signal));

function OldEntry({ library, place, commit, search, entry, view }: {
  library: Library; place: Place; commit: string; search: string; entry: Entry; view: () => void;
}) {
  const told = words.value.files;
  const path = join(place.path, entry.name);
  const isFolder = entry.type === 'dir';
  const restore = async () => {
    const title = told.history.restoreEntry(entry.name);
    if (!await confirm({ title, text: told.history.restoreEntryHint, deed: told.history.restore, tone: 'primary' })) return;
    await revertEntry(library.repo_id, entry.type, path, commit).then(() => say(told.history.entryRestored(entry.name)), sayError);
  };
  const download = () => linkTo(library, commit, path).then((link) => { if (link !== null) save(link); }, sayError);
  return (
    <li class="files-old-entry">
      <EntryIcon name={entry.name} isFolder={isFolder} />
      {isFolder
        ? <Link href={pageOf({ ...place, path }) + search} class="files-name">{entry.name}</Link>
        : <button type="button" class="files-linklike files-name" onClick={view}>{entry.name}</button>}
      <span class="muted files-old-facts">{isFolder ? '' : renderBytes(entry.size ?? 0, language.value)}</span>
      <span class="row">
        {!isFolder && <IconButton label={`${told.download}: ${entry.name}`} onClick={() => void download()}><Download /></IconButton>}
        {library.permission === 'rw' && (
          <IconButton label={told.history.restoreEntry(entry.name)} onClick={() => void restore()}><Undo2 /></IconButton>
        )}
      </span>
    </li>
  );
}
