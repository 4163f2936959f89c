// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../api/entries';
import type { Member } from '../../api/members';
import { consequenceOf, readEvent, type Known } from './live';

const entry = (fields: Partial<Entry>): Entry => ({
  id: 'e', calendarId: 'a', kind: 'all-day', completed: false, title: 'Something', startDate: '2026-11-17', endDate: '2026-11-17', reminders: [],
  transparent: false, uid: '', sequence: 3, createdAt: '', updatedAt: '', ...fields,
});
const series = { rule: 'FREQ=DAILY', additions: [], exceptions: [] };
const known = (fields: Partial<Known> = {}): Known => ({ shown: [], cameJustNow: false, myId: 'me', ...fields });
const member = (user_id: string): Member => ({
  calendar_id: 'a', user_id, email: '', name: '', role: 'reader', status: 'active', created_at: '', updated_at: '',
});

describe('news of entries', () => {
  it('show what is new, or newer', () => {
    expect(consequenceOf({ name: 'entry_added', entry: entry({}) }, known())).toEqual({ do: 'show', entry: entry({}) });
    const before = known({ shown: [{ entry: entry({ sequence: 2 }) }] });
    expect(consequenceOf({ name: 'entry_updated', entry: entry({}) }, before)).toMatchObject({ do: 'show' });
  });

  it('say nothing new of what one did oneself', () => {
    const before = known({ shown: [{ entry: entry({ sequence: 3 }) }] });
    expect(consequenceOf({ name: 'entry_updated', entry: entry({}) }, before)).toEqual({ do: 'nothing' });
  });

  it('of a series make its calendar be asked for anew, also when it ends being one', () => {
    expect(consequenceOf({ name: 'entry_added', entry: entry({ recurrence: series }) }, known()))
      .toEqual({ do: 'expire', calendarIds: ['a'], entryId: 'e' });
    const before = known({ shown: [{ entry: entry({ sequence: 2, occurrence: '2026-11-17T00:00' }) }] });
    expect(consequenceOf({ name: 'entry_updated', entry: entry({}) }, before)).toMatchObject({ do: 'expire', calendarIds: ['a'] });
  });

  it('take away what is deleted, but not what has only left its former calendar', () => {
    const shown = [{ entry: entry({ calendarId: 'b' }) }];
    expect(consequenceOf({ name: 'entry_deleted', entryId: 'e' }, known({ shown }))).toEqual({ do: 'hide', entryId: 'e' });
    expect(consequenceOf({ name: 'entry_deleted', entryId: 'e' }, known({ shown, cameJustNow: true }))).toEqual({ do: 'expire', calendarIds: ['b'] });
    expect(consequenceOf({ name: 'entry_deleted', entryId: 'e' }, known())).toEqual({ do: 'nothing' });
  });

  it('move an entry that comes from another calendar, even when it is otherwise the same', () => {
    const before = known({ shown: [{ entry: entry({ calendarId: 'b' }) }] });
    expect(consequenceOf({ name: 'entry_added', entry: entry({}) }, before)).toMatchObject({ do: 'show' });
  });
});

describe('news of calendars and members', () => {
  it('concern the list when they are about oneself', () => {
    expect(consequenceOf({ name: 'member_added', member: member('me') }, known())).toEqual({ do: 'list' });
    expect(consequenceOf({ name: 'member_removed', member: member('me') }, known())).toEqual({ do: 'forget', calendarId: 'a' });
    expect(consequenceOf({ name: 'member_added', member: member('her') }, known())).toEqual({ do: 'nothing' });
    expect(consequenceOf({ name: 'calendar_deleted', calendarId: 'a' }, known())).toEqual({ do: 'forget', calendarId: 'a' });
  });

  it('ask for everything when too much was missed', () => {
    expect(consequenceOf({ name: 'refresh_required' }, known())).toEqual({ do: 'everything' });
  });
});

describe('the wire', () => {
  it('is read with its own names', () => {
    expect(readEvent('entry_deleted', '{"entry_id":"e","date":"2026-11-17"}')).toEqual({ name: 'entry_deleted', entryId: 'e' });
    expect(readEvent('calendar_deleted', '{"calendar_id":"a"}')).toEqual({ name: 'calendar_deleted', calendarId: 'a' });
    expect(readEvent('refresh_required', '{"reason":"x","message":"y"}')).toEqual({ name: 'refresh_required' });
    expect(readEvent('something_new', '{}')).toBeNull();
  });
});
