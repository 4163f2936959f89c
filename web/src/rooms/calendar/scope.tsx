// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';

import type { Scope } from '../../api/entries';
import { onOtherPerson } from '../../shell/person';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { words } from '../../words';

interface Question {
  deed: 'save' | 'delete';
  /** Whether it may be one occurrence alone: what belongs to the series as a whole cannot. */
  mayBeOne: boolean;
  answer: (scope: Scope | null) => void;
}

const asked = signal<Question | null>(null);

function close(scope: Scope | null): void {
  const question = asked.value;
  asked.value = null;
  question?.answer(scope);
}

onOtherPerson(() => close(null));

/** Asks how much of a series is meant. Null: nothing after all. */
export function askScope(deed: Question['deed'], mayBeOne = true): Promise<Scope | null> {
  return new Promise((answer) => { asked.value = { deed, mayBeOne, answer }; });
}

/** Where that question appears. */
export function ScopeQuestion() {
  const question = asked.value;
  if (question === null) {
    return null;
  }
  const told = words.value.calendar.scope;
  const tone = question.deed === 'delete' ? 'danger' : 'plain';
  return (
    <Dialog title={question.deed === 'delete' ? told.deleteTitle : told.saveTitle} onClose={() => close(null)}>
      <p>{question.mayBeOne ? told.text : told.thisCannot}</p>
      <div class="calendar-scopes">
        {question.mayBeOne && <Button tone={tone} onClick={() => close('this')}>{told.this}</Button>}
        <Button tone={tone} onClick={() => close('following')}>{told.following}</Button>
        <Button tone={tone} onClick={() => close('all')}>{told.all}</Button>
        <Button tone="quiet" onClick={() => close(null)}>{words.value.common.cancel}</Button>
      </div>
    </Dialog>
  );
}
