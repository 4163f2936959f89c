// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Dialog } from '../../../ui/dialog';
import { words, type Words } from '../../../words';
import type { PanelProps } from '../panels';

type ShortcutWords = Words['calendarPanels']['shortcuts'];
type Group = keyof ShortcutWords['groups'];
type Deed = keyof ShortcutWords['keys'];

const GROUPS: Record<Group, [Deed, string[]][]> = {
  make: [['new', ['n']], ['search', ['/']], ['print', ['p']], ['help', ['?']], ['close', ['Esc']]],
  go: [['today', ['t']], ['earlier', ['←']], ['later', ['→']]],
  see: [['month', ['1', 'm']], ['week', ['2', 'w']], ['day', ['3', 'd']], ['list', ['4', 'a']], ['year', ['5', 'y']]],
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
          <dl class="calendar-keys">
            {GROUPS[group].map(([deed, keys]) => (
              <div key={deed}>
                <dt>{told.keys[deed]}</dt>
                <dd>{keys.map((key, index) => <span key={key}>{index > 0 && ` ${told.or} `}<kbd>{key}</kbd></span>)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
