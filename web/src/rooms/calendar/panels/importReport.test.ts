// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { calendarNameIn, firstOf, groupNotes, groupRefusals, outcomeOf, readNote } from './importReport';

const refusal = (line: number, reason: string) => ({ line, uid: `${line}@x`, summary: `Entry ${line}`, reason });
const report = { added: 0, updated: 0, unchanged: 0, refused_count: 0, refused: [], zones_count: 0, zones: [], notes_count: 0, notes: [] };

describe('the report of an import', () => {
  it('puts refusals of one reason together, the most frequent first', () => {
    const groups = groupRefusals([refusal(3, 'no DTSTART'), refusal(9, 'bad RRULE'), refusal(20, 'bad RRULE')]);
    expect(groups.map((group) => [group.reason, group.cases.map((one) => one.line)]))
      .toEqual([['bad RRULE', [9, 20]], ['no DTSTART', [3]]]);
  });

  it('takes reasons that differ in their line alone for one', () => {
    const groups = groupRefusals([refusal(3, 'DTSTART on line 5: no date'), refusal(9, 'DTSTART on line 11: no date')]);
    expect(groups.map((group) => [group.reason, group.cases.length])).toEqual([['DTSTART: no date', 2]]);
  });

  it('puts notes together that differ in their line alone', () => {
    expect(groupNotes(['line 4: LOCATION cut', 'a note', 'line 9: LOCATION cut'])).toEqual([
      { reason: 'LOCATION cut', cases: [4, 9] }, { reason: 'a note', cases: [] }]);
  });

  it('reads the line of a note', () => {
    expect(readNote('line 12: x: y')).toEqual({ line: 12, text: 'x: y' });
    expect(readNote('online 12: x')).toEqual({ line: null, text: 'online 12: x' });
  });

  it('shows the first few', () => {
    expect(firstOf([1, 2, 3], 2)).toEqual({ shown: [1, 2], more: 1 });
    expect(firstOf([1], 2)).toEqual({ shown: [1], more: 0 });
  });

  it('says how it went', () => {
    expect(outcomeOf(report)).toBe('empty');
    expect(outcomeOf({ ...report, unchanged: 2 })).toBe('whole');
    expect(outcomeOf({ ...report, added: 2, refused_count: 1 })).toBe('partial');
    expect(outcomeOf({ ...report, refused_count: 1 })).toBe('none');
    expect(outcomeOf({ ...report, added: 2, stopped: 'no space' })).toBe('partial');
  });
});

describe('the name of a calendar in a file', () => {
  it('is what the file says', () => {
    expect(calendarNameIn('BEGIN:VCALENDAR\r\nX-WR-CALNAME:Choir\\, 2026\r\nEND', 'basic.ics')).toBe('Choir, 2026');
    expect(calendarNameIn('NAME;LANGUAGE=de:Cho\r\n r\r\n', 'basic.ics')).toBe('Chor');
  });

  it('is that of the file when it says nothing', () => {
    expect(calendarNameIn('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nFILENAME:no\r\n', 'My calendar.ICS')).toBe('My calendar');
  });
});
