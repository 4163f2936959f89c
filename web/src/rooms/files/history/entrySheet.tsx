// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Library } from '../../../api/files';
import { sumFolder, type Entry } from '../../../api/folders';
import { Dialog } from '../../../ui/dialog';
import { messageOf } from '../../../ui/errors';
import { useLoaded } from '../../../ui/loaded';
import { renderBytes } from '../../../ui/sizes';
import { language, words } from '../../../words';
import { kindOf } from '../kinds';
import { join, type Place } from '../paths';
import { renderMoment } from '../when';
import { Versions } from './versions';

interface EntrySheetProps {
  library: Library;
  place: Place;
  entry: Entry;
  onClose: () => void;
  changed: () => void;
}

/** What is known about an entry, at the side. */
export function EntrySheet({ library, place, entry, onClose, changed }: EntrySheetProps) {
  const told = words.value.files.preview;
  const isFolder = entry.type === 'dir';
  const path = join(place.path, entry.name);
  return (
    <Dialog title={told.details(entry.name)} shape="sheet" onClose={onClose}>
      <dl class="files-details">
        <dt>{told.kind}</dt><dd>{isFolder ? told.kinds.folder : told.kinds[kindOf(entry.name)]}</dd>
        {isFolder ? <Sums library={place.library} path={path} /> : <><dt>{told.size}</dt><dd>{exactSize(entry.size ?? 0)}</dd></>}
        <dt>{told.changed}</dt><dd>{renderMoment(entry.mtime * 1000)}</dd>
        {!isFolder && <><dt>{told.changedBy}</dt><dd>{entry.modifier_name || entry.modifier_email}</dd></>}
        <dt>{told.location}</dt><dd>{join(library.repo_name, path).slice(1)}</dd>
      </dl>
      {!isFolder && <><h3>{words.value.files.versions}</h3><Versions library={library} path={path} changed={changed} /></>}
    </Dialog>
  );
}

function exactSize(bytes: number): string {
  const rough = renderBytes(bytes, language.value);
  return bytes < 1000 ? rough : `${rough} (${words.value.files.preview.bytes(new Intl.NumberFormat(language.value).format(bytes))})`;
}

function Sums({ library, path }: { library: string; path: string }) {
  const told = words.value.files.preview;
  const sums = useLoaded((signal) => sumFolder(library, path, signal), [library, path]);
  const { value } = sums;
  return (
    <>
      <dt>{told.size}</dt><dd>{value ? exactSize(value.size) : sums.error === null ? '…' : messageOf(sums.error)}</dd>
      {value && <><dt>{told.content}</dt><dd>{words.value.files.count(value.dir_count, value.file_count) || words.value.files.folderEmpty}</dd></>}
    </>
  );
}
