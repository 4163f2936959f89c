// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Button } from '../../../ui/button';
import { words } from '../../../words';
import { mediumDay, timeOf } from '../formats';
import { sentenceOf } from '../ruleSentence';
import { calendarsById } from '../state';
import type { Draft } from './draft';

interface Difference {
  label: string;
  before: string;
  after: string;
}

const startOf = (draft: Draft): string => when(draft.startDate, draft.kind === 'all-day' || draft.kind === 'multi-day' ? '' : draft.startTime);
const endOf = (draft: Draft): string =>
  (draft.kind === 'timed' ? when(draft.endDate, draft.endTime) : draft.kind === 'multi-day' ? when(draft.endDate, '') : '');
const when = (day: string, time: string): string => (time === '' ? mediumDay(day) : `${mediumDay(day)}, ${timeOf(`${day}T${time}`)}`);

/** What somebody else made of an entry, in words. */
export function differences(before: Draft, after: Draft): Difference[] {
  const told = words.value.calendar;
  const names = told.conflict.fields;
  const yes = (value: boolean): string => (value ? told.conflict.yes : told.conflict.no);
  const read: Record<keyof typeof names, (draft: Draft) => string> = {
    title: (draft) => draft.title,
    kind: (draft) => told.sheet.kinds[draft.kind],
    start: startOf,
    end: endOf,
    timeZone: (draft) => (draft.kind === 'timed' ? draft.timeZone : ''),
    location: (draft) => draft.location,
    description: (draft) => draft.description,
    color: (draft) => draft.color,
    rule: (draft) => (draft.rule === '' ? '' : sentenceOf(draft.rule, draft.startDate, told.rule)),
    reminders: (draft) => draft.reminders.map(told.sheet.reminder).join(', '),
    transparent: (draft) => yes(!draft.transparent),
    completed: (draft) => yes(draft.completed),
    calendarId: (draft) => calendarsById.value.get(draft.calendarId)?.name ?? '',
  };
  return (Object.keys(read) as (keyof typeof names)[])
    .map((field) => ({ label: names[field], before: read[field](before), after: read[field](after) }))
    .filter((one) => one.before !== one.after);
}

/** Somebody else was quicker: shows what they did, and lets the person decide. */
export function Conflict({ before, theirs, onTake, onKeep }: { before: Draft; theirs: Draft | null; onTake: () => void; onKeep: () => void }) {
  const told = words.value.calendar.conflict;
  if (theirs === null) {
    return <div class="notice notice-warn" role="alert"><p>{told.gone}</p><Button onClick={onTake}>{words.value.common.close}</Button></div>;
  }
  const all = differences(before, theirs);
  return (
    <div class="notice notice-warn calendar-conflict" role="alert">
      <strong>{told.title}</strong>
      <p>{all.length === 0 ? told.nothingVisible : told.text}</p>
      <dl>
        {all.map(({ label, before: old, after }) => (
          <div key={label}><dt>{label}</dt><dd>{after || told.nothing} <small>({told.was}: {old || told.nothing})</small></dd></div>
        ))}
      </dl>
      <div class="row row-wrap">
        <Button onClick={onTake}>{told.takeTheirs}</Button>
        <Button onClick={onKeep}>{told.keepMine}</Button>
      </div>
    </div>
  );
}
