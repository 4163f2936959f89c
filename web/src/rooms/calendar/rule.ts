// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { addDays, daysInMonth, weekdayOf } from './days';

// Rules are RFC 5545's, "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH". The editor knows the usual ones.

export type Frequency = 'daily' | 'weekly' | 'monthly' | 'yearly';

export type Ending = { kind: 'never' } | { kind: 'until'; day: string } | { kind: 'count'; count: number };

/** The n-th of a weekday in its month; -1 is the last. */
export interface NthWeekday {
  nth: number;
  weekday: number;
}

/** A rule that the editor can show. Weekdays are numbers, 0 for Sunday. */
export interface PlainRule {
  frequency: Frequency;
  every: number;
  /** Of weeks. */
  weekdays: number[];
  /** Of months: the day, -1 for the last; null when it is the n-th weekday. */
  monthDay: number | null;
  /** Of months and years: null when it is a day of the month. */
  nthWeekday: NthWeekday | null;
  ending: Ending;
}

export const WEEKDAY_CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
const EVERY_MAX = 999;

export type RuleParts = ReadonlyMap<string, string>;

export function partsOf(rule: string): RuleParts {
  const pairs = rule.split(';').filter((piece) => piece.includes('='));
  return new Map(pairs.map((piece) => [piece.slice(0, piece.indexOf('=')).toUpperCase(), piece.slice(piece.indexOf('=') + 1).toUpperCase()]));
}

/** "2TU" and "-1FR"; a weekday without a number has nth 0. */
export function readWeekday(text: string): NthWeekday | null {
  const found = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(text);
  return found === null ? null : { nth: Number(found[1] ?? 0), weekday: WEEKDAY_CODES.indexOf(found[2] as (typeof WEEKDAY_CODES)[number]) };
}

export function readWeekdays(text: string | undefined): NthWeekday[] | null {
  const all = (text ?? '').split(',').filter((piece) => piece !== '').map(readWeekday);
  return all.some((one) => one === null) ? null : (all as NthWeekday[]);
}

export const readNumbers = (text: string | undefined): number[] => (text ?? '').split(',').filter((piece) => piece !== '').map(Number);

export const readUntil = (text: string): string => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`;

export function endingOf(parts: RuleParts): Ending {
  const [until, count] = [parts.get('UNTIL'), parts.get('COUNT')];
  if (until !== undefined) {
    return { kind: 'until', day: readUntil(until) };
  }
  return count === undefined ? { kind: 'never' } : { kind: 'count', count: Number(count) };
}

/** Which one of its weekday in the month a day is; the last one is told as such from the fifth on. */
export function nthOf(day: string): NthWeekday {
  const nth = Math.ceil(+day.slice(8, 10) / 7);
  return { nth: nth === 5 ? -1 : nth, weekday: weekdayOf(day) };
}

export const isLastOfMonth = (day: string): boolean => +day.slice(8, 10) === daysInMonth(day);
const isLastWeekday = (day: string): boolean => +day.slice(8, 10) + 7 > daysInMonth(day);

export type MonthlyChoice = Pick<PlainRule, 'monthDay' | 'nthWeekday'>;

/** The ways to say "every month on this day", the first one being usual. */
export function monthlyChoices(day: string): MonthlyChoice[] {
  const nth = nthOf(day);
  const choices: MonthlyChoice[] = [{ monthDay: +day.slice(8, 10), nthWeekday: null }, { monthDay: null, nthWeekday: nth }];
  if (nth.nth !== -1 && isLastWeekday(day)) {
    choices.push({ monthDay: null, nthWeekday: { ...nth, nth: -1 } });
  }
  if (isLastOfMonth(day)) {
    choices.push({ monthDay: -1, nthWeekday: null });
  }
  return choices;
}

export const makeRule = (frequency: Frequency, start: string): PlainRule => ({
  frequency, every: 1, weekdays: frequency === 'weekly' ? [weekdayOf(start)] : [], nthWeekday: null, ending: { kind: 'never' },
  monthDay: frequency === 'monthly' ? +start.slice(8, 10) : null,
});

const KNOWN = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST']);

/** The rule as the editor shows it; null when it says more than the editor can. `start` is the day of the first one. */
export function parseRule(rule: string, start: string): PlainRule | null {
  const parts = partsOf(rule);
  const frequency = (parts.get('FREQ') ?? '').toLowerCase() as Frequency;
  const weekdays = readWeekdays(parts.get('BYDAY'));
  const every = Number(parts.get('INTERVAL') ?? 1);
  const isOdd = [...parts.keys()].some((name) => !KNOWN.has(name)) || weekdays === null || every > EVERY_MAX
    || (every > 1 && frequency === 'weekly' && (parts.get('WKST') ?? 'MO') !== 'MO');
  if (isOdd) {
    return null;
  }
  const base = { ...makeRule('daily', start), every, ending: endingOf(parts) };
  switch (frequency) {
    case 'daily':
      return parseDaily(base, parts, weekdays);
    case 'weekly':
      return hasOnly(parts, ['BYDAY']) && weekdays.every(({ nth }) => nth === 0)
        ? { ...base, frequency, weekdays: weekdays.length === 0 ? [weekdayOf(start)] : weekdays.map(({ weekday }) => weekday) } : null;
    case 'monthly':
      return parseMonthly(base, parts, weekdays, start);
    case 'yearly':
      return parseYearly(base, parts, weekdays, start);
    default:
      return null;
  }
}

const hasOnly = (parts: RuleParts, names: readonly string[]): boolean =>
  [...parts.keys()].every((name) => !name.startsWith('BY') || names.includes(name));

/** "Every day, but only on these weekdays" is a weekly rule. */
function parseDaily(base: PlainRule, parts: RuleParts, weekdays: NthWeekday[]): PlainRule | null {
  if (!hasOnly(parts, ['BYDAY'])) {
    return null;
  }
  if (weekdays.length === 0) {
    return base;
  }
  return base.every === 1 && weekdays.every(({ nth }) => nth === 0)
    ? { ...base, frequency: 'weekly', weekdays: weekdays.map(({ weekday }) => weekday) } : null;
}

/** "2TU", or "TU" with BYSETPOS=2. */
function nthIn(parts: RuleParts, weekdays: NthWeekday[]): NthWeekday | null {
  const places = readNumbers(parts.get('BYSETPOS'));
  if (weekdays.length !== 1 || places.length > 1) {
    return null;
  }
  const nth = places.length === 1 && weekdays[0]!.nth === 0 ? places[0]! : places.length === 0 ? weekdays[0]!.nth : 0;
  return nth === -1 || (nth >= 1 && nth <= 4) ? { nth, weekday: weekdays[0]!.weekday } : null;
}

function parseMonthly(base: PlainRule, parts: RuleParts, weekdays: NthWeekday[], start: string): PlainRule | null {
  const days = readNumbers(parts.get('BYMONTHDAY'));
  if (weekdays.length === 0 && hasOnly(parts, ['BYMONTHDAY']) && days.length <= 1) {
    const monthDay = days[0] ?? +start.slice(8, 10);
    return monthDay >= -1 ? { ...base, frequency: 'monthly', monthDay } : null;
  }
  const nthWeekday = nthIn(parts, weekdays);
  return hasOnly(parts, ['BYDAY', 'BYSETPOS']) && nthWeekday !== null ? { ...base, frequency: 'monthly', nthWeekday } : null;
}

function parseYearly(base: PlainRule, parts: RuleParts, weekdays: NthWeekday[], start: string): PlainRule | null {
  const [month, days] = [readNumbers(parts.get('BYMONTH')), readNumbers(parts.get('BYMONTHDAY'))];
  const sameMonth = month.length === 0 || (month.length === 1 && month[0] === +start.slice(5, 7));
  if (weekdays.length === 0) {
    const sameDay = days.length === 0 || (days.length === 1 && days[0] === +start.slice(8, 10) && month.length === 1);
    return hasOnly(parts, ['BYMONTH', 'BYMONTHDAY']) && sameMonth && sameDay ? { ...base, frequency: 'yearly' } : null;
  }
  const nthWeekday = nthIn(parts, weekdays);
  const fits = hasOnly(parts, ['BYMONTH', 'BYDAY', 'BYSETPOS']) && sameMonth && month.length === 1 && nthWeekday !== null;
  return fits ? { ...base, frequency: 'yearly', nthWeekday } : null;
}

/** The rule as the server takes it; `start` is the day of the first one. */
export function buildRule(rule: PlainRule, start: string): string {
  const parts = [`FREQ=${rule.frequency.toUpperCase()}`];
  if (rule.every > 1) {
    parts.push(`INTERVAL=${rule.every}`);
  }
  if (rule.frequency === 'weekly' && rule.weekdays.length > 0) {
    const fromMonday = [...rule.weekdays].sort((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
    parts.push(`BYDAY=${fromMonday.map((weekday) => WEEKDAY_CODES[weekday]).join(',')}`);
  }
  if (rule.frequency === 'yearly' && rule.nthWeekday !== null) {
    parts.push(`BYMONTH=${+start.slice(5, 7)}`);
  }
  if (rule.nthWeekday !== null) {
    parts.push(`BYDAY=${rule.nthWeekday.nth}${WEEKDAY_CODES[rule.nthWeekday.weekday]}`);
  } else if (rule.frequency === 'monthly' && rule.monthDay !== null) {
    parts.push(`BYMONTHDAY=${rule.monthDay}`);
  }
  if (rule.ending.kind === 'until') {
    parts.push(`UNTIL=${rule.ending.day.replaceAll('-', '')}`);
  } else if (rule.ending.kind === 'count') {
    parts.push(`COUNT=${rule.ending.count}`);
  }
  return parts.join(';');
}

/**
 * The rule when the day of the first one moves: what was said because of that day is said of the new one. Null when it
 * stays as it is, or is none that we understand.
 */
export function followStart(rule: string, before: string, after: string): string | null {
  const plain = parseRule(rule, before);
  if (plain === null || before === after) {
    return null;
  }
  const next: PlainRule = { ...plain, ending: shiftEnding(plain.ending, before, after) };
  const oldNth = nthOf(before);
  if (plain.frequency === 'weekly') {
    const shift = weekdayOf(after) - weekdayOf(before) + 7;
    next.weekdays = plain.weekdays.map((weekday) => (weekday + shift) % 7);
  } else if (plain.monthDay !== null) {
    next.monthDay = plain.monthDay === -1 && isLastOfMonth(after) ? -1 : +after.slice(8, 10);
  } else if (plain.nthWeekday !== null) {
    const keepsLast = plain.nthWeekday.nth === -1 && oldNth.nth !== -1 && isLastWeekday(after);
    next.nthWeekday = keepsLast ? { nth: -1, weekday: weekdayOf(after) } : nthOf(after);
  }
  const built = buildRule(next, after);
  return built === buildRule(plain, before) ? null : built;
}

/** As many as before: the end goes along with the start. */
function shiftEnding(ending: Ending, before: string, after: string): Ending {
  if (ending.kind !== 'until') {
    return ending;
  }
  const days = Math.round((Date.parse(after) - Date.parse(before)) / 86_400_000);
  return { kind: 'until', day: addDays(ending.day, days) };
}
