// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { MyCalendar } from '../api/calendars';
import type { Me } from '../api/me';
import { me } from '../shell/session';
import { confirm } from '../ui/confirm';
import { chosenOrg } from './admin/orgPicker';
import { entriesBetween, loadError, showEntry } from './calendar/entries';
import { importStage } from './calendar/panels/importRun';
import { knownPeople, learnPeople } from './calendar/panels/people';
import { sampleEntry } from './calendar/sampleEntry';
import { askScope } from './calendar/scope';
import { beginEntry, calendars, calendarsError, filling, openPanel, refreshCalendars, selected, showPanel } from './calendar/state';
import { askAboutTaken } from './files/conflictQuestion';
import { askPassword } from './files/passwords';
import { tasks } from './files/transfers/tasks';
import { queue } from './files/uploads/store';
import '../shell/app';

const signIn = (id: string | null): void => { me.value = id === null ? null : ({ user: { id } } as Me); };
const calendar = { id: 'a', name: 'Surprises', role: 'owner', status: 'active', source: 'people' } as MyCalendar;

/** Somebody else signs in, in the same page. */
function comeBob(): void {
  signIn(null);
  signIn('bob');
}

beforeEach(() => {
  signIn('ann');
  // A server that takes its time.
  vi.stubGlobal('fetch', () => new Promise<Response>(() => undefined));
});
afterEach(() => vi.unstubAllGlobals());

describe('whoever signs in after somebody else', () => {
  it('finds nothing of theirs in the calendar', () => {
    calendars.value = [calendar];
    calendarsError.value = loadError.value = new Error('of Ann');
    filling.value = 'b';
    beginEntry({ title: 'Surprise for Bob' });
    showPanel('share', { calendarId: 'a' });
    learnPeople([{ calendar_id: 'a', email: 'carl@example.org', name: 'Carl', role: 'reader', status: 'active', created_at: '', updated_at: '' }]);
    importStage.value = { name: 'run', progress: null };
    const days = { from: '2026-11-01', to: '2026-11-30' };
    const entry = sampleEntry({ calendarId: 'a', kind: 'all-day', startDate: '2026-11-17', endDate: '2026-11-17' });
    showEntry(entry);
    expect(entriesBetween(days)).toHaveLength(1);
    comeBob();
    expect([selected.value, openPanel.value, calendars.value, calendarsError.value, loadError.value, filling.value])
      .toEqual([null, null, undefined, null, null, null]);
    expect(knownPeople.value.size).toBe(0);
    expect(importStage.value).toEqual({ name: 'choose' });
    calendars.value = [calendar];
    expect(entriesBetween(days)).toEqual([]);
  });

  it('nor in the files or the administration', () => {
    queue.add([{ target: { library: 'l', folder: '/', relative: '', name: 'surprise.txt', replace: false },
      content: { size: 1, lastModified: 1, slice: () => new Blob(['x']) } }]);
    tasks.value = [{ id: 't', to: 'Papers', progress: { status: 'processing', total: 0, done: 0, failed_reason: '' },
      relocation: { how: 'copy', policy: 'skip', from: { library: 'l', folder: '/', names: ['surprise.txt'] }, to: { library: 'm', folder: '/' } } }];
    chosenOrg.value = 'another';
    comeBob();
    expect(queue.items).toEqual([]);
    expect(tasks.value).toEqual([]);
    expect(chosenOrg.value).toBeNull();
  });

  it('is not asked what they were asked', async () => {
    const asked = [askScope('delete'), askAboutTaken(['surprise.txt']), askPassword('l'), confirm({ title: 'Delete?', text: '', deed: 'Delete' })];
    comeBob();
    expect(await Promise.all(asked)).toEqual([null, null, false, false]);
  });

  it('does not get what comes late for them', async () => {
    let answer: (reply: Response) => void = () => undefined;
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => { answer = resolve; }));
    const asked = refreshCalendars();
    comeBob();
    answer(new Response(JSON.stringify({ calendars: [calendar] }), { headers: { 'Content-Type': 'application/json' } }));
    await asked.catch(() => undefined);
    expect(calendars.value).toBeUndefined();
  });
});

describe('whoever comes back', () => {
  it('finds what was open, so that the way back leads there', () => {
    beginEntry({ title: 'Choir' });
    signIn(null);
    signIn('ann');
    expect(selected.value).toEqual({ fields: { title: 'Choir' } });
  });
});
