// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { changesBetween, fieldsOf, mayBeOne, mistakeIn, newDraft, refusedField, withKind, withStart, type Draft } from './draft';

const draft = (fields: Partial<Draft> = {}): Draft => ({
  ...newDraft({ calendarId: 'c', kind: 'timed', title: 'Tea', startDate: '2026-11-17', startTime: '15:00', endDate: '2026-11-17', endTime: '16:30' },
    'Europe/Berlin', '2026-11-17'),
  ...fields,
});

describe('a start that is changed', () => {
  it('takes the end along, over midnight when need be', () => {
    expect(withStart(draft(), { startTime: '23:00' })).toMatchObject({ endDate: '2026-11-18', endTime: '00:30' });
    expect(withStart(draft(), { startDate: '2026-11-20' })).toMatchObject({ endDate: '2026-11-20', endTime: '16:30' });
    expect(withStart(draft({ kind: 'multi-day', endDate: '2026-11-19' }), { startDate: '2026-11-20' })).toMatchObject({ endDate: '2026-11-22' });
  });

  it('takes the rule along', () => {
    expect(withStart(draft({ rule: 'FREQ=WEEKLY;BYDAY=TU' }), { startDate: '2026-11-18' }).rule).toBe('FREQ=WEEKLY;BYDAY=WE');
    expect(withStart(draft({ rule: 'FREQ=DAILY;BYHOUR=9' }), { startDate: '2026-11-18' }).rule).toBe('FREQ=DAILY;BYHOUR=9');
  });

  it('stays a draft while a field is empty', () => {
    expect(withStart(draft(), { startDate: '' })).toMatchObject({ startDate: '', endDate: '2026-11-17' });
  });
});

describe('another kind', () => {
  it('has the usual times and days', () => {
    const day = draft({ kind: 'all-day', startTime: '', endTime: '' });
    expect(withKind(day, 'timed')).toMatchObject({ startTime: '09:00', endTime: '10:00', endDate: '2026-11-17' });
    expect(withKind(day, 'multi-day')).toMatchObject({ endDate: '2026-11-18' });
    expect(withKind(draft(), 'all-day')).toMatchObject({ startTime: '15:00' });
    expect(withKind(withKind(draft(), 'all-day'), 'timed')).toMatchObject({ startTime: '15:00', endTime: '16:30' });
  });
});

describe('what is saved', () => {
  it('is what the kind has', () => {
    expect(fieldsOf(draft({ kind: 'all-day' }))).not.toHaveProperty('startTime');
    expect(fieldsOf(draft({ kind: 'task', startTime: '' }))).toMatchObject({ startTime: null });
    expect(fieldsOf(draft())).toMatchObject({ startTime: '15:00', endTime: '16:30', timeZone: 'Europe/Berlin' });
    expect(fieldsOf(draft())).not.toHaveProperty('recurrence');
  });

  it('is only what was changed, and times together', () => {
    expect(changesBetween(draft(), draft(), [])).toEqual({});
    expect(changesBetween(draft(), draft({ title: 'Coffee' }), [])).toEqual({ title: 'Coffee' });
    expect(changesBetween(draft(), draft({ endTime: '17:00' }), []))
      .toEqual({ startDate: '2026-11-17', startTime: '15:00', endDate: '2026-11-17', endTime: '17:00' });
    expect(changesBetween(draft(), draft({ timeZone: 'UTC' }), [])).toEqual({ timeZone: 'UTC' });
    expect(changesBetween(draft({ rule: 'FREQ=DAILY' }), draft(), [])).toEqual({ recurrence: null });
    expect(changesBetween(draft(), draft({ rule: 'FREQ=DAILY' }), ['2026-12-01T15:00']))
      .toEqual({ recurrence: { rule: 'FREQ=DAILY', additions: ['2026-12-01T15:00'] } });
  });

  it('may be of one occurrence when it is not about the series', () => {
    expect(mayBeOne({ title: 'Coffee', startTime: '09:00' })).toBe(true);
    expect(mayBeOne({ recurrence: null })).toBe(false);
    expect(mayBeOne({ reminders: [] })).toBe(false);
  });
});

describe('mistakes', () => {
  it('are found before the server is asked', () => {
    expect(mistakeIn(draft())).toBeNull();
    expect(mistakeIn(draft({ title: ' ' }))).toEqual({ field: 'title', reason: 'titleMissing' });
    expect(mistakeIn(draft({ endTime: '14:00' }))).toEqual({ field: 'endTime', reason: 'endBeforeStart' });
    expect(mistakeIn(draft({ endDate: '2026-11-16' }))).toEqual({ field: 'endDate', reason: 'endBeforeStart' });
    expect(mistakeIn(draft({ startTime: '' }))).toEqual({ field: 'startTime', reason: 'timeMissing' });
  });

  it('that the server names are shown at their field', () => {
    expect(refusedField('end_time: before start_time')).toEqual({ field: 'endTime', text: 'before start_time' });
    expect(refusedField('recurrence: the rule names its days')).toEqual({ field: 'rule', text: 'the rule names its days' });
    expect(refusedField('there is no such entry')).toBeNull();
    expect(refusedField('weather: bad')).toBeNull();
  });
});
