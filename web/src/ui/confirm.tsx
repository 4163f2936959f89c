// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';

import { words } from '../words';
import { Button } from './button';
import { Dialog } from './dialog';

interface Question {
  title: string;
  text: string;
  /** What the button says that goes on: the deed itself, never "OK". */
  deed: string;
  tone?: 'danger' | 'primary';
  answer: (yes: boolean) => void;
}

const asked = signal<Question | null>(null);

/** Asks before something that cannot be undone. */
export function confirm(question: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((answer) => { asked.value = { ...question, answer }; });
}

function close(yes: boolean): void {
  const question = asked.value;
  asked.value = null;
  question?.answer(yes);
}

/** Nobody is there to answer any more. */
export const withdrawQuestion = (): void => close(false);

export function Confirmation() {
  const question = asked.value;
  if (question === null) {
    return null;
  }
  return (
    <Dialog
      title={question.title}
      onClose={() => close(false)}
      actions={<>
        <Button onClick={() => close(false)}>{words.value.common.cancel}</Button>
        <Button tone={question.tone ?? 'danger'} onClick={() => close(true)}>{question.deed}</Button>
      </>}
    >
      <p>{question.text}</p>
    </Dialog>
  );
}
