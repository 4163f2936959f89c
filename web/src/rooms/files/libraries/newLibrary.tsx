// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { createLibrary, openLibrary } from '../../../api/files';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { messageOf } from '../../../ui/errors';
import { CheckField, TextField } from '../../../ui/field';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import { pageOf, ROOT } from '../paths';

const PASSWORD_LENGTH = 8;

/** Makes a library and goes there. */
export function NewLibraryDialog({ onClose }: { onClose: () => void }) {
  const told = words.value.files.libraries;
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [lock, setLock] = useState<Lock>({ wanted: false, password: '', again: '', noted: false });
  const [isTried, setTried] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const make = async (event: Event) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '' || (lock.wanted && !isGood(lock))) {
      return;
    }
    setBusy(true);
    try {
      const made = await createLibrary({ name: name.trim(), description: description.trim(), password: lock.wanted ? lock.password : '' });
      if (lock.wanted) {
        // Whoever has just chosen the password need not say it again.
        await openLibrary(made.repo_id, lock.password);
      }
      onClose();
      say(told.created(made.repo_name));
      go(pageOf({ library: made.repo_id, path: ROOT }));
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog title={told.new} onClose={onClose} actions={<>
      <Button onClick={onClose}>{words.value.common.cancel}</Button>
      <Button type="submit" form="new-library" tone="primary" busy={busy}>{told.create}</Button>
    </>}>
      <form id="new-library" noValidate onSubmit={(event) => void make(event)}>
        {error && <p class="notice notice-bad" role="alert">{error}</p>}
        <TextField label={told.name} value={name} onValue={setName} autoFocus maxLength={255} required
          error={isTried && name.trim() === '' ? told.nameMissing : null} />
        <TextField label={`${told.description} (${words.value.common.optional})`} value={description} onValue={setDescription} maxLength={1000} />
        <CheckField label={told.encrypt} hint={told.encryptHint} checked={lock.wanted} onValue={(wanted) => setLock({ ...lock, wanted })} />
        {lock.wanted && <LockFields lock={lock} change={setLock} isTried={isTried} />}
      </form>
    </Dialog>
  );
}

interface Lock {
  wanted: boolean;
  password: string;
  again: string;
  noted: boolean;
}

const isGood = ({ password, again, noted }: Lock): boolean => password.length >= PASSWORD_LENGTH && password === again && noted;

function LockFields({ lock, change, isTried }: { lock: Lock; change: (lock: Lock) => void; isTried: boolean }) {
  const told = words.value.files.libraries;
  return (
    <>
      <p class="notice notice-warn">{told.encryptWarning}</p>
      <TextField type="password" label={told.password} value={lock.password} onValue={(password) => change({ ...lock, password })}
        autoComplete="new-password" hint={told.passwordShort} error={isTried && lock.password.length < PASSWORD_LENGTH ? told.passwordShort : null} />
      <TextField type="password" label={told.passwordAgain} value={lock.again} onValue={(again) => change({ ...lock, again })}
        autoComplete="new-password" error={isTried && lock.password !== lock.again ? told.passwordsDiffer : null} />
      <CheckField label={told.passwordNoted} checked={lock.noted} onValue={(noted) => change({ ...lock, noted })} />
      {isTried && !lock.noted && <p class="field-error" role="alert">{told.encryptWarning}</p>}
    </>
  );
}
