// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'preact/hooks';
import { Repeat } from 'lucide-preact';

import type { Entry } from '../../../api/entries';
import { words } from '../../../words';
import { mediumDay } from '../formats';
import { calendarsById } from '../state';
import { Dot } from './parts';
import { markWords, type ResultGroup } from './searchGroups';
import { renderTimeOf } from './when';

interface ResultListProps {
  id: string;
  groups: readonly ResultGroup[];
  query: string;
  /** Which of all results the arrow keys stand on. */
  chosen: number;
  onOpen: (entry: Entry) => void;
}

export function ResultList({ id, groups, query, chosen, onOpen }: ResultListProps) {
  const told = words.value.calendarPanels.search;
  let index = -1;
  return (
    <div role="listbox" id={id} aria-label={told.title} class="calendar-panel-results">
      {groups.map((group) => (
        <div key={group.section} role="group" aria-label={told.sections[group.section]}>
          <div class="calendar-panel-results-head" aria-hidden="true">{told.sections[group.section]}</div>
          {group.days.map((day) => (
            <div key={day.date} class="calendar-panel-result-day">
              <time dateTime={day.date} aria-hidden="true">{dayLabel(day.date, group)}</time>
              <div>
                {day.entries.map((entry) => {
                  index += 1;
                  return (
                    <Result key={entry.id} id={`${id}-${index}`} entry={entry} query={query} day={dayLabel(day.date, group)}
                      isChosen={index === chosen} onOpen={onOpen} />
                  );
                })}
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function dayLabel(date: string, group: ResultGroup): string {
  const day = mediumDay(date);
  return group.section === 'repeating' ? words.value.calendarPanels.search.since(day) : day;
}

function Result({ id, entry, query, day, isChosen, onOpen }: {
  id: string; entry: Entry; query: string; day: string; isChosen: boolean; onOpen: (entry: Entry) => void;
}) {
  const element = useRef<HTMLDivElement>(null);
  const calendar = calendarsById.value.get(entry.calendarId);
  useEffect(() => { if (isChosen) element.current?.scrollIntoView({ block: 'nearest' }); }, [isChosen]);
  const details = [renderTimeOf(entry), entry.location, calendar?.name].filter((text) => text);
  return (
    <div ref={element} id={id} role="option" aria-selected={isChosen} class="calendar-panel-result" onClick={() => onOpen(entry)}>
      <Dot color={entry.color || calendar?.color || 'gray'} />
      <div>
        <span class="calendar-panel-result-title">
          <Marked text={entry.title} query={query} />{entry.recurrence && <Repeat />}<span class="visually-hidden">, {day}</span>
        </span>
        <small class="hint"><Marked text={details.join(' · ')} query={query} /></small>
        <Excerpt text={entry.description ?? ''} query={query} />
      </div>
    </div>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  return <>{markWords(text, query).map((piece, at) => (piece.found ? <mark key={at}>{piece.text}</mark> : piece.text))}</>;
}

const AROUND = 40;

/** The line of the notes that has one of the words. */
function Excerpt({ text, query }: { text: string; query: string }) {
  const pieces = markWords(text, query);
  const at = pieces.findIndex((piece) => piece.found);
  if (at === -1) {
    return null;
  }
  const before = pieces.slice(0, at).map((piece) => piece.text).join('').slice(-AROUND);
  const after = pieces.slice(at + 1).map((piece) => piece.text).join('').slice(0, AROUND * 2);
  return <small class="hint">… {before}<mark>{pieces[at]!.text}</mark>{after} …</small>;
}
