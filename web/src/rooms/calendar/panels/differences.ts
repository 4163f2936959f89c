// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry, Override } from '../../../api/entries';
import { words } from '../../../words';
import { personText } from '../sheet/person';

/** Something that is otherwise than before; null where there was or is nothing. */
export interface Difference {
  field: string;
  before: string | null;
  after: string | null;
  /** Both are colours (#rrggbb), to be shown as such. */
  isColor?: boolean;
}

/** How the values of an entry are put into words. */
export interface Teller {
  words: {
    title: string; kind: string; when: string; timeZone: string; location: string; url: string; description: string; color: string;
    organizer: string; attendees: string;
    repeats: string; reminders: string; shownAs: string; busy: string; free: string; done: string; yes: string; no: string; calendar: string;
    alsoOn: string; notOn: string; ofOccurrence: (day: string, field: string) => string;
    kinds: Record<Entry['kind'], string>;
    reminder: (minutes: number) => string;
  };
  /** "Mon, 2 Mar 2026". */
  day: (date: string) => string;
  /** "Mon, 2 Mar 2026, 09:00 – 10:00". */
  when: (entry: Entry) => string;
  /** "every week on Monday". */
  rule: (rule: string, start: string) => string;
  calendarName: (id: string) => string;
}

type Texts = [field: string, before: string | null | undefined, after: string | null | undefined];

function differenceOf([field, before, after]: Texts): Difference[] {
  const [one, other] = [before || null, after || null];
  return one === other ? [] : [{ field, before: one, after: other }];
}

/** What is otherwise in `after`, field by field, in the order in which an entry is read. */
export function differencesOf(before: Entry, after: Entry, teller: Teller): Difference[] {
  const told = teller.words;
  const flag = (on: boolean) => (on ? told.yes : told.no);
  return [
    ...differenceOf([told.calendar, teller.calendarName(before.calendarId), teller.calendarName(after.calendarId)]),
    ...differenceOf([told.kind, told.kinds[before.kind], told.kinds[after.kind]]),
    ...commonDifferences(before, after, teller),
    ...differenceOf([told.timeZone, before.timeZone, after.timeZone]),
    ...seriesDifferences(before, after, teller),
    ...differenceOf([told.reminders, remindersOf(before, teller), remindersOf(after, teller)]),
    ...differenceOf([told.shownAs, before.transparent ? told.free : told.busy, after.transparent ? told.free : told.busy]),
    ...differenceOf([told.done, flag(before.completed), flag(after.completed)]),
  ];
}

/** What an entry and a single occurrence of a series both have. */
function commonDifferences(before: Entry, after: Entry, teller: Teller): Difference[] {
  const told = teller.words;
  return [
    ...differenceOf([told.title, before.title, after.title]),
    ...differenceOf([told.when, teller.when(before), teller.when(after)]),
    ...differenceOf([told.location, before.location, after.location]),
    ...differenceOf([told.url, before.url, after.url]),
    ...differenceOf([told.organizer, organizerOf(before), organizerOf(after)]),
    ...listDifferences(told.attendees, attendeesOf(before), attendeesOf(after)),
    ...differenceOf([told.description, before.description, after.description]),
    ...differenceOf([told.color, before.color?.toLowerCase(), after.color?.toLowerCase()]).map((one) => ({ ...one, isColor: true })),
  ];
}

const organizerOf = ({ organizer }: Entry): string | null => (organizer?.address ? personText(organizer) : null);

/** "Ben (ben@example.org), accepted". */
const attendeesOf = (entry: Entry): string[] =>
  (entry.attendees ?? []).map((one) => `${personText(one)}, ${words.value.calendar.invited.statuses[one.status ?? 'needs-action']}`);

function remindersOf(entry: Entry, teller: Teller): string {
  return entry.reminders.map((one) => one.minutesBefore).sort((a, b) => a - b).map(teller.words.reminder).join(', ');
}

const ruleOf = (entry: Entry, teller: Teller): string | null => (entry.recurrence?.rule ? teller.rule(entry.recurrence.rule, entry.startDate) : null);

function seriesDifferences(before: Entry, after: Entry, teller: Teller): Difference[] {
  const told = teller.words;
  const dates = (starts: readonly string[] | undefined) => (starts ?? []).map((start) => teller.day(start.slice(0, 10)));
  return [
    ...differenceOf([told.repeats, ruleOf(before, teller), ruleOf(after, teller)]),
    ...listDifferences(told.alsoOn, dates(before.recurrence?.additions), dates(after.recurrence?.additions)),
    ...listDifferences(told.notOn, dates(before.recurrence?.exceptions), dates(after.recurrence?.exceptions)),
    ...occurrenceDifferences(before, after, teller),
  ];
}

/** Of two lists only what is in one of them: a series may have a hundred exceptions of which one is new. */
function listDifferences(field: string, before: string[], after: string[]): Difference[] {
  const gone = before.filter((one) => !after.includes(one));
  const come = after.filter((one) => !before.includes(one));
  return differenceOf([field, gone.join('; '), come.join('; ')]);
}

function occurrenceDifferences(before: Entry, after: Entry, teller: Teller): Difference[] {
  const told = teller.words;
  const [olds, news] = [before.recurrence?.overrides ?? [], after.recurrence?.overrides ?? []];
  const all = [...new Set([...olds, ...news].map((one) => one.occurrence))].sort();
  return all.flatMap((occurrence) => {
    const old = olds.find((one) => one.occurrence === occurrence);
    const now = news.find((one) => one.occurrence === occurrence);
    if (JSON.stringify(old) === JSON.stringify(now)) {
      return [];
    }
    // Both on the ground of the series as it is now, so that a change of the series itself is not told again.
    const [one, other] = [overridden(after, occurrence, old), overridden(after, occurrence, now)];
    const done = (entry: Entry) => (entry.completed ? told.yes : told.no);
    return [...commonDifferences(one, other, teller), ...differenceOf([told.done, done(one), done(other)])]
      .map((difference) => ({ ...difference, field: told.ofOccurrence(teller.day(occurrence.slice(0, 10)), difference.field) }));
  });
}

/** One occurrence of a series, as its override has it. */
function overridden(series: Entry, occurrence: string, override: Override | undefined): Entry {
  const day = occurrence.slice(0, 10);
  const said = Object.fromEntries(Object.entries(override ?? {}).filter(([, value]) => value !== null));
  return { ...series, startDate: day, endDate: lastDay(series, day), ...said };
}

/** A series says how long an occurrence is by its own first and last day. */
function lastDay(series: Entry, day: string): string {
  const days = Date.parse(series.endDate) - Date.parse(series.startDate);
  return new Date(Date.parse(day) + days).toISOString().slice(0, 10);
}
