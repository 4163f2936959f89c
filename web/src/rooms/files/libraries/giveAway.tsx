// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { ApiError } from '../../../api/client';
import { giveLibrary, type Library } from '../../../api/files';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { messageOf } from '../../../ui/errors';
import { TextField } from '../../../ui/field';
import { say } from '../../../ui/toast';
import { words } from '../../../words';

/** Makes somebody else the owner of a library. */
export function GiveAway({ library, given }: { library: Library; given: () => void }) {
  const told = words.value.files.libraries;
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const give = async (event: Event) => {
    event.preventDefault();
    const heir = email.trim();
    if (!await confirm({ title: told.giveSure(library.repo_name), text: told.giveSureHint(heir), deed: told.giveDeed })) {
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await giveLibrary(library.repo_id, heir);
      say(told.given(heir));
      given();
    } catch (failure) {
      setError(failure instanceof ApiError && failure.status === 404 ? told.giveUnknown : messageOf(failure));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void give(event)}>
      <h3>{told.give}</h3>
      <p class="muted">{told.giveHint}</p>
      <TextField type="email" label={told.giveTo} value={email} onValue={setEmail} error={error} required autoComplete="off" />
      <Button type="submit" busy={busy} disabled={email.trim() === ''}>{told.giveDeed}</Button>
    </form>
  );
}
