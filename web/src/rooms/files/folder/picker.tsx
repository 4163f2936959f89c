// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { CornerLeftUp, FolderPlus } from 'lucide-preact';

import { listLibraries, type Library } from '../../../api/files';
import { listFolder, makeFolder, type Entry, type Listing, type Relocation } from '../../../api/folders';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { SelectField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { Failure, Skeleton } from '../../../ui/states';
import { sayError } from '../../../ui/toast';
import { language, words } from '../../../words';
import { EntryIcon } from '../icons';
import { isWithin, join, parentOf, ROOT, sameName, type Place } from '../paths';
import { relocateSome, type Some } from './deeds';
import { NameDialog } from './nameDialog';
import { DEFAULT_SORTING, sortEntries } from './sorting';

interface PickerProps {
  some: Some;
  how: Relocation['how'];
  onClose: () => void;
  changed: () => void;
}

/** Chooses the folder that entries are moved or copied to. */
export function RelocateDialog({ some, how, onClose, changed }: PickerProps) {
  const told = words.value.files;
  const [place, setPlace] = useState<Place>(some.place);
  const [isMaking, setMaking] = useState(false);
  const [busy, setBusy] = useState(false);
  const libraries = useLoaded(listLibraries, []);
  const listing = useLoaded((signal) => listFolder(place.library, place.path, signal), [place.library, place.path]);
  const library = libraries.value?.find(({ repo_id }) => repo_id === place.library);
  const fault = faultOf(some, how, place, libraries.value ?? []);
  const act = async () => {
    setBusy(true);
    const names = listing.value!.dirent_list.map((entry) => entry.name);
    try {
      if (await relocateSome(some, how, { library: library!, folder: place.path, names }, changed)) onClose();
    } catch (error) {
      sayError(error);
    }
    setBusy(false);
  };
  const title = how === 'move' ? told.moveTo : told.copyTo;
  const writable = (libraries.value ?? []).filter(({ permission }) => permission === 'rw');
  return (
    <Dialog title={title(some.entries[0]!.name, some.entries.length)} onClose={onClose} actions={<>
      {fault !== null && <span class="hint files-picker-fault" role="status">{fault}</span>}
      <Button onClick={onClose}>{words.value.common.cancel}</Button>
      <Button tone="primary" busy={busy} disabled={fault !== null || library === undefined || listing.value === undefined}
        onClick={() => void act()}>{how === 'move' ? told.moveHere : told.copyHere}</Button>
    </>}>
      <SelectField label={told.chooseLibrary} value={place.library}
        options={writable.map(({ repo_id: value, repo_name: label }) => ({ value, label }))}
        onValue={(chosen) => setPlace({ library: chosen, path: ROOT })} />
      <div class="row spread">
        <strong class="files-picker-path">{place.path}</strong>
        <Button tone="quiet" onClick={() => setMaking(true)}><FolderPlus />{told.newFolder}</Button>
      </div>
      <Folders place={place} go={setPlace} listing={listing.value} error={listing.error} reload={listing.reload} />
      {isMaking && <NameDialog title={told.newFolder} label={told.newFolderName} deed={told.create} name={told.newFolderDefault}
        taken={new Set(listing.value?.dirent_list.map(({ name }) => sameName(name)))} onClose={() => setMaking(false)}
        act={async (name) => setPlace({ ...place, path: join(place.path, (await makeFolder(place.library, join(place.path, name))).obj_name) })} />}
    </Dialog>
  );
}

function Folders({ place, go, listing, error, reload }: {
  place: Place; go: (place: Place) => void; listing: Listing | undefined; error: unknown; reload: () => void;
}) {
  const told = words.value.files;
  if (listing === undefined) {
    return error === null ? <Skeleton lines={4} /> : <Failure error={error} retry={reload} />;
  }
  const folders = sortEntries(listing.dirent_list.filter(({ type }) => type === 'dir'), DEFAULT_SORTING, language.value);
  const enter = (entry: Entry) => go({ ...place, path: join(place.path, entry.name) });
  return (
    <ul class="files-picker">
      {place.path !== ROOT && (
        <li><button type="button" onClick={() => go({ ...place, path: parentOf(place.path) })}><CornerLeftUp />{told.up}</button></li>
      )}
      {folders.map((entry) => (
        <li key={entry.name}><button type="button" onClick={() => enter(entry)}><EntryIcon name={entry.name} isFolder />{entry.name}</button></li>
      ))}
      {folders.length === 0 && <li class="muted files-picker-none">{told.noFolders}</li>}
    </ul>
  );
}

/** Why it cannot go there. */
function faultOf({ place: from, entries }: Some, how: Relocation['how'], to: Place, libraries: readonly Library[]): string | null {
  const told = words.value.files;
  if (from.library !== to.library) {
    const isEncrypted = (id: string) => libraries.find(({ repo_id }) => repo_id === id)?.encrypted === 1;
    return isEncrypted(from.library) || isEncrypted(to.library) ? told.encryptedStays : null;
  }
  if (how === 'move' && from.path === to.path) {
    return told.alreadyHere;
  }
  return entries.some(({ type, name }) => type === 'dir' && isWithin(to.path, join(from.path, name))) ? told.intoItself : null;
}
