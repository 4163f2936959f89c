// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../../api/entries';
import { sampleEntry } from '../sampleEntry';
import { differencesOf, type Teller } from './differences';

const entry = sampleEntry({
  calendarId: 'family', title: 'Dentist', startDate: '2026-03-02', endDate: '2026-03-02', startTime: '09:00', endTime: '10:00',
  timeZone: 'Europe/Berlin',
});

const teller: Teller = {
  words: {
    title: 'Title', kind: 'Kind', when: 'When', timeZone: 'Time zone', location: 'Place', url: 'Link',
    organizer: 'Organiser', attendees: 'Invited', description: 'Notes', color: 'Colour',
    repeats: 'Repeats', reminders: 'Reminders', shownAs: 'Shown as', busy: 'busy', free: 'free', done: 'Done', yes: 'yes', no: 'no',
    calendar: 'Calendar', alsoOn: 'Also on', notOn: 'Not on', ofOccurrence: (day, field) => `${day}: ${field}`,
    kinds: { timed: 'Appointment', 'all-day': 'All day', 'multi-day': 'Several days', task: 'Task' },
    reminder: (minutes) => `${minutes} min`,
  },
  day: (date) => date,
  when: (one) => `${one.startDate} ${one.startTime ?? ''}-${one.endTime ?? ''}`,
  rule: (rule) => rule.toLowerCase(),
  calendarName: (id) => id,
};

const tell = (before: Entry, after: Entry) =>
  differencesOf(before, after, teller).map((one) => `${one.field}: ${one.before} > ${one.after}`);

describe('differences of an entry', () => {
  it('are none when nothing people see has changed', () => {
    expect(tell(entry, { ...entry, sequence: 3, updatedAt: 'later' })).toEqual([]);
  });

  it('are told field by field', () => {
    expect(tell(entry, { ...entry, title: 'Doctor', startTime: '09:30', location: 'Main Street 5', transparent: true })).toEqual([
      'Title: Dentist > Doctor', 'When: 2026-03-02 09:00-10:00 > 2026-03-02 09:30-10:00', 'Place: null > Main Street 5', 'Shown as: busy > free']);
  });

  it('take an empty text and an absent one for the same', () => {
    expect(tell({ ...entry, description: '' }, { ...entry, description: null })).toEqual([]);
  });

  it('tell of the link, and of the people who answered otherwise', () => {
    const before: Entry = { ...entry, url: 'https://example.org/a', attendees: [{ address: 'ben@x' }, { address: 'cleo@x', status: 'accepted' }] };
    const after: Entry = {
      ...entry, organizer: { address: 'ann@x', name: 'Ann' },
      attendees: [{ address: 'ben@x', status: 'declined' }, { address: 'cleo@x', status: 'accepted' }],
    };
    expect(tell(before, after)).toEqual([
      'Link: https://example.org/a > null', 'Organiser: null > Ann (ann@x)', 'Invited: ben@x, not answered yet > ben@x, declined']);
  });

  it('mark colours', () => {
    expect(differencesOf({ ...entry, color: '#FF0000' }, { ...entry, color: null }, teller))
      .toEqual([{ field: 'Colour', before: '#ff0000', after: null, isColor: true }]);
  });

  it('tell reminders in order', () => {
    expect(tell(entry, { ...entry, reminders: [{ minutesBefore: 60 }, { minutesBefore: 10 }] })).toEqual(['Reminders: null > 10 min, 60 min']);
  });

  it('tell of a move to another calendar, and of a task that is done', () => {
    expect(tell({ ...entry, kind: 'task' }, { ...entry, kind: 'task', calendarId: 'work', completed: true }))
      .toEqual(['Calendar: family > work', 'Done: no > yes']);
  });
});

describe('differences of a series', () => {
  const series: Entry = { ...entry, recurrence: { rule: 'FREQ=DAILY', additions: [], exceptions: ['2026-03-04T09:00'] } };

  it('are its rule, and the exceptions that are new', () => {
    const after = { ...series, recurrence: { rule: 'FREQ=WEEKLY', additions: [], exceptions: ['2026-03-04T09:00', '2026-03-05T09:00'] } };
    expect(tell(series, after)).toEqual(['Repeats: freq=daily > freq=weekly', 'Not on: null > 2026-03-05']);
    expect(tell(after, { ...entry, recurrence: null })[0]).toBe('Repeats: freq=weekly > null');
  });

  it('are single occurrences that were changed', () => {
    const overrides = [{ occurrence: '2026-03-06T09:00', title: 'Dentist, late', startTime: '11:00', endTime: null }];
    expect(tell(series, { ...series, recurrence: { ...series.recurrence!, overrides } })).toEqual([
      '2026-03-06: Title: Dentist > Dentist, late', '2026-03-06: When: 2026-03-06 09:00-10:00 > 2026-03-06 11:00-10:00']);
  });

  it('do not tell of an occurrence what has changed in the whole series', () => {
    const overrides = [{ occurrence: '2026-03-06T09:00', location: 'There' }];
    const before = { ...series, recurrence: { ...series.recurrence!, overrides } };
    expect(tell(before, { ...before, title: 'Doctor' })).toEqual(['Title: Dentist > Doctor']);
  });
});
