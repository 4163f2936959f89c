// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Dialog } from '../../../ui/dialog';
import { words, type Words } from '../../../words';
import type { PanelProps } from '../panels';
import './parts.css';

type ShortcutWords = Words['calendarPanels']['shortcuts'];
type Group = keyof ShortcutWords['groups'];
type Deed = keyof ShortcutWords['keys'];

const GROUPS: Record<Group, [Deed, string[]][]> = {
  make: [['new', ['n']], ['search', ['/']], ['help', ['?']], ['close', ['Esc']]],
  go: [['today', ['t']], ['earlier', ['←']], ['later', ['→']], ['days', ['←', '→', '↑', '↓']], ['entries', ['↑', '↓']]],
  see: [['month', ['1']], ['week', ['2']], ['day', ['3']], ['list', ['4']], ['year', ['5']]],
};

/** The keys that do something in the calendar. */
export function ShortcutsPanel({ close }: PanelProps) {
  const told = words.value.calendarPanels.shortcuts;
  return (
    <Dialog title={told.title} onClose={close}>
      <p class="hint">{told.explain}</p>
      {(Object.keys(GROUPS) as Group[]).map((group) => (
        <section key={group}>
          <h3 class="calendar-panel-head">{told.groups[group]}</h3>
          <dl class="calendar-panel-keys">
            {GROUPS[group].map(([deed, keys]) => (
              <div key={deed}>
                <dt>{told.keys[deed]}</dt>
                <dd>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
