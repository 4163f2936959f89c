// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ImportRefusal, ImportReport } from '../../../api/icalendar';
import { words } from '../../../words';

/** Something that happened more than once in a file. */
export interface Repeated<T> {
  reason: string;
  cases: T[];
}

function grouped<T>(cases: readonly T[], reasonOf: (one: T) => string): Repeated<T>[] {
  const groups = new Map<string, T[]>();
  cases.forEach((one) => groups.set(reasonOf(one), [...(groups.get(reasonOf(one)) ?? []), one]));
  return [...groups].map(([reason, found]) => ({ reason, cases: found }))
    .sort((a, b) => b.cases.length - a.cases.length);
}

/** By reason, the most frequent first. "DTSTART on line 12: …" says the same of every line. */
export const groupRefusals = (refused: readonly ImportRefusal[]): Repeated<ImportRefusal>[] =>
  grouped(refused, (one) => one.reason.replace(/^([A-Z-]+) on line \d+:/, '$1:'));

/** A note without the line it is about: "line 12: reminders left out". */
export function readNote(note: string): { line: number | null; text: string } {
  const found = /^line (\d+): (.*)$/s.exec(note);
  return found === null ? { line: null, text: note } : { line: Number(found[1]), text: found[2]! };
}

/** By what they say, the most frequent first; the cases are lines. */
export const groupNotes = (notes: readonly string[]): Repeated<number>[] =>
  grouped(notes.map(readNote), (note) => note.text)
    .map(({ reason, cases }) => ({ reason, cases: cases.flatMap((one) => (one.line === null ? [] : [one.line])) }));

/** "12, 40, 51 and more": the first of them, and whether there are others. */
export const firstOf = <T>(cases: readonly T[], count: number): { shown: T[]; more: number } =>
  ({ shown: cases.slice(0, count), more: Math.max(0, cases.length - count) });

/** How it went: everything is in, some of it, none of it, or nothing was there. */
export function outcomeOf(report: ImportReport): 'whole' | 'partial' | 'none' | 'empty' {
  const isIn = report.added + report.updated + report.unchanged > 0;
  if (report.stopped || report.refused_count > 0) {
    return isIn ? 'partial' : 'none';
  }
  return isIn ? 'whole' : 'empty';
}

/** That, in words. */
export function sentenceOf(report: ImportReport, calendarName: string): string {
  const told = words.value.calendarPanels.import;
  return { whole: told.whole(calendarName), partial: told.partial(calendarName), none: told.none, empty: told.nothing }[outcomeOf(report)];
}

/** The name that a file gives its calendar (X-WR-CALNAME, NAME), or its own name without the ending. */
export function calendarNameIn(text: string, fileName: string): string {
  // Long lines are folded: a line that begins with a space belongs to the one before.
  const found = /^(?:X-WR-CALNAME|NAME)(?:;[^:\r\n]*)?:(.*)$/im.exec(text.replace(/\r?\n[ \t]/g, ''));
  const told = (found?.[1] ?? '').replace(/\\([,;\\])/g, '$1').replace(/\\n/gi, ' ').trim();
  return (told || fileName.replace(/\.(ics|ical|ifb|icalendar)$/i, '').trim()).slice(0, 100);
}
