// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';

import { onOtherPerson } from '../../shell/person';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { words } from '../../words';
import type { OnTaken } from './uploads/plan';

interface Question {
  names: readonly string[];
  answer: (choice: OnTaken | null) => void;
}

const asked = signal<Question | null>(null);
const SHOWN = 8;

function close(choice: OnTaken | null): void {
  const question = asked.value;
  asked.value = null;
  question?.answer(choice);
}

onOtherPerson(() => close(null));

/** Asks, once for all of them, what becomes of names that are taken. Null: nothing at all is done. */
export function askAboutTaken(names: readonly string[]): Promise<OnTaken | null> {
  return new Promise((answer) => { asked.value = { names, answer }; });
}

/** The question itself. Stands once in the room. */
export function ConflictQuestion() {
  const question = asked.value;
  if (question === null) {
    return null;
  }
  const told = words.value.files;
  const { names } = question;
  const choices: { choice: OnTaken; label: string; hint: string }[] = [
    { choice: 'replace', label: told.replace, hint: told.replaceHint },
    { choice: 'keepBoth', label: told.keepBoth, hint: told.keepBothHint },
    { choice: 'skip', label: told.skip, hint: told.skipHint },
  ];
  return (
    <Dialog title={told.taken(names.length)} onClose={() => close(null)}
      actions={<Button onClick={() => close(null)}>{words.value.common.cancel}</Button>}>
      <ul class="files-taken">
        {names.slice(0, SHOWN).map((name) => <li key={name}>{name}</li>)}
        {names.length > SHOWN && <li class="muted">{told.andMore(names.length - SHOWN)}</li>}
      </ul>
      <p>{told.takenHint}</p>
      <div class="stack">
        {choices.map(({ choice, label, hint }) => (
          <button key={choice} type="button" class="files-choice" onClick={() => close(choice)}>
            <strong>{label}</strong><span class="muted">{hint}</span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}
