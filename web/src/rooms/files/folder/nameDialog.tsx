// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';

import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { messageOf } from '../../../ui/errors';
import { TextField } from '../../../ui/field';
import { words } from '../../../words';
import { faultOf, sameName, splitName } from '../paths';

interface NameDialogProps {
  title: string;
  label: string;
  deed: string;
  /** What stands in the field at first; the part before the extension is selected. */
  name: string;
  taken: ReadonlySet<string>;
  act: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for a name, and says what is wrong with it before the server does. */
export function NameDialog({ title, label, deed, name: first, taken, act, onClose }: NameDialogProps) {
  const told = words.value.files;
  const [name, setName] = useState(first);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current!.querySelector('input')!;
    field.focus();
    field.setSelectionRange(0, splitName(first)[0].length);
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const fault = faultOf(name);
    if (fault !== null || taken.has(sameName(name))) {
      setError(fault === null ? told.nameTaken : told.nameFaults[fault]);
      return;
    }
    setBusy(true);
    try {
      await act(name);
      onClose();
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose} actions={<>
      <Button onClick={onClose}>{words.value.common.cancel}</Button>
      <Button type="submit" form="files-name" tone="primary" busy={busy}>{deed}</Button>
    </>}>
      <form id="files-name" ref={form} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label={label} value={name} error={error} autoComplete="off" spellcheck={false}
          onValue={(text) => { setName(text); setError(null); }} />
      </form>
    </Dialog>
  );
}
