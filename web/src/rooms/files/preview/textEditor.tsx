// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';

import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { messageOf } from '../../../ui/errors';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import type { Guard } from './stage';

interface EditorProps {
  name: string;
  text: string;
  write: (text: string) => Promise<void>;
  leave: () => void;
  guard: Guard;
}

/** A field for a whole text. Control and S store it. */
export function TextEditor({ name, text, write, leave, guard }: EditorProps) {
  const told = words.value.files.preview;
  const [draft, setDraft] = useState(text);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      await write(draft);
      say(told.saved);
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  const mayDiscard = async () => draft === text || confirm({ title: told.discardSure, text: told.discardHint, deed: told.discard });
  const discard = async () => { if (await mayDiscard()) leave(); };
  guard.current = mayDiscard;
  useEffect(() => () => { guard.current = null; }, []);
  useEffect(() => {
    const hold = (event: Event) => { if (draft !== text) event.preventDefault(); };
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
  }, [draft, text]);
  const keys = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
      event.preventDefault();
      void save();
    }
    // Escape would close what is around, and the text with it.
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      void discard();
    }
  };
  return (
    <div class="files-stage-text" onKeyDown={keys}>
      <div class="files-stage-tools">
        <Button tone="primary" busy={busy} onClick={() => void save()}>{words.value.common.save}</Button>
        <Button onClick={() => void discard()}>{words.value.common.cancel}</Button>
        {error && <span class="field-error" role="alert">{error}</span>}
      </div>
      <textarea ref={field} class="files-stage-source" aria-label={told.textOf(name)} spellcheck={false} value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)} />
    </div>
  );
}
