// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { MyCalendar } from '../../../api/calendars';
import type { Delivery } from '../../../api/invitations';
import type { Me } from '../../../api/me';
import type { Member } from '../../../api/members';
import { me } from '../../../shell/session';
import { dismissAll } from '../../../ui/toast';
import { calendars } from '../state';
import { SharePanel } from './share';

const ANN: Member = {
  calendar_id: 'a', user_id: 'ann', email: 'ann@example.org', name: 'Ann', role: 'owner', status: 'active', created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
};
const CARL: Member = { ...ANN, user_id: null, email: 'carl@example.org', name: '', role: 'reader', status: 'invited' };
const LINK = 'https://example.org/join#token=abc';
const invited = (delivery: Delivery, link?: string) => ({
  ...CARL, invitation: { id: 'i', state: 'open' as const, delivery, resends: 0, expires_at: '2026-12-01T00:00:00Z', ...(link && { link }) },
});

let members: Member[];
let answers: Record<string, () => { status: number; body: unknown }>;

/** A server that sends no mail; what it says to a deed is up to each test. */
function serve(): void {
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    const usual = url === '/api/calendars/a/members' ? { members } : { providers: [], mail: false, calendars: [] };
    const { status, body } = answers[`${method} ${url}`]?.() ?? { status: 200, body: usual };
    return new Response(status === 204 ? null : JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  });
}

const place = document.createElement('div');
const said = () => place.querySelector('.toasts')?.textContent ?? '';
const linkShown = () => place.querySelector<HTMLInputElement>('.pass-on input')?.value ?? null;

async function choose(deed: string): Promise<void> {
  await vi.waitFor(() => expect(place.querySelector('[aria-haspopup]')).not.toBeNull());
  await act(() => place.querySelector<HTMLButtonElement>('[aria-haspopup]')!.click());
  const item = [...place.querySelectorAll<HTMLButtonElement>('[role=menuitem]')].find((one) => one.textContent!.startsWith(deed))!;
  await act(() => item.click());
}

beforeEach(async () => {
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  HTMLDialogElement.prototype.close ??= () => undefined;
  me.value = { user: { id: 'ann', email: 'ann@example.org' } } as Me;
  calendars.value = [{ id: 'a', name: 'Choir', role: 'owner', status: 'active', source: 'people', is_default: false } as MyCalendar];
  members = [ANN, CARL];
  answers = {};
  serve();
  document.body.append(place);
  await act(() => render(<SharePanel calendarId="a" close={() => undefined} />, place));
});
afterEach(async () => {
  await act(() => render(null, place));
  dismissAll();
  vi.unstubAllGlobals();
});

const RESEND = 'POST /api/calendars/a/members/carl%40example.org/resend';

describe('an invitation that is sent again', () => {
  it('waits to be sent where there is mail', async () => {
    answers[RESEND] = () => ({ status: 200, body: invited('queued') });
    await choose('Send the invitation again');
    await vi.waitFor(() => expect(said()).toContain('Another letter to carl@example.org is waiting to be sent'));
    expect(linkShown()).toBeNull();
  });

  it('is a link to pass on where there is none', async () => {
    answers[RESEND] = () => ({ status: 200, body: invited('off', LINK) });
    await choose('Send the invitation again');
    await vi.waitFor(() => expect(linkShown()).toBe(LINK));
    expect(said()).toContain('No letter to carl@example.org: this server sends no mail');
    expect(place.textContent).not.toMatch(/waiting to be sent|queued/);
  });

  it('is refused with the reason where nothing could be sent', async () => {
    answers[RESEND] = () => ({ status: 503, body: { detail: 'this server sends no mail: pass the link on yourself', request_id: 'r' } });
    await choose('Send the invitation again');
    await vi.waitFor(() => expect(said()).toContain('This server sends no mail. Make a new link and pass it on yourself.'));
  });

  it('is refused in the words of the server for other reasons', async () => {
    answers[RESEND] = () => ({ status: 503, body: { detail: 'letters rest until Monday' } });
    await choose('Send the invitation again');
    await vi.waitFor(() => expect(said()).toContain('letters rest until Monday'));
  });
});

describe('the link of an invitation', () => {
  beforeEach(async () => {
    answers['POST /api/calendars/a/members/carl%40example.org/link'] = () => {
      members = [ANN, invited('off')];
      return { status: 200, body: invited('off', LINK) };
    };
    await choose('Make a new link');
    await vi.waitFor(() => expect(linkShown()).toBe(LINK));
    await vi.waitFor(() => expect(place.textContent).toContain('No letter: this server sends no mail'));
  });

  it('goes with the invitation', async () => {
    answers['DELETE /api/calendars/a/members/carl%40example.org'] = () => {
      members = [ANN];
      return { status: 204, body: null };
    };
    await choose('Withdraw the invitation');
    await vi.waitFor(() => expect(said()).toContain('is withdrawn'));
    await vi.waitFor(() => expect(linkShown()).toBeNull());
    expect(place.querySelector('.pass-on-qr')).toBeNull();
  });

  it('stays where the invitation could not be withdrawn', async () => {
    answers['DELETE /api/calendars/a/members/carl%40example.org'] = () => ({ status: 409, body: { detail: 'not now' } });
    await choose('Withdraw the invitation');
    await vi.waitFor(() => expect(said()).toContain('not now'));
    expect(linkShown()).toBe(LINK);
  });
});
