// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Words } from '../../words';
import { list, monthName, plainDay, weekdayName } from './formats';
import { endingOf, partsOf, readNumbers, readWeekdays, type NthWeekday, type RuleParts } from './rule';

type Told = Words['calendar']['rule'];

const WORKDAYS = '1,2,3,4,5';
const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const;
const SAID = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST']);

/**
 * A rule in words: "Every 2 weeks on Tuesday and Thursday until 3 March 2027". What has no words here is told as being
 * there. `start` is the day of the first one.
 */
export function sentenceOf(rule: string, start: string, told: Told): string {
  const parts = partsOf(rule);
  const frequency = FREQUENCIES.find((one) => one.toUpperCase() === parts.get('FREQ'));
  if (frequency === undefined) {
    return told.onGivenDays;
  }
  const weekdays = readWeekdays(parts.get('BYDAY')) ?? [];
  const isWorkdays = frequency !== 'monthly' && !parts.has('INTERVAL') && !parts.has('BYSETPOS') && !parts.has('BYMONTH')
    && weekdays.map(({ weekday, nth }) => (nth === 0 ? weekday : -1)).sort().join() === WORKDAYS;
  const phrases = isWorkdays
    ? [told.everyWorkday]
    : [told.every[frequency](Number(parts.get('INTERVAL') ?? 1)), ...whichDays(frequency, parts, weekdays, start, told)];
  return [...phrases, ...ending(parts, told), ...rest(parts, told)].join(' ').replace(' ,', ',');
}

function whichDays(frequency: (typeof FREQUENCIES)[number], parts: RuleParts, weekdays: NthWeekday[], start: string, told: Told): string[] {
  const [monthDays, months] = [readNumbers(parts.get('BYMONTHDAY')), readNumbers(parts.get('BYMONTH'))];
  const isOnStart = frequency === 'yearly' && weekdays.length === 0 && monthDays.length <= 1 && months.length <= 1;
  if (isOnStart) {
    const month = String(months[0] ?? +start.slice(5, 7)).padStart(2, '0');
    const day = String(monthDays[0] ?? +start.slice(8, 10)).padStart(2, '0');
    return [told.onDate(`2024-${month}-${day}`)];
  }
  const phrases = weekdays.length > 0 ? [weekdayPhrase(parts, weekdays, told)] : [];
  if (monthDays.length > 0) {
    phrases.push(told.onMonthDays(list(monthDays.map(told.monthDay))));
  } else if (weekdays.length === 0 && frequency === 'monthly') {
    phrases.push(told.onMonthDays(told.monthDay(+start.slice(8, 10))));
  }
  if (months.length > 0) {
    phrases.push(told.inMonths(list(months.map((month) => monthName(`2024-${String(month).padStart(2, '0')}-01`)))));
  }
  return phrases;
}

function weekdayPhrase(parts: RuleParts, weekdays: NthWeekday[], told: Told): string {
  const places = readNumbers(parts.get('BYSETPOS'));
  const nths = weekdays.map(({ nth, weekday }) => told.nthWeekday(nth !== 0 ? nth : (places[0] ?? 0), weekdayName(weekday)));
  const isNth = weekdays.some(({ nth }) => nth !== 0) || (places.length === 1 && weekdays.length === 1);
  return isNth ? told.onNthWeekdays(list(nths)) : told.onWeekdays(list(weekdays.map(({ weekday }) => weekdayName(weekday))));
}

function ending(parts: RuleParts, told: Told): string[] {
  const end = endingOf(parts);
  return end.kind === 'never' ? [] : [end.kind === 'until' ? told.until(plainDay(end.day)) : told.times(end.count)];
}

/** What is not said above. */
function rest(parts: RuleParts, told: Told): string[] {
  const odd = [...parts.keys()].some((name) => !SAID.has(name));
  const places = readNumbers(parts.get('BYSETPOS'));
  const isSaid = places.length === 0 || (places.length === 1 && (readWeekdays(parts.get('BYDAY')) ?? []).length === 1);
  return odd || !isSaid ? [told.andMore] : [];
}
