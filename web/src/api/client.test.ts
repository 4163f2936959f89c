// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError, fetchBody, onSignedOut, proveBy, ProofWanted, type ProofMethod } from './client';

const WANTS_PROOF = {
  status: 403, body: { status: 403, detail: 'prove that it is you', code: 'recent_proof_required', methods: ['password', 'otp', 'provider:club'] },
};
const DONE = { status: 200, body: { done: true } };

/** Answers requests in turn, and remembers what was asked. */
function serverOf(...replies: { status: number; body: unknown }[]) {
  const requests: { url: string; method: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    requests.push({ url, method: method!, body });
    const { status, body: told } = replies.shift()!;
    const type = status < 300 ? 'application/json' : 'application/problem+json';
    return new Response(JSON.stringify(told), { status, headers: { 'Content-Type': type } });
  });
  return requests;
}

let questions: (readonly ProofMethod[])[];
const answering = (isProved: boolean) => proveBy(async (methods) => {
  questions.push(methods);
  return isProved;
});
beforeEach(() => { questions = []; });
afterEach(() => { vi.unstubAllGlobals(); });

const change = () => fetchBody('/api/me/email', { method: 'POST', json: { email: 'new@example.org' } });

describe('a request that needs a recent proof', () => {
  it('is made again, as it was, once the proof is given', async () => {
    const requests = serverOf(WANTS_PROOF, DONE);
    answering(true);
    expect(await change()).toEqual({ done: true });
    expect(questions).toEqual([['password', 'otp', 'provider:club']]);
    expect(requests).toHaveLength(2);
    expect(requests[1]).toEqual(requests[0]);
  });

  it('is told as not done when the person thinks better of it', async () => {
    const requests = serverOf(WANTS_PROOF);
    answering(false);
    await expect(change()).rejects.toBeInstanceOf(ProofWanted);
    expect(requests).toHaveLength(1);
  });

  it('is not asked about for ever', async () => {
    serverOf(WANTS_PROOF, WANTS_PROOF);
    answering(true);
    await expect(change()).rejects.toBeInstanceOf(ProofWanted);
    expect(questions).toHaveLength(1);
  });

  it('shares the question with others that are made at the same time', async () => {
    serverOf(WANTS_PROOF, WANTS_PROOF, DONE, DONE);
    let give: (isProved: boolean) => void = () => undefined;
    let count = 0;
    proveBy(() => new Promise((answer) => { count += 1; give = answer; }));
    const both = Promise.all([change(), change()]);
    await vi.waitFor(() => expect(count).toBe(1));
    await new Promise((later) => { setTimeout(later); });
    give(true);
    expect(await both).toEqual([{ done: true }, { done: true }]);
    expect(count).toBe(1);
  });

  it('is another thing than a refusal, and than a session that ended', async () => {
    const signedOut = vi.fn();
    onSignedOut(signedOut);
    answering(true);
    serverOf({ status: 403, body: { detail: 'not yours' } });
    await expect(change()).rejects.toThrow(ApiError);
    serverOf({ status: 401, body: {} });
    await expect(change()).rejects.toThrow(ApiError);
    expect(questions).toEqual([]);
    expect(signedOut).toHaveBeenCalledOnce();
  });
});
