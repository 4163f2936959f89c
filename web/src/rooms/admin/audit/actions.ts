// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { words } from '../../../words';

/** What can be looked for: the beginnings of actions. */
export function actionGroups(): { value: string; label: string }[] {
  return Object.entries(words.value.admin.audit.groups).map(([name, label]) => ({ value: `${name}.`, label }));
}

/** An action in words; as the log has it where there are none. */
export function actionWords(action: string): string {
  return (words.value.admin.audit.actions as Record<string, string | undefined>)[action] ?? action;
}

/** "user:0192…" is a person with that id. */
export function readTarget(target: string): { kind: string; id: string } {
  const [kind = '', ...rest] = target.split(':');
  return { kind, id: rest.join(':') };
}

/** The last part of a long id is what tells two apart at a glance. */
export const shortId = (id: string): string => (id.length > 16 ? `…${id.slice(-8)}` : id);
