// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

import type { EntryChange } from '../../../api/entries';
import { homeZone } from '../../../shell/session';
import { Avatar } from '../../../ui/avatar';
import { words } from '../../../words';
import { locale, mediumDay } from '../formats';
import { sentenceOf } from '../ruleSentence';
import { calendarsById } from '../state';
import { differencesOf, type Difference, type Teller } from './differences';
import { renderAgo, renderMoment } from './moments';
import { paletteNameOf } from './palette';
import { Dot, photoOf } from './parts';
import { knownPeople } from './people';
import { renderWhen } from './when';

interface ChangeRowProps {
  change: EntryChange;
  /** The state before; absent for the first that is known. */
  before: EntryChange | undefined;
  isNow: boolean;
  /** A way back, named by what it is given. */
  action?: ((label: string) => ComponentChildren) | undefined;
}

export function ChangeRow({ change, before, isNow, action }: ChangeRowProps) {
  const told = words.value.calendarPanels.history;
  const moment = renderMoment(change.at, locale.value, homeZone.value);
  const author = authorOf(change);
  return (
    <li class="calendar-panel-change">
      <Avatar name={author.name} photo={author.photo} size="small" />
      <div>
        <p class="calendar-panel-change-head">
          <strong>{author.name}</strong> {told.deeds[change.deed]}{isNow && <span class="badge badge-good">{told.now}</span>}
          <time class="hint" dateTime={change.at} title={moment}>{renderAgo(change.at, locale.value)} · {moment}</time>
        </p>
        {before === undefined || change.deed === 'deleted' ? null : <Differences list={differencesOf(before.entry, change.entry, teller())} />}
        {change.deed === 'created' && <p class="calendar-panel-change-state">{change.entry.title} · {renderWhen(change.entry)}</p>}
        {action?.(told.backTo(moment))}
      </div>
    </li>
  );
}

function authorOf(change: EntryChange): { name: string; photo: string | null } {
  const told = words.value.calendarPanels.history;
  const person = knownPeople.value.get(change.label);
  const names: Record<string, string> = { import: told.byImport, feed: told.byFeed, '': told.byNobody };
  return { name: person?.name ?? names[change.label] ?? change.label, photo: photoOf(person) };
}

function Differences({ list }: { list: readonly Difference[] }) {
  const told = words.value.calendarPanels.history;
  if (list.length === 0) {
    return <p class="hint">{told.noDifference}</p>;
  }
  return (
    <dl class="calendar-panel-differences">
      {list.map((one) => (
        <div key={one.field}>
          <dt>{one.field}</dt>
          {one.before !== null && (
            <dd><del><span class="visually-hidden">{told.was} </span><Value text={one.before} isColor={one.isColor} /></del></dd>
          )}
          <dd>{one.after === null ? <span class="muted">{one.isColor ? told.calendarColor : told.nothing}</span>
            : <ins><Value text={one.after} isColor={one.isColor} /></ins>}</dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ text, isColor = false }: { text: string; isColor?: boolean | undefined }) {
  if (!isColor) {
    return <>{text}</>;
  }
  const name = paletteNameOf(text);
  return <><Dot color={text} /> {name === null ? text : words.value.calendarPanels.colors[name]}</>;
}

function teller(): Teller {
  const told = words.value.calendarPanels.history;
  return {
    words: told.fields,
    day: mediumDay,
    when: renderWhen,
    rule: (rule, start) => sentenceOf(rule, start, words.value.calendar.rule),
    calendarName: (id) => calendarsById.value.get(id)?.name ?? told.calendarElsewhere,
  };
}
