// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { CALENDARS_AT_ONCE, type Entry } from '../../api/entries';
import { endOfMonth, monthsBetween } from './days';
import { place, type Placement } from './times';

/** One occurrence of an entry, with where it stands for who looks at it. */
export interface Placed extends Placement {
  key: string;
  entry: Entry;
}

export const keyOf = (entry: Pick<Entry, 'id' | 'occurrence'>): string => `${entry.id} ${entry.occurrence ?? ''}`;

export interface DayRange {
  from: string;
  /** The last day. */
  to: string;
}

/** What to ask the server for. */
export interface Wanted extends DayRange {
  calendarIds: string[];
}

// A year of a busy calendar in one reply would keep the page from answering while it is read.
const MONTHS_AT_ONCE = 3;

/** What is known of one calendar. */
interface Board {
  fresh: Set<string>;
  asked: Set<string>;
  /** Counts what makes replies that are under way too old. */
  generation: number;
  occurrences: Map<string, Placed>;
}

const makeBoard = (): Board => ({ fresh: new Set(), asked: new Set(), generation: 0, occurrences: new Map() });

/**
 * The entries that were loaded, by calendar and month. Months that are out of date are still shown until what is new
 * has come.
 */
export class Shelf {
  private readonly boards = new Map<string, Board>();

  constructor(private readonly zone: () => string) {}

  private board(calendarId: string): Board {
    let board = this.boards.get(calendarId);
    if (board === undefined) {
      board = makeBoard();
      this.boards.set(calendarId, board);
    }
    return board;
  }

  /** The questions that are left to ask for these days, and marks them as asked. */
  request(calendarIds: readonly string[], days: DayRange): Wanted[] {
    const runs = new Map<string, Wanted>();
    for (const calendarId of calendarIds) {
      const { fresh, asked } = this.board(calendarId);
      const missing = monthsBetween(days.from, days.to).filter((month) => !fresh.has(month) && !asked.has(month));
      for (const run of runsOf(missing)) {
        run.forEach((month) => asked.add(month));
        const [from, to] = [`${run[0]!}-01`, endOfMonth(`${run[run.length - 1]!}-01`)];
        const wanted = runs.get(`${from} ${to}`) ?? { from, to, calendarIds: [] };
        wanted.calendarIds.push(calendarId);
        runs.set(`${from} ${to}`, wanted);
      }
    }
    return [...runs.values()].flatMap(portions);
  }

  /** As they are now; `accept` refuses what was asked for before something happened. */
  generations(wanted: Wanted): number[] {
    return wanted.calendarIds.map((id) => this.board(id).generation);
  }

  /**
   * Takes a reply. Of calendars in which something has happened since it was asked for, nothing is taken, and false
   * answered; unless the generations are null.
   */
  accept(wanted: Wanted, generations: readonly number[] | null, entries: readonly Entry[]): boolean {
    const current = new Set(wanted.calendarIds.filter((id, index) => generations === null || this.board(id).generation === generations[index]));
    this.release(wanted);
    for (const calendarId of current) {
      const board = this.board(calendarId);
      monthsBetween(wanted.from, wanted.to).forEach((month) => board.fresh.add(month));
      for (const [key, placed] of board.occurrences) {
        if (touches(placed, wanted)) board.occurrences.delete(key);
      }
    }
    for (const entry of entries) {
      if (current.has(entry.calendarId)) this.show(entry);
    }
    return current.size === wanted.calendarIds.length;
  }

  /** The reply will not come. */
  release(wanted: Wanted): void {
    for (const calendarId of wanted.calendarIds) {
      const { asked } = this.board(calendarId);
      monthsBetween(wanted.from, wanted.to).forEach((month) => asked.delete(month));
    }
  }

  private show(entry: Entry): void {
    const key = keyOf(entry);
    this.board(entry.calendarId).occurrences.set(key, { ...place(entry, this.zone()), key, entry });
  }

  /** Shows an entry, or an occurrence, as it is now, wherever it was before. */
  put(entry: Entry): void {
    this.remove(keyOf(entry));
    this.board(entry.calendarId).generation += 1;
    this.show(entry);
  }

  remove(key: string): void {
    for (const board of this.boards.values()) {
      if (board.occurrences.delete(key)) board.generation += 1;
    }
  }

  /** Everything of an entry. Tells whether there was something. */
  removeEntry(id: string): boolean {
    let found = false;
    for (const board of this.boards.values()) {
      for (const [key, placed] of board.occurrences) {
        if (placed.entry.id === id) {
          found = board.occurrences.delete(key);
          board.generation += 1;
        }
      }
    }
    return found;
  }

  find(key: string): Placed | undefined {
    for (const board of this.boards.values()) {
      const found = board.occurrences.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Everything that is shown of an entry. */
  occurrencesOf(id: string): Placed[] {
    return [...this.boards.values()].flatMap((board) => [...board.occurrences.values()].filter(({ entry }) => entry.id === id));
  }

  /** Out of date: asked for anew as soon as somebody looks. */
  expire(calendarId?: string): void {
    const boards = calendarId === undefined ? [...this.boards.values()] : [this.board(calendarId)];
    for (const board of boards) {
      board.fresh.clear();
      board.asked.clear();
      board.generation += 1;
    }
  }

  forget(calendarId?: string): void {
    if (calendarId === undefined) {
      this.boards.clear();
    } else {
      this.boards.delete(calendarId);
    }
  }

  isLoaded(calendarIds: readonly string[], days: DayRange): boolean {
    const months = monthsBetween(days.from, days.to);
    return calendarIds.every((id) => months.every((month) => this.boards.get(id)?.fresh.has(month)));
  }

  /** What touches these days, by start. */
  between(calendarIds: readonly string[], days: DayRange): Placed[] {
    const found = calendarIds.flatMap((id) => [...(this.boards.get(id)?.occurrences.values() ?? [])].filter((placed) => touches(placed, days)));
    return found.sort(byStart);
  }
}

const touches = (placed: Placed, days: DayRange): boolean => placed.firstDay <= days.to && days.from <= placed.lastDay;

/** Whole days first, then by time, then by title. */
export function byStart(one: Placed, other: Placed): number {
  return compare(one.firstDay, other.firstDay) || Number(other.allDay) - Number(one.allDay) || compare(one.start, other.start)
    || compare(other.lastDay, one.lastDay) || compare(one.entry.title, other.entry.title) || compare(one.key, other.key);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Months that follow one another, together, as far as one question goes. */
function runsOf(months: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (const month of months) {
    const run = runs[runs.length - 1];
    const follows = run !== undefined && run.length < MONTHS_AT_ONCE && monthsBetween(`${run[run.length - 1]!}-01`, `${month}-01`).length === 2;
    if (follows) {
      run.push(month);
    } else {
      runs.push([month]);
    }
  }
  return runs;
}

function portions(wanted: Wanted): Wanted[] {
  const all: Wanted[] = [];
  for (let at = 0; at < wanted.calendarIds.length; at += CALENDARS_AT_ONCE) {
    all.push({ ...wanted, calendarIds: wanted.calendarIds.slice(at, at + CALENDARS_AT_ONCE) });
  }
  return all;
}
