// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry, EntryFields, EntryKind } from '../../../api/entries';
import { addDays, daysBetween } from '../days';
import { followStart } from '../rule';
import { addMinutes, minutesBetween } from '../times';

/** What the sheet holds while somebody types. Texts are empty, never absent. Times are those of `timeZone`. */
export interface Draft {
  calendarId: string;
  kind: EntryKind;
  title: string;
  startDate: string;
  endDate: string;
  /** Empty for a task without a time. */
  startTime: string;
  endTime: string;
  timeZone: string;
  location: string;
  description: string;
  /** Empty: that of the calendar. */
  color: string;
  /** Minutes before the start. */
  reminders: number[];
  transparent: boolean;
  completed: boolean;
  /** Empty: it comes once. */
  rule: string;
}

export type DraftField = keyof Draft;

const USUAL_START = '09:00';
const USUAL_MINUTES = 60;

const wallOf = (day: string, time: string): string => `${day}T${time || '00:00'}`;

/** The draft of an entry, or of an occurrence; what belongs to the series as a whole comes from there. */
export function draftOf(entry: Entry, series: Entry, zone: string): Draft {
  return {
    calendarId: series.calendarId,
    kind: series.kind,
    title: entry.title,
    startDate: entry.startDate,
    endDate: entry.endDate,
    startTime: entry.startTime?.slice(0, 5) ?? '',
    endTime: entry.endTime?.slice(0, 5) ?? '',
    timeZone: series.timeZone ?? zone,
    location: entry.location ?? '',
    description: entry.description ?? '',
    color: entry.color ?? '',
    reminders: series.reminders.map(({ minutesBefore }) => minutesBefore).sort((one, other) => one - other),
    transparent: series.transparent,
    completed: entry.completed,
    rule: series.recurrence?.rule ?? '',
  };
}

/** The draft of something that is yet to be made. */
export function newDraft(fields: EntryFields, zone: string, today: string): Draft {
  const startDate = fields.startDate ?? today;
  return {
    calendarId: fields.calendarId ?? '',
    kind: fields.kind ?? 'timed',
    title: fields.title ?? '',
    startDate,
    endDate: fields.endDate ?? startDate,
    startTime: fields.startTime ?? '',
    endTime: fields.endTime ?? '',
    timeZone: fields.timeZone ?? zone,
    location: fields.location ?? '',
    description: fields.description ?? '',
    color: fields.color ?? '',
    reminders: (fields.reminders ?? []).map(({ minutesBefore }) => minutesBefore),
    transparent: fields.transparent ?? false,
    completed: fields.completed ?? false,
    rule: fields.recurrence?.rule ?? '',
  };
}

/** The draft as another kind; days and times that it lacks become usual ones. */
export function withKind(draft: Draft, kind: EntryKind): Draft {
  const next = { ...draft, kind };
  if (kind === 'timed') {
    next.startTime = draft.startTime || USUAL_START;
    const end = draft.endTime && draft.endTime !== draft.startTime ? wallOf(draft.endDate, draft.endTime) : '';
    const isAfter = end > wallOf(next.startDate, next.startTime);
    const usual = isAfter ? end : addMinutes(wallOf(next.startDate, next.startTime), USUAL_MINUTES);
    return { ...next, endDate: usual.slice(0, 10), endTime: usual.slice(11) };
  }
  if (kind === 'multi-day') {
    return { ...next, endDate: draft.endDate > draft.startDate ? draft.endDate : addDays(draft.startDate, 1) };
  }
  return kind === 'task' && draft.kind !== 'timed' ? { ...next, startTime: '' } : next;
}

/** The draft with another start; the end goes along, and so does a rule that says on which day it is. */
export function withStart(draft: Draft, start: { startDate?: string; startTime?: string }): Draft {
  const next = { ...draft, ...start };
  if (next.startDate === '' || draft.startDate === '') {
    return next;
  }
  if (draft.kind === 'timed' && draft.startTime !== '' && draft.endTime !== '' && next.startTime !== '') {
    const minutes = Math.max(0, minutesBetween(wallOf(draft.startDate, draft.startTime), wallOf(draft.endDate, draft.endTime)));
    const end = addMinutes(wallOf(next.startDate, next.startTime), minutes);
    next.endDate = end.slice(0, 10);
    next.endTime = end.slice(11);
  } else {
    next.endDate = addDays(draft.endDate, daysBetween(draft.startDate, next.startDate));
  }
  if (draft.rule !== '') {
    next.rule = followStart(draft.rule, draft.startDate, next.startDate) ?? draft.rule;
  }
  return next;
}

/** What is wrong with a draft, before the server is asked. */
export type Mistake = { field: DraftField; reason: 'titleMissing' | 'dateMissing' | 'timeMissing' | 'endBeforeStart' };

export function mistakeIn(draft: Draft): Mistake | null {
  if (draft.title.trim() === '') {
    return { field: 'title', reason: 'titleMissing' };
  }
  if (draft.startDate === '') {
    return { field: 'startDate', reason: 'dateMissing' };
  }
  const hasEnd = draft.kind === 'timed' || draft.kind === 'multi-day';
  if (hasEnd && draft.endDate === '') {
    return { field: 'endDate', reason: 'dateMissing' };
  }
  if (draft.kind === 'timed' && (draft.startTime === '' || draft.endTime === '')) {
    return { field: draft.startTime === '' ? 'startTime' : 'endTime', reason: 'timeMissing' };
  }
  const [start, end] = draft.kind === 'timed'
    ? [wallOf(draft.startDate, draft.startTime), wallOf(draft.endDate, draft.endTime)] : [draft.startDate, draft.endDate];
  return hasEnd && end < start ? { field: draft.endDate < draft.startDate ? 'endDate' : 'endTime', reason: 'endBeforeStart' } : null;
}

/** When it is, as its kind says it. */
function whenOf(draft: Draft): EntryFields {
  switch (draft.kind) {
    case 'timed':
      return { startDate: draft.startDate, startTime: draft.startTime, endDate: draft.endDate, endTime: draft.endTime, timeZone: draft.timeZone };
    case 'multi-day':
      return { startDate: draft.startDate, endDate: draft.endDate };
    case 'all-day':
      return { startDate: draft.startDate };
    case 'task':
      return { startDate: draft.startDate, startTime: draft.startTime || null, ...(draft.startTime !== '' && { timeZone: draft.timeZone }) };
  }
}

/** Everything of a draft, as a new entry says it. */
export function fieldsOf(draft: Draft): EntryFields {
  return {
    calendarId: draft.calendarId, kind: draft.kind, title: draft.title.trim(), ...whenOf(draft), location: draft.location.trim(),
    description: draft.description, color: draft.color, reminders: draft.reminders.map((minutesBefore) => ({ minutesBefore })),
    transparent: draft.transparent, completed: draft.kind === 'task' && draft.completed,
    ...(draft.rule !== '' && { recurrence: { rule: draft.rule } }),
  };
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What of an entry is to be changed. The calendar is not among it: that is a request of its own. */
export function changesBetween(before: Draft, after: Draft, additions: readonly string[]): EntryFields {
  const changes: EntryFields = {};
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const plain = ['title', 'location', 'description', 'color', 'reminders', 'transparent', 'completed'] as const;
  for (const field of plain) {
    if (!same(old[field], now[field])) Object.assign(changes, { [field]: now[field] });
  }
  if (before.kind !== after.kind) {
    Object.assign(changes, { kind: after.kind }, whenOf(after));
  } else {
    const [oldWhen, nowWhen] = [whenOf(before), whenOf(after)];
    const { timeZone: oldZone, ...oldTimes } = oldWhen;
    const { timeZone: nowZone, ...nowTimes } = nowWhen;
    if (!same(oldTimes, nowTimes)) Object.assign(changes, nowTimes);
    if (nowZone !== undefined && oldZone !== nowZone) changes.timeZone = nowZone;
  }
  if (before.rule !== after.rule) {
    changes.recurrence = after.rule === '' ? null : { rule: after.rule, additions: [...additions] };
  }
  return changes;
}

/** Whether a change may be of one occurrence alone. */
export const mayBeOne = (changes: EntryFields): boolean =>
  changes.kind === undefined && changes.timeZone === undefined && changes.recurrence === undefined && changes.reminders === undefined
  && changes.transparent === undefined && changes.startTime !== null;

const SERVER_NAMES: Record<string, DraftField> = {
  title: 'title', kind: 'kind', start_date: 'startDate', end_date: 'endDate', start_time: 'startTime', end_time: 'endTime', time_zone: 'timeZone',
  location: 'location', description: 'description', color: 'color', reminders: 'reminders', recurrence: 'rule', rule: 'rule',
  calendar_id: 'calendarId',
};

/** The field that the server's refusal begins with, and what it says of it. */
export function refusedField(message: string): { field: DraftField; text: string } | null {
  const found = /^(?:[a-z]+\/\d+: )?([a-zA-Z_]+): (.+)$/s.exec(message);
  const field = found === null ? undefined : SERVER_NAMES[found[1]!.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
  return field === undefined ? null : { field, text: found![2]! };
}
