// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry } from '../../../api/entries';

export type SearchSection = 'upcoming' | 'repeating' | 'past';

export interface DayOfResults {
  date: string;
  entries: Entry[];
}

export interface ResultGroup {
  section: SearchSection;
  days: DayOfResults[];
}

function sectionOf(entry: Entry, today: string): SearchSection {
  if (entry.recurrence) {
    const last = entry.recurrence.last?.slice(0, 10);
    return last !== undefined && last < today ? 'past' : 'repeating';
  }
  return entry.endDate < today ? 'past' : 'upcoming';
}

const startOf = (entry: Entry): string => `${entry.startDate}T${entry.startTime ?? ''}`;

/** By date: what comes first, then what comes again and again, then what is over, the latest first. */
export function groupResults(entries: readonly Entry[], today: string): ResultGroup[] {
  const sections: SearchSection[] = ['upcoming', 'repeating', 'past'];
  return sections.map((section) => {
    const found = entries.filter((entry) => sectionOf(entry, today) === section)
      .sort((a, b) => startOf(a).localeCompare(startOf(b)) * (section === 'past' ? -1 : 1));
    return { section, days: byDay(found) };
  }).filter((group) => group.days.length > 0);
}

function byDay(entries: readonly Entry[]): DayOfResults[] {
  const days: DayOfResults[] = [];
  for (const entry of entries) {
    const day = days.find((one) => one.date === entry.startDate);
    if (day === undefined) {
      days.push({ date: entry.startDate, entries: [entry] });
    } else {
      day.entries.push(entry);
    }
  }
  return days;
}

/** In the order in which the groups show them: what the arrow keys go through. */
export const flatten = (groups: readonly ResultGroup[]): Entry[] => groups.flatMap((group) => group.days.flatMap((day) => day.entries));

/** Where a text has one of the words that were looked for: pieces of it, each found or not. */
export function markWords(text: string, query: string): { text: string; found: boolean }[] {
  const words = query.split(/\s+/).filter((word) => word !== '').map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) {
    return [{ text, found: false }];
  }
  // Longer ones first, so that a word that begins another does not hide it.
  const pattern = new RegExp(`(${words.sort((a, b) => b.length - a.length).join('|')})`, 'giu');
  return text.split(pattern).map((piece, index) => ({ text: piece, found: index % 2 === 1 })).filter((piece) => piece.text !== '');
}
