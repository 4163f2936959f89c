// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Glance } from '../../api/join';
import { linkSecret } from '../../shell/linkSecret';
import { me } from '../../shell/session';
import { Join } from './join';
import { JoinConfirm } from './joinConfirm';

const OPEN: Glance = {
  state: 'open', inviter: 'Ann', inviter_email: 'ann@example.org', kind: 'calendar', label: 'Choir', role: 'reader', organisation: 'The Hikers',
  has_account: false, proof: 'approval',
};
type Told = { status: number; body: unknown };
const refused = (status: number, detail: string): Told => ({ status, body: { detail } });

/** A server that shows the invitation as it is at each look, and refuses whoever wants to join. */
function serve(looks: Told[], joining: Told): void {
  vi.stubGlobal('fetch', async (url: string) => {
    const others = url.startsWith('/api/join') ? joining : { status: 200, body: { providers: [] } };
    const { status, body } = url === '/api/join/look' ? looks.shift()! : others;
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  });
}

const place = document.createElement('div');
const alert = () => place.querySelector('[role=alert]')?.textContent ?? '';

async function makeAccount(): Promise<void> {
  await vi.waitFor(() => expect(place.querySelector('form')).not.toBeNull());
  for (const [name, value] of [['name', 'Carl'], ['email', 'carl@example.org'], ['password', 'a teapot made of rain']]) {
    await act(() => {
      const field = place.querySelector<HTMLInputElement>(`input[name=${name}]`)!;
      field.value = value!;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
  }
  await act(() => { place.querySelector('form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })); });
}

beforeEach(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  document.body.append(place);
  me.value = null;
  linkSecret.value = 'secret';
});
afterEach(async () => {
  await act(() => render(null, place));
  vi.unstubAllGlobals();
});

const seen = { status: 200, body: OPEN };

describe('whoever is refused an account', () => {
  it('is told why where the invitation is still open', async () => {
    serve([seen, seen], refused(409, 'accounts were asked for with this link too often; ask for a new one'));
    await act(() => render(<Join />, place));
    await makeAccount();
    await vi.waitFor(() => expect(alert()).toContain('Too many accounts were asked for with this link. Ask whoever invited you for a new one.'));
    expect(place.querySelector('form')).not.toBeNull();
  });

  it('is told in the words of the server what has none of ours', async () => {
    serve([seen, seen], refused(409, 'the moon is in the way'));
    await act(() => render(<Join />, place));
    await makeAccount();
    await vi.waitFor(() => expect(alert()).toContain('the moon is in the way'));
  });

  it('is told so, too, where the address was to be confirmed', async () => {
    serve([], refused(403, 'email: only administrators invite'));
    await act(() => render(<JoinConfirm />, place));
    await act(() => { place.querySelector('form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })); });
    await vi.waitFor(() => expect(alert()).toContain('The organisation takes in nobody new at the moment.'));
  });

  it('sees that it has ended where it has', async () => {
    serve([seen, { status: 200, body: { state: 'accepted', has_account: false } }], refused(409, 'the invitation was used already'));
    await act(() => render(<Join />, place));
    await makeAccount();
    await vi.waitFor(() => expect(place.textContent).toContain('It was used already.'));
    expect(place.querySelector('form')).toBeNull();
  });

  it('sees that the link was replaced meanwhile', async () => {
    serve([seen, refused(404, 'no such link')], refused(404, 'no such link'));
    await act(() => render(<Join />, place));
    await makeAccount();
    await vi.waitFor(() => expect(place.textContent).toContain('was replaced by a newer one'));
    expect(place.querySelector('form')).toBeNull();
  });
});
