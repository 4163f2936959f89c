// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { loadKeepDays, renameLibrary, setKeepDays, type Library } from '../../../api/files';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialog';
import { messageOf } from '../../../ui/errors';
import { SelectField, TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { GiveAway } from './giveAway';
import { LibraryPassword } from './libraryPassword';
import { askAndDelete } from './libraryCard';

interface SettingsProps {
  library: Library;
  onClose: () => void;
  changed: () => void;
  /** It is not there any more: deleted, or given away. */
  gone?: () => void;
}

/** What its owner can decide about a library. */
export function LibrarySettings({ library, onClose, changed, gone = () => undefined }: SettingsProps) {
  const told = words.value.files.libraries;
  const leave = () => { onClose(); changed(); gone(); };
  const remove = async () => {
    if (await askAndDelete(library, changed)) {
      onClose();
      gone();
    }
  };
  return (
    <Dialog title={told.settings(library.repo_name)} shape="sheet" onClose={onClose}>
      <div class="files-settings">
        <Texts library={library} changed={changed} />
        <hr />
        <Keeping library={library.repo_id} />
        {library.encrypted === 1 && <><hr /><LibraryPassword library={library.repo_id} /></>}
        <hr />
        <GiveAway library={library} given={leave} />
        <hr />
        <p class="row spread row-wrap">
          <span><span class="muted">{told.id}</span> <code>{library.repo_id}</code></span>
          <Button tone="danger" onClick={() => void remove()}>{told.delete}</Button>
        </p>
      </div>
    </Dialog>
  );
}

function Texts({ library, changed }: { library: Library; changed: () => void }) {
  const told = words.value.files.libraries;
  const [name, setName] = useState(library.repo_name);
  const [description, setDescription] = useState(library.repo_desc);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (event: Event) => {
    event.preventDefault();
    if (name.trim() === '') {
      setError(told.nameMissing);
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await renameLibrary(library.repo_id, { name: name.trim(), description: description.trim() });
      say(told.saved);
      changed();
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      <TextField label={told.name} value={name} onValue={setName} maxLength={255} required error={error} />
      <TextField label={told.description} value={description} onValue={setDescription} maxLength={1000} />
      <Button type="submit" busy={busy}>{words.value.common.save}</Button>
    </form>
  );
}

const FOR_GOOD = -1;
const CHOICES = [7, 30, 90, 180, 365, FOR_GOOD];

function Keeping({ library }: { library: string }) {
  const told = words.value.files.libraries;
  const kept = useLoaded((signal) => loadKeepDays(library, signal), [library]);
  const nameOf = (days: number) => (days < 0 ? told.keepForGood : told.keepDays(days));
  const now = kept.value;
  const choices = now === undefined || CHOICES.includes(now) ? CHOICES : [now, ...CHOICES];
  const choose = async (text: string) => {
    const days = Number(text);
    const isFewer = days > 0 && (now === undefined || now < 0 || days < now);
    if (isFewer && !await confirm({ title: told.keepFewer, text: told.keepFewerHint(nameOf(days)), deed: told.keepFewerDeed })) {
      // What the browser shows in the field already was not meant.
      kept.reload();
      return;
    }
    try {
      await setKeepDays(library, days);
      kept.show(days);
      say(told.saved);
    } catch (error) {
      kept.reload();
      sayError(error);
    }
  };
  if (kept.error) {
    return <p class="field-error">{messageOf(kept.error)}</p>;
  }
  return <SelectField label={told.keep} hint={told.keepHint} value={String(now ?? FOR_GOOD)} disabled={now === undefined}
    options={choices.map((days) => ({ value: String(days), label: nameOf(days) }))} onValue={(text) => void choose(text)} />;
}
