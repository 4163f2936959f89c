// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry, EntryFields } from '../../api/entries';
import { addDays, daysBetween, daysInMonth, startOfMonth, weekdayOf } from './days';
import { parseRule, type PlainRule } from './rule';

/** The day that a monthly or yearly rule names in the month of `day`. */
export function dayNamedBy(rule: PlainRule, day: string): string {
  const first = startOfMonth(day);
  if (rule.nthWeekday !== null) {
    const { nth, weekday } = rule.nthWeekday;
    const earliest = addDays(first, (weekday - weekdayOf(first) + 7) % 7);
    const inMonth = Math.floor((daysInMonth(day) - +earliest.slice(8, 10)) / 7) + 1;
    return addDays(earliest, 7 * ((nth === -1 ? inMonth : Math.min(nth, inMonth)) - 1));
  }
  const named = rule.monthDay ?? +day.slice(8, 10);
  return addDays(first, (named === -1 ? daysInMonth(day) : Math.min(named, daysInMonth(day))) - 1);
}

/**
 * What a change of one occurrence, meant for all of a series, says of its first one, when the rule names a day of the
 * month: as many days on it would stand beside the rule. Null when the server finds that out by itself.
 */
export function fieldsOfFirst(series: Entry, entry: Entry, fields: EntryFields): EntryFields | null {
  const rule = fields.recurrence && fields.startDate ? parseRule(fields.recurrence.rule, fields.startDate) : null;
  if (rule === null || fields.startDate === undefined || (rule.frequency !== 'monthly' && rule.frequency !== 'yearly')) {
    return null;
  }
  const shifted = addDays(series.startDate, daysBetween(entry.startDate, fields.startDate));
  const startDate = dayNamedBy(rule, shifted);
  const length = fields.endDate === undefined ? daysBetween(series.startDate, series.endDate) : daysBetween(fields.startDate, fields.endDate);
  return {
    ...fields, startDate, endDate: addDays(startDate, length),
    // A time that is as shown says nothing of the series, which may have another.
    ...(fields.startTime && fields.startTime === entry.startTime && series.startTime ? { startTime: series.startTime } : {}),
    ...(fields.endTime && fields.endTime === entry.endTime && series.endTime ? { endTime: series.endTime } : {}),
  };
}
