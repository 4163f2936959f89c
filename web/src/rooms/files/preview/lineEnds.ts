// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

export type LineEnd = '\n' | '\r\n' | '\r';
/** `none`: there is but one line. */
export type LineEnds = 'LF' | 'CRLF' | 'CR' | 'mixed' | 'none';

const ENDS = /\r\n|\n|\r/g;
const NAMES: Record<LineEnd, LineEnds> = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' };

const endsOf = (text: string): LineEnd[] => (text.match(ENDS) ?? []) as LineEnd[];

/** By what the lines of a text end. */
export function lineEndsOf(text: string): LineEnds {
  const kinds = new Set(endsOf(text));
  return kinds.size === 0 ? 'none' : kinds.size === 1 ? NAMES[[...kinds][0]!] : 'mixed';
}

/** The text as a field of the browser has it: all lines end alike there. */
export const shownIn = (text: string): string => text.replace(ENDS, '\n');

/**
 * What a text becomes when its field says `typed`, after one change at one place: lines that were there keep their end,
 * new ones end as most others do.
 */
export function followTyping(text: string, typed: string): string {
  const before = shownIn(text);
  const ends = endsOf(text);
  const limit = Math.min(before.length, typed.length);
  let start = 0;
  while (start < limit && before[start] === typed[start]) start += 1;
  let rest = 0;
  while (rest < limit - start && before[before.length - 1 - rest] === typed[typed.length - 1 - rest]) rest += 1;
  const kept = { first: linesIn(typed.slice(0, start)), last: linesIn(typed.slice(typed.length - rest)) };
  const added = linesIn(typed) - kept.first - kept.last;
  const usual = usualOf(ends);
  const next = [...ends.slice(0, kept.first), ...Array.from({ length: added }, () => usual), ...ends.slice(ends.length - kept.last)];
  let line = 0;
  return typed.replace(/\n/g, () => next[line++]!);
}

const linesIn = (text: string): number => text.split('\n').length - 1;

function usualOf(ends: readonly LineEnd[]): LineEnd {
  const all: LineEnd[] = ['\n', '\r\n', '\r'];
  const count = (end: LineEnd): number => ends.filter((one) => one === end).length;
  return all.reduce((best, end) => (count(end) > count(best) ? end : best));
}
