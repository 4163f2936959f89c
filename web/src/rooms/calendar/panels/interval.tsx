// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { SelectField } from '../../../ui/field';
import { words } from '../../../words';

const INTERVALS = [15, 60, 360, 1440, 10080];

/** An address that the server may look at; whether a calendar is there, it finds out. */
export const isFeedAddress = (text: string): boolean => /^(https?|webcals?):\/\/[^\s/]+/i.test(text.trim());

/** How often to look for news. */
export function IntervalField({ minutes, onMinutes }: { minutes: number; onMinutes: (minutes: number) => void }) {
  const told = words.value.calendarPanels.subscribe;
  const all = INTERVALS.includes(minutes) ? INTERVALS : [...INTERVALS, minutes].sort((a, b) => a - b);
  return (
    <SelectField label={told.every} value={String(minutes)} onValue={(value) => onMinutes(Number(value))}
      options={all.map((value) => ({ value: String(value), label: told.intervals[value] ?? told.everyMinutes(value) }))} />
  );
}
