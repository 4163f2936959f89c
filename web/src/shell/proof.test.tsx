// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ProofWanted, fetchBody, type ProofMethod } from '../api/client';
import { messageOf } from '../ui/errors';
import { ProofQuestion } from './proof';

const PASSWORD = 'a teapot made of rain';

/** A server that lets a change happen once the password was given. */
function serve(methods: ProofMethod[]) {
  const sent: string[] = [];
  let isProved = false;
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    sent.push(`${url} ${String(body)}`);
    const reply = (status: number, told: unknown) => new Response(JSON.stringify(told), { status, headers: { 'Content-Type': 'application/json' } });
    if (url === '/api/auth/proof') {
      isProved = (JSON.parse(String(body)) as { password?: string }).password === PASSWORD;
      return isProved ? new Response(null, { status: 204 }) : reply(403, { detail: 'wrong' });
    }
    if (url === '/api/auth/providers') return reply(200, { providers: [{ id: 'club', name: 'Our club', login_url: '' }], mail: false });
    return isProved ? reply(200, { done: true }) : reply(403, { code: 'recent_proof_required', methods });
  });
  return sent;
}

const place = document.createElement('div');
const button = (text: string) => [...place.querySelectorAll('button')].find((one) => one.textContent === text)!;

beforeEach(async () => {
  document.body.append(place);
  // This browser of the tests has no dialogs.
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  HTMLDialogElement.prototype.close ??= () => undefined;
  await act(() => render(<ProofQuestion />, place));
});
afterEach(async () => {
  await act(() => render(null, place));
  vi.unstubAllGlobals();
});

const change = () => fetchBody('/api/tokens', { method: 'POST', json: { name: 'x' } });

async function give(password: string): Promise<void> {
  const field = place.querySelector<HTMLInputElement>('input[name=password]')!;
  await act(() => {
    field.value = password;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await act(() => { place.querySelector('form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })); });
}

describe('the question for a proof', () => {
  it('stands until the right password is given, and then the change is made', async () => {
    const sent = serve(['password']);
    const done = change();
    await vi.waitFor(() => expect(place.querySelector('input[name=password]')).not.toBeNull());
    await give('not this one');
    await vi.waitFor(() => expect(place.textContent).toContain('That is not your password.'));
    await give(PASSWORD);
    expect(await done).toEqual({ done: true });
    await vi.waitFor(() => expect(place.querySelector('dialog')).toBeNull());
    expect(sent.filter((one) => one.startsWith('/api/tokens'))).toHaveLength(2);
  });

  it('can be declined, which is told plainly', async () => {
    serve(['password']);
    const refused = change().catch((error: unknown) => error);
    await vi.waitFor(() => expect(button('Cancel')).toBeDefined());
    await act(() => { button('Cancel').click(); });
    const error = await refused;
    expect(error).toBeInstanceOf(ProofWanted);
    expect(messageOf(error)).toBe('Nothing was changed: this needs your confirmation first.');
  });

  it('leads to a provider and back where there is no password', async () => {
    serve(['provider:club']);
    history.replaceState(null, '', '/account/tokens?x=1');
    const refused = change().catch((error: unknown) => error);
    await vi.waitFor(() => expect(place.querySelector('a')?.textContent).toBe('Sign in with Our club again'));
    expect(place.querySelector('a')!.getAttribute('href')).toBe('/auth/club/login?proof=1&return_to=%2Faccount%2Ftokens%3Fx%3D1');
    expect(place.querySelector('form')).toBeNull();
    await act(() => { button('Cancel').click(); });
    await refused;
  });
});
