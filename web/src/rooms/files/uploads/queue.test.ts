// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from 'vitest';

import { ApiError } from '../../../api/client';
import { PIECE_BYTES } from './batches';
import { pathOf, type Content, type Target } from './item';
import { UploadQueue } from './queue';
import type { Piece, Sending, Transport } from './transport';

const MIB = 1024 * 1024;
const content = (size: number): Content => ({ size, lastModified: 1, slice: () => new Blob() });
const target = (name: string, more: Partial<Target> = {}): Target =>
  ({ library: 'l', folder: '/', relative: '', name, replace: false, ...more });

type Deed = (sending: Sending) => Promise<void> | void;

/** A server that keeps what it is sent, and does as it is told with the next requests. */
class FakeServer implements Transport {
  partial = new Map<string, number>();
  placed = new Map<string, number>();
  log: string[] = [];
  /** One per request to come; after that all succeed. */
  next: Deed[] = [];

  received(of: Target): Promise<number> {
    this.log.push(`received? ${of.name}`);
    return Promise.resolve(this.partial.get(pathOf(of)) ?? 0);
  }

  isPlaced(of: Target, size: number): Promise<boolean> {
    this.log.push(`placed? ${of.name}`);
    return Promise.resolve(this.placed.get(pathOf(of)) === size);
  }

  async sendPiece(of: Target, { size }: Content, { first, last }: Piece, sending: Sending): Promise<void> {
    this.log.push(`${of.name} ${first}-${last}`);
    await this.next.shift()?.(sending);
    const received = this.partial.get(pathOf(of)) ?? 0;
    if (first > received) {
      throw new ApiError(409, 'bytes are missing');
    }
    this.partial.set(pathOf(of), last + 1);
    if (last + 1 === size) {
      this.partial.delete(pathOf(of));
      this.placed.set(pathOf(of), size);
    }
  }

  async sendTogether(files: readonly { target: Target; content: Content }[], sending: Sending): Promise<void> {
    this.log.push(files.map((file) => file.target.name).join('+'));
    await this.next.shift()?.(sending);
    files.forEach((file) => this.placed.set(pathOf(file.target), file.content.size));
  }
}

const fail = (status: number, retryAfter: number | null = null): Deed => () => { throw new ApiError(status, '', '', retryAfter); };
/** Until somebody ends the request. */
const hang: Deed = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

let server: FakeServer;
let queue: UploadQueue;
let waits: { ms: number; end: () => void }[];
let unlocks: string[];
let known: Set<string>;

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const stateOf = (name: string) => queue.items.find((item) => item.target.name === name)?.state;
const idsOf = (...names: string[]) => new Set(queue.items.filter((item) => names.includes(item.target.name)).map(({ id }) => id));
async function passTime(): Promise<void> {
  waits.splice(0).forEach(({ end }) => end());
  await settle();
}

beforeEach(() => {
  server = new FakeServer();
  waits = [];
  unlocks = [];
  known = new Set();
  queue = new UploadQueue({
    transport: server,
    now: () => 1000,
    wait: (ms) => new Promise((end) => { waits.push({ ms, end }); }),
    changed: () => undefined,
    placed: () => undefined,
    locked: (library) => unlocks.push(library),
    ledger: { knows: (of) => known.has(of.name), begin: (of) => known.add(of.name), end: (of) => known.delete(of.name) },
  });
});

const add = (...files: [string, number, Partial<Target>?][]) =>
  queue.add(files.map(([name, size, more]) => ({ target: target(name, more), content: content(size) })));

describe('small files', () => {
  it('of one folder go together, others on their own', async () => {
    add(['a', 1], ['b', 2], ['c', 3, { relative: 'x' }], ['d', 4, { replace: true }]);
    await settle();
    expect(server.log).toEqual(['a+b', 'c', 'd']);
    expect(queue.items.every((item) => item.state === 'done')).toBe(true);
  });

  it('share a request up to the size of a piece', async () => {
    add(['a', 5 * MIB], ['b', 5 * MIB], ['c', 3 * MIB]);
    await settle();
    expect(server.log).toEqual(['a+c', 'b']);
  });

  it('that are empty arrive as well', async () => {
    add(['empty', 0]);
    await settle();
    expect(server.placed.get('/empty')).toBe(0);
  });

  it('are sent one by one when one of them is refused', async () => {
    server.next = [fail(400), () => undefined, fail(400)];
    add(['a', 1], ['b', 1]);
    await settle();
    expect(server.log).toEqual(['a+b', 'a', 'b']);
    expect(stateOf('a')).toBe('done');
    expect(stateOf('b')).toBe('failed');
  });

  it('whose reply was lost are not sent twice', async () => {
    server.next = [() => { server.placed.set('/a', 1); throw new ApiError(0, ''); }];
    add(['a', 1], ['b', 1]);
    await settle();
    expect(stateOf('a')).toBe('retrying');
    await passTime();
    expect(server.log).toEqual(['a+b', 'placed? a', 'placed? b', 'b']);
    expect(stateOf('b')).toBe('done');
  });

  it('that replace are simply sent again', async () => {
    server.next = [fail(0)];
    add(['a', 1, { replace: true }]);
    await settle();
    await passTime();
    expect(server.log).toEqual(['a', 'a']);
  });
});

describe('a large file', () => {
  const SIZE = 2 * PIECE_BYTES + 5;

  it('goes in pieces', async () => {
    add(['film', SIZE]);
    await settle();
    expect(server.log).toEqual(['film 0-8388607', 'film 8388608-16777215', 'film 16777216-16777220']);
    expect(server.placed.get('/film')).toBe(SIZE);
    expect(known.size).toBe(0);
  });

  it('goes on where it was when the server comes back', async () => {
    const breakOff: Deed = ({ progress }) => { progress(3 * MIB); server.partial.set('/film', PIECE_BYTES + MIB); throw new ApiError(0, ''); };
    server.next = [() => undefined, breakOff];
    add(['film', SIZE]);
    await settle();
    expect(stateOf('film')).toBe('retrying');
    await passTime();
    expect(server.log.slice(2)).toEqual(['received? film', `film ${PIECE_BYTES + MIB}-${SIZE - 1}`]);
    expect(stateOf('film')).toBe('done');
  });

  it('waits longer each time, without end, while the server is away', async () => {
    server.next = Array.from({ length: 12 }, () => fail(503));
    add(['film', SIZE]);
    const delays: number[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      await settle();
      delays.push(waits[0]!.ms);
      await passTime();
    }
    expect(delays.slice(0, 6)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000]);
    expect(stateOf('film')).toBe('done');
  });

  it('waits as long as the server asks for', async () => {
    server.next = [fail(429, 7)];
    add(['film', SIZE]);
    await settle();
    expect(waits[0]!.ms).toBe(7000);
  });

  it('asks where to go on after a conflict', async () => {
    known.add('film');
    server.partial.set('/film', PIECE_BYTES);
    server.next = [() => { server.partial.set('/film', 10); throw new ApiError(409, ''); }];
    add(['film', SIZE]);
    await settle();
    await passTime();
    expect(server.log).toContain('film 10-8388617');
    expect(stateOf('film')).toBe('done');
  });

  it('fails when a conflict stays', async () => {
    server.next = Array.from({ length: 20 }, () => fail(409));
    add(['film', SIZE]);
    for (let turn = 0; turn < 9; turn += 1) {
      await settle();
      await passTime();
    }
    expect(stateOf('film')).toBe('failed');
  });

  it('whose last reply was lost is found in its place', async () => {
    const placeSilently: Deed = () => { server.partial.delete('/film'); server.placed.set('/film', SIZE); throw new ApiError(0, ''); };
    server.next = [() => undefined, () => undefined, placeSilently];
    add(['film', SIZE]);
    await settle();
    await passTime();
    expect(server.log.at(-1)).toBe('placed? film');
    expect(stateOf('film')).toBe('done');
  });

  it('that has arrived but was not placed needs one more byte', async () => {
    known.add('film');
    server.partial.set('/film', SIZE);
    add(['film', SIZE]);
    await settle();
    expect(server.log.at(-1)).toBe(`film ${SIZE - 1}-${SIZE - 1}`);
    expect(stateOf('film')).toBe('done');
  });

  it('is taken up after a reload of the page', async () => {
    known.add('film');
    server.partial.set('/film', PIECE_BYTES);
    add(['film', SIZE]);
    await settle();
    expect(server.log).not.toContain('film 0-8388607');
  });

  it('begins anew when it is another file', async () => {
    server.partial.set('/film', PIECE_BYTES);
    add(['film', SIZE]);
    await settle();
    expect(server.log[0]).toBe('film 0-8388607');
  });

  it('is told to be placed while the server works on it', async () => {
    server.next = [() => undefined, () => undefined, ({ progress, signal }) => { progress(5); return hang({ progress, signal }); }];
    add(['film', SIZE]);
    await settle();
    expect(stateOf('film')).toBe('placing');
  });
});

describe('the queue', () => {
  const SIZE = PIECE_BYTES + 1;

  it('sends three at a time', async () => {
    server.next = [hang, hang, hang, hang];
    add(['a', SIZE], ['b', SIZE], ['c', SIZE], ['d', SIZE]);
    await settle();
    expect(queue.items.map((item) => item.state)).toEqual(['sending', 'sending', 'sending', 'waiting']);
  });

  it('pauses one and lets the next in, then resumes it', async () => {
    server.next = [hang, hang, hang];
    add(['a', SIZE], ['b', SIZE], ['c', SIZE], ['d', SIZE]);
    await settle();
    queue.pause(idsOf('b'));
    await settle();
    expect(stateOf('b')).toBe('paused');
    expect(stateOf('d')).toBe('done');
    queue.resume(idsOf('b'));
    await settle();
    expect(stateOf('b')).toBe('done');
  });

  it('pauses one of a request for many, and the others go on', async () => {
    server.next = [hang];
    add(['a', 1], ['b', 1]);
    await settle();
    queue.pause(idsOf('a'));
    await settle();
    expect(stateOf('a')).toBe('paused');
    expect(stateOf('b')).toBe('done');
  });

  it('forgets what is cancelled', async () => {
    server.next = [hang];
    add(['a', SIZE]);
    await settle();
    queue.cancel(idsOf('a'));
    await settle();
    expect(queue.items).toEqual([]);
    expect(known.size).toBe(0);
    expect(server.placed.size).toBe(0);
  });

  it('that is abandoned sends no more, and goes on when it is added again', async () => {
    server.next = [() => undefined, hang];
    add(['big', 3 * PIECE_BYTES]);
    await settle();
    queue.abandon();
    await settle();
    expect(queue.items).toEqual([]);
    server.log = [];
    await passTime();
    expect(server.log).toEqual([]);
    add(['big', 3 * PIECE_BYTES]);
    await settle();
    expect(server.log[0]).toBe('received? big');
  });

  it('does not wake what was paused meanwhile', async () => {
    server.next = [fail(0)];
    add(['a', SIZE]);
    await settle();
    queue.pause(idsOf('a'));
    await passTime();
    expect(stateOf('a')).toBe('paused');
  });

  it('tries again at once when told to hurry, and once only', async () => {
    server.next = [fail(0)];
    add(['a', SIZE]);
    await settle();
    queue.hurry();
    await settle();
    expect(stateOf('a')).toBe('done');
    const sent = server.log.length;
    await passTime();
    expect(server.log.length).toBe(sent);
  });

  it('retries by hand what has failed', async () => {
    server.next = [fail(443)];
    add(['a', SIZE]);
    await settle();
    expect(stateOf('a')).toBe('failed');
    queue.resume(idsOf('a'));
    await settle();
    expect(stateOf('a')).toBe('done');
  });

  it('asks for a password and goes on when it was given', async () => {
    server.next = [fail(440)];
    add(['a', SIZE], ['b', SIZE, { library: 'other' }]);
    await settle();
    expect(stateOf('a')).toBe('locked');
    expect(unlocks).toEqual(['l']);
    queue.unlock('other');
    expect(stateOf('a')).toBe('locked');
    queue.unlock('l');
    await settle();
    expect(stateOf('a')).toBe('done');
  });

  it('fails what cannot be read any more', async () => {
    server.next = [() => { throw new DOMException('', 'NotReadableError'); }];
    add(['a', SIZE]);
    await settle();
    expect(stateOf('a')).toBe('failed');
  });

  it('clears what is done', async () => {
    server.next = [fail(400)];
    add(['a', SIZE], ['b', SIZE]);
    await settle();
    queue.clearDone();
    expect(queue.items.map((item) => item.target.name)).toEqual(['a']);
  });
});
