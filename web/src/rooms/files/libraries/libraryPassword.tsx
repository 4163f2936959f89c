// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { ApiError } from '../../../api/client';
import { changeLibraryPassword } from '../../../api/files';
import { Button } from '../../../ui/button';
import { messageOf } from '../../../ui/errors';
import { TextField } from '../../../ui/field';
import { say } from '../../../ui/toast';
import { words } from '../../../words';

const PASSWORD_LENGTH = 8;

/** Changes the password of an encrypted library. */
export function LibraryPassword({ library }: { library: string }) {
  const told = words.value.files.libraries;
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [error, setError] = useState<{ field: 'from' | 'to'; text: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const change = async (event: Event) => {
    event.preventDefault();
    if (to.length < PASSWORD_LENGTH) {
      setError({ field: 'to', text: told.passwordShort });
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await changeLibraryPassword(library, from, to);
      setFrom('');
      setTo('');
      say(told.passwordChanged);
    } catch (failure) {
      const isWrong = failure instanceof ApiError && failure.status === 400;
      setError({ field: 'from', text: isWrong ? words.value.files.wrongPassword : messageOf(failure) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form noValidate onSubmit={(event) => void change(event)}>
      <h3>{told.changePassword}</h3>
      <p class="notice notice-warn">{told.encryptWarning}</p>
      <TextField type="password" label={told.oldPassword} value={from} onValue={setFrom} autoComplete="off"
        error={error?.field === 'from' ? error.text : null} />
      <TextField type="password" label={told.newPassword} value={to} onValue={setTo} autoComplete="new-password"
        error={error?.field === 'to' ? error.text : null} />
      <Button type="submit" busy={busy} disabled={from === '' || to === ''}>{told.changePassword}</Button>
    </form>
  );
}
