// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../api/entries';
import { sampleEntry } from './sampleEntry';
import { differsFrom, fieldsAt, instantAt, place, translate, wallAt } from './times';

const entry = sampleEntry;
const timed = (fields: Partial<Entry>): Entry =>
  entry({ startTime: '09:00', endTime: '10:00', timeZone: 'Europe/Berlin', ...fields });

describe('wall clocks', () => {
  it('are the same instant in another zone', () => {
    expect(translate('2026-11-17T14:00', 'Europe/Lisbon', 'Europe/Berlin')).toBe('2026-11-17T15:00');
    expect(translate('2026-11-17T20:00', 'America/New_York', 'Europe/Berlin')).toBe('2026-11-18T02:00');
    expect(translate('2026-11-17T09:00', 'Asia/Kolkata', 'UTC')).toBe('2026-11-17T03:30');
  });

  it('follow summer time of both zones, also in the weeks when only one has it', () => {
    expect(translate('2026-07-01T09:00', 'America/New_York', 'Europe/Berlin')).toBe('2026-07-01T15:00');
    expect(translate('2026-10-28T09:00', 'America/New_York', 'Europe/Berlin')).toBe('2026-10-28T14:00');
    expect(translate('2026-03-20T09:00', 'America/New_York', 'Europe/Berlin')).toBe('2026-03-20T14:00');
  });

  it('that are skipped are as much later', () => {
    expect(translate('2026-03-29T02:30', 'Europe/Berlin', 'Europe/Berlin')).toBe('2026-03-29T03:30');
    expect(translate('2026-03-29T02:30', 'Europe/Berlin', 'UTC')).toBe('2026-03-29T01:30');
  });

  it('that are shown twice mean the first time', () => {
    expect(instantAt('2026-10-25T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(translate('2026-10-25T02:30', 'Europe/Berlin', 'UTC')).toBe('2026-10-25T00:30');
    expect(wallAt(Date.UTC(2026, 9, 25, 1, 30), 'Europe/Berlin')).toBe('2026-10-25T02:30');
  });

  it('are right next to the day on which clocks change, where offsets are not remembered', () => {
    expect(translate('2026-03-28T23:30', 'UTC', 'Europe/Berlin')).toBe('2026-03-29T00:30');
    expect(translate('2026-03-29T00:30', 'UTC', 'Europe/Berlin')).toBe('2026-03-29T01:30');
    expect(translate('2026-03-29T01:30', 'UTC', 'Europe/Berlin')).toBe('2026-03-29T03:30');
    expect(translate('2026-03-30T09:00', 'UTC', 'Europe/Berlin')).toBe('2026-03-30T11:00');
  });
});

describe('placing an entry', () => {
  it('leaves whole days alone, whatever the zone, and counts the last day in', () => {
    expect(
      place(entry({ kind: 'multi-day', startDate: '2026-11-20', endDate: '2026-11-25' }), 'Pacific/Auckland'),
    ).toEqual({
      allDay: true,
      start: '2026-11-20',
      end: '2026-11-26',
      firstDay: '2026-11-20',
      lastDay: '2026-11-25',
    });
    expect(place(entry({ kind: 'all-day' }), 'America/New_York')).toMatchObject({
      start: '2026-11-17',
      end: '2026-11-18',
    });
  });

  it('moves times into the zone of who looks, over midnight when that is so', () => {
    expect(
      place(timed({ startTime: '23:00', endTime: '23:45', timeZone: 'Europe/Lisbon' }), 'Europe/Berlin'),
    ).toEqual({
      allDay: false,
      start: '2026-11-18T00:00',
      end: '2026-11-18T00:45',
      firstDay: '2026-11-18',
      lastDay: '2026-11-18',
    });
  });

  it('knows nights, and that what ends at midnight does not touch the next day', () => {
    expect(
      place(timed({ startTime: '22:10', endDate: '2026-11-18', endTime: '07:45' }), 'Europe/Berlin'),
    ).toMatchObject({ firstDay: '2026-11-17', lastDay: '2026-11-18' });
    expect(
      place(timed({ startTime: '22:00', endDate: '2026-11-18', endTime: '00:00' }), 'Europe/Berlin'),
    ).toMatchObject({ lastDay: '2026-11-17' });
  });

  it('is as long as it takes when the clocks go back in between', () => {
    const early = timed({
      startDate: '2026-10-25',
      endDate: '2026-10-25',
      startTime: '00:50',
      endTime: '01:10',
      timeZone: 'UTC',
    });
    expect(place(early, 'Europe/Berlin')).toMatchObject({ start: '2026-10-25T02:50', end: '2026-10-25T03:10' });
  });

  it('takes a task without a time as a whole day, and one with a time as that moment', () => {
    expect(place(entry({ kind: 'task' }), 'Europe/Berlin')).toMatchObject({ allDay: true });
    expect(
      place(
        entry({ kind: 'task', startTime: '12:00', endTime: '12:00', timeZone: 'Europe/Berlin' }),
        'Europe/Berlin',
      ),
    ).toMatchObject({ allDay: false, start: '2026-11-17T12:00', end: '2026-11-17T12:00' });
  });
});

describe('dropping an entry', () => {
  it('says the new time in the zone of the entry', () => {
    const spot = { allDay: false, start: '2026-11-18T15:00', end: '2026-11-18T16:30' };
    expect(fieldsAt(timed({ timeZone: 'Europe/Lisbon' }), spot, 'Europe/Berlin')).toEqual({
      startDate: '2026-11-18',
      startTime: '14:00',
      endDate: '2026-11-18',
      endTime: '15:30',
    });
  });

  it('makes a whole day of a time, and a time of a whole day', () => {
    expect(fieldsAt(timed({}), { allDay: true, start: '2026-11-18', end: null }, 'Europe/Berlin')).toEqual({
      kind: 'all-day',
      startDate: '2026-11-18',
      endDate: '2026-11-18',
    });
    expect(
      fieldsAt(entry({ kind: 'all-day' }), { allDay: false, start: '2026-11-18T09:00' }, 'Europe/Berlin'),
    ).toEqual({
      kind: 'timed',
      timeZone: 'Europe/Berlin',
      startDate: '2026-11-18',
      startTime: '09:00',
      endDate: '2026-11-18',
      endTime: '10:00',
    });
  });

  it('makes several days of one that is drawn longer', () => {
    expect(
      fieldsAt(entry({ kind: 'multi-day' }), { allDay: true, start: '2026-11-18', end: '2026-11-21' }, 'UTC'),
    ).toEqual({ startDate: '2026-11-18', endDate: '2026-11-20' });
  });

  it('leaves a task a task, with or without a time', () => {
    const task = entry({ kind: 'task', startTime: '12:00', endTime: '12:00', timeZone: 'Europe/Berlin' });
    expect(fieldsAt(task, { allDay: false, start: '2026-11-18T13:00' }, 'Europe/Berlin')).toEqual({
      startDate: '2026-11-18',
      startTime: '13:00',
      timeZone: 'Europe/Berlin',
    });
    expect(fieldsAt(task, { allDay: true, start: '2026-11-18' }, 'Europe/Berlin')).toEqual({
      startDate: '2026-11-18',
      startTime: null,
    });
    expect(fieldsAt(entry({ kind: 'task' }), { allDay: true, start: '2026-11-18' }, 'Europe/Berlin')).toEqual({
      startDate: '2026-11-18',
    });
  });
});

describe('the zone of an entry', () => {
  it('matters only when its clocks show something else then', () => {
    expect(differsFrom(timed({ timeZone: 'Europe/Paris' }), 'Europe/Berlin')).toBe(false);
    expect(differsFrom(timed({ timeZone: 'Europe/Lisbon' }), 'Europe/Berlin')).toBe(true);
    expect(differsFrom(entry({ kind: 'all-day' }), 'Europe/Berlin')).toBe(false);
  });
});
