// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../api/entries';
import { sampleEntry } from './sampleEntry';
import { Shelf, keyOf } from './shelf';

const entry = (fields: Partial<Entry>): Entry => sampleEntry({ calendarId: 'a', kind: 'all-day', ...fields });
const november = { from: '2026-11-01', to: '2026-11-30' };
const wanted = (calendarIds: string[], from = '2026-11-01', to = '2026-11-30') => ({ calendarIds, from, to });
const make = (): Shelf => new Shelf(() => 'Europe/Berlin');

describe('what is asked for', () => {
  it('is whole months, for all calendars together, and once', () => {
    const shelf = make();
    expect(shelf.request(['a', 'b'], { from: '2026-10-26', to: '2026-12-06' })).toEqual([wanted(['a', 'b'], '2026-10-01', '2026-12-31')]);
    expect(shelf.request(['a', 'b'], november)).toEqual([]);
  });

  it('is a year in quarters, and twenty calendars at most', () => {
    const year = make().request(['a'], { from: '2026-01-01', to: '2026-12-31' });
    expect(year.map(({ from }) => from)).toEqual(['2026-01-01', '2026-04-01', '2026-07-01', '2026-10-01']);
    const many = make().request(Array.from({ length: 45 }, (_, index) => `c${index}`), november);
    expect(many.map(({ calendarIds }) => calendarIds.length)).toEqual([20, 20, 5]);
  });

  it('is only what is missing', () => {
    const shelf = make();
    const [first] = shelf.request(['a'], november);
    shelf.accept(first!, shelf.generations(first!), []);
    expect(shelf.request(['a', 'b'], { from: '2026-11-01', to: '2026-12-31' }))
      .toEqual([wanted(['a'], '2026-12-01', '2026-12-31'), wanted(['b'], '2026-11-01', '2026-12-31')]);
    expect(shelf.isLoaded(['a'], november)).toBe(true);
  });

  it('is asked for again when the reply did not come, or is out of date', () => {
    const shelf = make();
    const [first] = shelf.request(['a'], november);
    shelf.release(first!);
    expect(shelf.request(['a'], november)).toHaveLength(1);
    shelf.expire('a');
    expect(shelf.request(['a'], november)).toHaveLength(1);
  });
});

describe('replies', () => {
  it('replace what was known of those days', () => {
    const shelf = make();
    shelf.put(entry({ id: 'gone' }));
    shelf.put(entry({ id: 'later', startDate: '2026-12-03', endDate: '2026-12-03' }));
    const question = wanted(['a']);
    expect(shelf.accept(question, shelf.generations(question), [entry({ id: 'new' })])).toBe(true);
    expect(shelf.between(['a'], { from: '2026-11-01', to: '2026-12-31' }).map(({ entry: one }) => one.id)).toEqual(['new', 'later']);
  });

  it('are not taken when something happened after the question, unless there is no other way', () => {
    const shelf = make();
    const question = wanted(['a']);
    const before = shelf.generations(question);
    shelf.put(entry({ title: 'Newer' }));
    expect(shelf.accept(question, before, [entry({ title: 'Older' })])).toBe(false);
    expect(shelf.find(keyOf(entry({})))?.entry.title).toBe('Newer');
    expect(shelf.isLoaded(['a'], november)).toBe(false);
    expect(shelf.accept(question, null, [entry({ title: 'Older' })])).toBe(true);
  });

  it('hold what spans months once', () => {
    const shelf = make();
    const long = entry({ kind: 'multi-day', startDate: '2026-10-30', endDate: '2026-11-03' });
    shelf.accept(wanted(['a'], '2026-10-01', '2026-10-31'), null, [long]);
    shelf.accept(wanted(['a']), null, [long]);
    expect(shelf.between(['a'], { from: '2026-10-01', to: '2026-11-30' })).toHaveLength(1);
  });
});

describe('what is shown', () => {
  it('is in order: by day, whole days first, then by time', () => {
    const shelf = make();
    const time = { kind: 'timed', timeZone: 'Europe/Berlin' } as const;
    shelf.put(entry({ id: 'noon', ...time, startTime: '12:00', endTime: '13:00' }));
    shelf.put(entry({ id: 'morning', ...time, startTime: '08:00', endTime: '09:00' }));
    shelf.put(entry({ id: 'day' }));
    expect(shelf.between(['a'], november).map(({ entry: one }) => one.id)).toEqual(['day', 'morning', 'noon']);
  });

  it('moves along when an entry goes to another calendar', () => {
    const shelf = make();
    shelf.put(entry({}));
    shelf.put(entry({ calendarId: 'b' }));
    expect(shelf.between(['a'], november)).toHaveLength(0);
    expect(shelf.between(['b'], november)).toHaveLength(1);
  });

  it('loses all occurrences of what is deleted', () => {
    const shelf = make();
    shelf.put(entry({ occurrence: '2026-11-17T00:00' }));
    shelf.put(entry({ occurrence: '2026-11-18T00:00', startDate: '2026-11-18', endDate: '2026-11-18' }));
    expect(shelf.occurrencesOf('e')).toHaveLength(2);
    expect(shelf.removeEntry('e')).toBe(true);
    expect(shelf.removeEntry('e')).toBe(false);
  });
});
