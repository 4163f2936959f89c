// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';

import { useKeptDraft } from '../../../shell/drafts';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { messageOf } from '../../../ui/errors';
import { Restored } from '../../../ui/restored';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import { encode, type Encoding } from './encoding';
import { followTyping, shownIn } from './lineEnds';
import type { Guard } from './stage';
import { TextForm } from './textForm';

/** A text that was being changed when the page was left. */
export interface TextDraft {
  text: string;
  /** The id of the content it was made from. */
  base: string;
}

export function isTextDraft(typed: unknown): typed is TextDraft {
  const { text, base } = (typed ?? {}) as Partial<TextDraft>;
  return typeof text === 'string' && typeof base === 'string';
}

interface EditorProps {
  name: string;
  /** Where what is typed is kept until it is saved. */
  place: string;
  text: string;
  encoding: Encoding;
  /** The id of the content that the text was read from. */
  base: string;
  restored: TextDraft | null;
  write: (next: { bytes: Uint8Array; text: string; encoding: Encoding; base: string }) => Promise<void>;
  leave: () => void;
  guard: Guard;
}

/** A field for a whole text, which keeps its encoding and the ends of its lines. Control and S store it. */
export function TextEditor({ name, place, text, encoding, base, restored, write, leave, guard }: EditorProps) {
  const told = words.value.files.preview;
  const [draft, setDraft] = useState(restored?.text ?? text);
  const [from, setFrom] = useState(restored?.base ?? base);
  const [isRestored, setRestored] = useState(restored !== null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [unfit, setUnfit] = useState<string[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isDirty = draft !== text;
  const keeping = useKeptDraft(place, { text: draft, base: from } satisfies TextDraft, { isDirty, isRestored: restored !== null });
  const save = async (as: Encoding) => {
    const encoded = encode(draft, as);
    setError(null);
    setUnfit('unfit' in encoded ? encoded.unfit : []);
    if ('unfit' in encoded) return;
    setBusy(true);
    try {
      await write({ bytes: encoded.bytes, text: draft, encoding: as, base: from });
      keeping.forget();
      say(told.saved);
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  const mayDiscard = async () => {
    const may = !isDirty || await confirm({ title: told.discardSure, text: told.discardHint, deed: told.discard });
    if (may) keeping.forget();
    return may;
  };
  const discard = async () => { if (await mayDiscard()) leave(); };
  guard.current = mayDiscard;
  useEffect(() => () => { guard.current = null; }, []);
  const type = (typed: string) => {
    // Typing that is taken back is the text as it was, whatever became of its lines in between.
    setDraft(typed === shownIn(text) ? text : followTyping(draft, typed));
    setUnfit([]);
  };
  const startOver = () => {
    setDraft(text);
    setFrom(base);
    setRestored(false);
  };
  const keys = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
      event.preventDefault();
      void save(encoding);
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
        <Button tone="primary" busy={busy} onClick={() => void save(encoding)}>{words.value.common.save}</Button>
        <Button onClick={() => void discard()}>{words.value.common.cancel}</Button>
        <TextForm text={draft} encoding={encoding} />
        {error && <span class="field-error" role="alert">{error}</span>}
      </div>
      {isRestored && <Restored discard={startOver} />}
      {unfit.length > 0 && <Unfit characters={unfit} encoding={encoding} saveAsUnicode={() => void save('utf-8')} />}
      <textarea ref={field} class="files-stage-source" aria-label={told.textOf(name)} spellcheck={false} value={shownIn(draft)}
        onInput={(event) => type(event.currentTarget.value)} />
    </div>
  );
}

const SHOWN = 8;

/** What the encoding of the file cannot hold. Nothing is replaced: the person decides. */
function Unfit({ characters, encoding, saveAsUnicode }: { characters: string[]; encoding: Encoding; saveAsUnicode: () => void }) {
  const told = words.value.files.preview;
  const shown = characters.slice(0, SHOWN).map((one) => (isDrawn(one) ? one : codeOf(one)));
  const isWestern = encoding === 'windows-1252';
  return (
    <div class="notice notice-warn" role="alert">
      <p>{told.unfit(characters.length, shown.join(' '), told.encodings[encoding])}</p>
      <p>{isWestern ? told.unfitWay : told.unfitNoWay}</p>
      {isWestern && <Button onClick={saveAsUnicode}>{told.saveAsUnicode}</Button>}
    </div>
  );
}

const codeOf = (character: string): string => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
const isDrawn = (character: string): boolean => !/[\p{C}\p{Z}]/u.test(character);
