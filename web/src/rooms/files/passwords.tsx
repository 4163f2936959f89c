// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';

import { ApiError } from '../../api/client';
import { openLibrary, PASSWORD_NEEDED } from '../../api/files';
import { onOtherPerson } from '../../shell/person';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { messageOf } from '../../ui/errors';
import { TextField } from '../../ui/field';
import { words } from '../../words';

interface Question {
  library: string;
  /** Whether the library is open then. */
  answers: ((open: boolean) => void)[];
}

const asked = signal<Question | null>(null);

function close(open: boolean): void {
  const question = asked.value;
  asked.value = null;
  question?.answers.forEach((answer) => answer(open));
}

onOtherPerson(() => close(false));

/** Asks for the password of a library; whether it is open then. Who asks for the same one meanwhile gets the same answer. */
export function askPassword(library: string): Promise<boolean> {
  return new Promise((answer) => {
    if (asked.value?.library === library) {
      asked.value.answers.push(answer);
    } else {
      asked.value?.answers.forEach((refuse) => refuse(false));
      asked.value = { library, answers: [answer] };
    }
  });
}

/** Does something with a library. If that needs its password, asks for it and does it again; null if nobody knows it. */
export async function withPassword<T>(library: string, deed: () => Promise<T>): Promise<T | null> {
  try {
    return await deed();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== PASSWORD_NEEDED) {
      throw error;
    }
    return (await askPassword(library)) ? deed() : null;
  }
}

/** The question itself. Stands once in the room. */
export function PasswordQuestion() {
  const question = asked.value;
  if (question === null) {
    return null;
  }
  return (
    <Dialog title={words.value.files.password} onClose={() => close(false)}>
      <p>{words.value.files.lockedAgain}</p>
      <PasswordForm library={question.library} opened={() => close(true)} />
    </Dialog>
  );
}

/** A field for the password of a library, which tells when it was the right one. */
export function PasswordForm({ library, opened }: { library: string; opened: () => void }) {
  const told = words.value.files;
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const open = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await openLibrary(library, password);
      opened();
    } catch (failure) {
      setError(refusalOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void open(event)}>
      <TextField type="password" label={told.password} value={password} onValue={setPassword} error={error} required autoFocus autoComplete="off" />
      <Button type="submit" tone="primary" busy={busy}>{told.unlock}</Button>
    </form>
  );
}

function refusalOf(error: unknown): string {
  const told = words.value.files;
  if (error instanceof ApiError && error.status === 400) return told.wrongPassword;
  if (error instanceof ApiError && error.status === 429) return told.tooManyPasswords;
  return messageOf(error);
}
