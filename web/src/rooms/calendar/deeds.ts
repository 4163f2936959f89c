// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../../api/client';
import {
  changeEntry, deleteEntry, loadEntry, makeEntry, moveEntry, tagOf, toggleEntry, undoEntry, type Entry, type EntryFields, type Scope, type Tagged,
} from '../../api/entries';
import { homeZone } from '../../shell/session';
import { say, sayError, sayWithUndo } from '../../ui/toast';
import { words } from '../../words';
import { daysBetween } from './days';
import { expire, hideEntry, hideOccurrence, occurrencesOf, showEntry } from './entries';
import { followStart } from './rule';
import { askScope } from './scope';
import { fieldsOfFirst } from './seriesStart';
import { keyOf, type Placed } from './shelf';
import { calendarsById } from './state';
import { addMinutes, fieldsAt, type Spot } from './times';

// What people do to entries: shown at once, taken back when the server refuses, and undone on demand.

const isSeries = (entry: Entry): boolean => entry.occurrence !== undefined || Boolean(entry.recurrence);

/** Shows what the server answered; only it knows when a series takes place. */
function showAnswer({ entry, etag }: Tagged, ...others: (string | undefined)[]): void {
  const calendarIds = new Set([entry.calendarId, ...others.filter((id): id is string => id !== undefined)]);
  const version = etag === null ? undefined : Number(etag.replaceAll('"', ''));
  if (entry.recurrence) {
    // Until the new ones have come, the old ones are those that may be changed next.
    occurrencesOf(entry.id).forEach((placed) => Object.assign(placed.entry, { version, sequence: entry.sequence }));
    calendarIds.forEach((id) => expire(id));
    return;
  }
  showEntry({ ...entry, ...(version !== undefined && { version }) });
}

async function safely(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
  } catch (error) {
    sayError(error);
  }
}

/** Goes back one step, unless somebody else has taken another since. */
async function undo(answer: Tagged): Promise<void> {
  const now = await loadEntry(answer.entry.id);
  if (now.etag !== answer.etag) {
    say(words.value.calendar.said.undoTooLate);
    showAnswer(now);
    return;
  }
  const before = await undoEntry(answer.entry.id);
  showUndone(before, answer.entry);
}

function showUndone(before: Tagged, after: Entry): void {
  if (isSeries(before.entry) !== isSeries(after)) {
    hideEntry(before.entry.id);
  }
  showAnswer(before, after.calendarId);
  say(words.value.calendar.said.undone);
}

export async function create(fields: EntryFields, text = words.value.calendar.said.created): Promise<Tagged> {
  const made = await makeEntry(fields);
  showAnswer(made);
  sayWithUndo(text, () => void safely(async () => {
    await deleteEntry({ id: made.entry.id });
    hideEntry(made.entry.id);
    say(words.value.calendar.said.undone);
  }));
  return made;
}

export interface Change {
  entry: Entry;
  fields: EntryFields;
  scope: Scope;
  etag: string | null;
  /** What to say when it is done. */
  text: string;
}

/** Changes an entry, or a part of its series. Throws what the server refuses. */
export async function change({ entry, fields, scope, etag, text }: Change): Promise<Tagged> {
  const wasSeries = isSeries(entry);
  const ofFirst = entry.occurrence !== undefined && scope === 'all' && fields.recurrence
    ? fieldsOfFirst((await loadEntry(entry.id)).entry, entry, fields) : null;
  const part = entry.occurrence === undefined || ofFirst !== null ? {} : { occurrence: entry.occurrence, scope };
  const after = await changeEntry({ id: entry.id, ...part, etag }, ofFirst ?? fields);
  if (wasSeries && !after.entry.recurrence) {
    hideEntry(entry.id);
  } else if (!wasSeries && after.entry.recurrence) {
    hideOccurrence(keyOf(entry));
  }
  showAnswer(after, entry.calendarId);
  const isSplit = after.entry.id !== entry.id;
  sayWithUndo(text, () => void safely(() => (isSplit ? undoSplit(entry.id, after) : undo(after))));
  return after;
}

/** The rest of a series had become an entry of its own. */
async function undoSplit(id: string, rest: Tagged): Promise<void> {
  await deleteEntry({ id: rest.entry.id, etag: rest.etag });
  hideEntry(rest.entry.id);
  showUndone(await undoEntry(id), rest.entry);
}

/** Puts an entry into the trash, or takes a part out of its series. Throws what the server refuses. */
export async function remove(entry: Entry, scope: Scope, etag: string | null): Promise<void> {
  const wasSeries = isSeries(entry);
  const part = entry.occurrence === undefined ? {} : { occurrence: entry.occurrence, scope };
  await deleteEntry({ id: entry.id, ...part, etag });
  if (wasSeries && scope !== 'all') {
    hideOccurrence(keyOf(entry));
    expire(entry.calendarId);
  } else {
    hideEntry(entry.id);
  }
  sayWithUndo(words.value.calendar.said.deleted(entry.title), () => void safely(async () => showUndone(await undoEntry(entry.id), entry)));
}

export async function moveTo(entry: Entry, calendarId: string): Promise<void> {
  const moved = await moveEntry(entry.id, calendarId);
  hideEntry(entry.id);
  showAnswer(moved, entry.calendarId);
  const name = calendarsById.value.get(calendarId)?.name ?? '';
  sayWithUndo(words.value.calendar.said.movedTo(entry.title, name), () => void safely(async () => {
    const back = await undoEntry(entry.id);
    hideEntry(entry.id);
    showUndone(back, moved.entry);
  }));
}

/** Checks a task off in the grid, or on again. */
export async function check(entry: Entry): Promise<void> {
  const completed = !entry.completed;
  showEntry({ ...entry, completed });
  try {
    const after = await toggleEntry(entry.id, entry.occurrence ?? null);
    showAnswer(after);
    const told = words.value.calendar.said;
    sayWithUndo(completed ? told.done(entry.title) : told.notDone(entry.title), () => void safely(() => undo(after)));
  } catch (error) {
    showEntry(entry);
    sayError(error);
  }
}

/** What a rule and its extra dates become when an occurrence goes elsewhere; nothing when the server does that by itself. */
async function movedRule(entry: Entry, fields: EntryFields): Promise<Pick<EntryFields, 'recurrence'>> {
  const after = fields.startDate ?? entry.startDate;
  const days = daysBetween(entry.startDate, after);
  const { recurrence } = (await loadEntry(entry.id)).entry;
  if (!recurrence || days === 0 || !/FREQ=(MONTHLY|YEARLY)/.test(recurrence.rule)) {
    return {};
  }
  const rule = followStart(recurrence.rule, entry.startDate, after);
  const additions = recurrence.additions.map((at) => addMinutes(at, days * 1440));
  return rule === null ? {} : { recurrence: { rule, additions } };
}

/** Something was dragged elsewhere, or drawn longer. It goes back to where it was when that is refused. */
export async function drop(placed: Placed, spot: Spot, text: string): Promise<void> {
  const { entry } = placed;
  const fields = fieldsAt(entry, spot, homeZone.value);
  const mayBeOne = fields.kind === undefined || fields.kind === entry.kind;
  const scope = entry.occurrence === undefined ? 'all' : await askScope('save', mayBeOne);
  if (scope === null) {
    showEntry(entry);
    return;
  }
  const times = { startDate: entry.startDate, endDate: fields.startDate ?? entry.endDate };
  showEntry({ ...entry, ...times, ...fields, recurrence: entry.recurrence ?? null });
  try {
    const rule = scope === 'this' || entry.occurrence === undefined ? {} : await movedRule(entry, fields);
    await change({ entry, fields: { ...fields, ...rule }, scope, etag: tagOf(entry), text });
  } catch (error) {
    showEntry(entry);
    if (error instanceof ApiError && error.status === 412) {
      say(words.value.calendar.said.changedMeanwhile);
      expire(entry.calendarId);
    } else {
      sayError(error);
    }
  }
}
