// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../../../api/client';
import { PASSWORD_NEEDED } from '../../../api/files';
import { isOver, isUnderWay, type Content, type Target, type UploadItem, type UploadState } from './item';
import { nextBatch, PIECE_BYTES } from './batches';
import { retryDelay, whatAfter } from './setbacks';
import type { Transport } from './transport';

export interface Surroundings {
  transport: Transport;
  now: () => number;
  /** Ends early, and without an error, when the signal says so. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Something is to be drawn anew. */
  changed: () => void;
  /** Files have arrived in this folder of this library. */
  placed: (target: Target) => void;
  /** A library wants its password. */
  locked: (library: string) => void;
  ledger: Ledger;
}

/** Remembers, over a reload of the page, which files are partly there. */
export interface Ledger {
  /** Whether what the server has of it is the beginning of this very file. */
  knows(target: Target, content: Content): boolean;
  begin(target: Target, content: Content): void;
  end(target: Target): void;
}

const SIMULTANEOUS = 3;

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500;

interface Running {
  items: UploadItem[];
  controller: AbortController;
}

/** Files on their way to the server: some at a time, in pieces that can be taken up again. */
export class UploadQueue {
  readonly items: UploadItem[] = [];
  private readonly running = new Set<Running>();
  private lastId = 0;

  constructor(private readonly around: Surroundings) {}

  add(files: readonly { target: Target; content: Content }[]): void {
    for (const { target, content } of files) {
      this.items.push({
        id: ++this.lastId, target, content, state: 'waiting', sent: 0, error: null, attempts: 0, retryAt: 0, alone: false, mayBePlaced: false,
        begun: this.around.ledger.knows(target, content),
      });
    }
    this.fill();
  }

  pause(ids: ReadonlySet<number>): void {
    this.stop(ids, 'paused');
  }

  /** Goes on with what was paused, has failed or waits for another attempt. */
  resume(ids: ReadonlySet<number>): void {
    for (const item of this.items) {
      if (ids.has(item.id) && !isUnderWay(item) && item.state !== 'done') {
        Object.assign(item, { state: 'waiting', attempts: 0, error: null });
      }
    }
    this.fill();
  }

  /** They leave the queue. What the server has of them it forgets by itself. */
  cancel(ids: ReadonlySet<number>): void {
    this.stop(ids, 'paused');
    for (const item of this.items.filter(({ id }) => ids.has(id))) {
      this.around.ledger.end(item.target);
    }
    this.keepOnly((item) => !ids.has(item.id));
  }

  /** Empties the queue. Uploads resume when their files are added again. */
  abandon(): void {
    this.stop(new Set(this.items.map(({ id }) => id)), 'paused');
    this.keepOnly(() => false);
  }

  clearDone(): void {
    this.keepOnly((item) => item.state !== 'done');
  }

  /** The password of a library was given. */
  unlock(library: string): void {
    this.resume(new Set(this.items.filter((item) => item.state === 'locked' && item.target.library === library).map(({ id }) => id)));
  }

  /** The server may be there again: what waits for another attempt need not wait. */
  hurry(): void {
    this.resume(new Set(this.items.filter((item) => item.state === 'retrying').map(({ id }) => id)));
  }

  private keepOnly(wanted: (item: UploadItem) => boolean): void {
    const rest = this.items.filter(wanted);
    this.items.splice(0, this.items.length, ...rest);
    this.fill();
  }

  private stop(ids: ReadonlySet<number>, state: UploadState): void {
    const stopped = this.items.filter((item) => ids.has(item.id) && !isOver(item));
    for (const item of stopped) {
      item.state = state;
    }
    for (const one of [...this.running]) {
      if (one.items.some((item) => ids.has(item.id))) {
        one.controller.abort();
        this.running.delete(one);
        one.items.filter(isUnderWay).forEach((item) => { item.state = 'waiting'; });
      }
    }
    this.fill();
  }

  private fill(): void {
    while (this.running.size < SIMULTANEOUS) {
      const batch = nextBatch(this.items);
      if (batch.length === 0) {
        break;
      }
      batch.forEach((item) => { item.state = 'sending'; });
      void this.run({ items: batch, controller: new AbortController() });
    }
    this.around.changed();
  }

  private async run(one: Running): Promise<void> {
    this.running.add(one);
    try {
      await (one.items[0]!.content.size > PIECE_BYTES ? this.sendInPieces(one) : this.sendTogether(one));
    } catch (error) {
      if (this.running.delete(one)) {
        this.setBack(one.items, error);
      }
    }
    this.running.delete(one);
    this.fill();
  }

  private async sendInPieces({ items, controller: { signal } }: Running): Promise<void> {
    const item = items[0]!;
    const { target, content } = item;
    if (item.mayBePlaced && await this.isPlaced(item, signal)) {
      return this.finish(items);
    }
    // A server that has all of it and ended before it was placed needs one more byte to do so.
    let at = item.begun ? Math.min(await this.around.transport.received(target, signal), content.size - 1) : 0;
    item.sent = at;
    this.around.ledger.begin(target, content);
    item.begun = true;
    while (at < content.size) {
      const end = Math.min(at + PIECE_BYTES, content.size);
      item.mayBePlaced = end === content.size;
      await this.around.transport.sendPiece(target, content, { first: at, last: end - 1 },
        { signal, progress: (bytes) => this.note([item], at + bytes) });
      signal.throwIfAborted();
      at = end;
      Object.assign(item, { sent: at, attempts: 0, state: 'sending' });
      this.around.changed();
    }
    this.finish(items);
  }

  private async sendTogether({ items, controller: { signal } }: Running): Promise<void> {
    const rest = [...items];
    for (const item of items) {
      if (item.mayBePlaced && await this.isPlaced(item, signal)) {
        rest.splice(rest.indexOf(item), 1);
        this.finish([item]);
      }
    }
    if (rest.length === 0) {
      return;
    }
    rest.forEach((item) => { item.mayBePlaced = true; });
    await this.around.transport.sendTogether(rest, { signal, progress: (bytes) => this.note(rest, bytes) });
    signal.throwIfAborted();
    this.finish(rest);
  }

  // A reply may be lost after the deed was done. What replaces is sent again without harm; under a name that was free
  // a second copy would appear.
  private async isPlaced({ target, content }: UploadItem, signal: AbortSignal): Promise<boolean> {
    return !target.replace && await this.around.transport.isPlaced(target, content.size, signal);
  }

  private note(items: readonly UploadItem[], bytes: number): void {
    let rest = bytes;
    for (const item of items) {
      item.sent = Math.min(item.content.size, rest);
      rest -= item.sent;
      if (isUnderWay(item)) {
        item.state = item.sent >= item.content.size ? 'placing' : 'sending';
      }
    }
    this.around.changed();
  }

  private finish(items: readonly UploadItem[]): void {
    for (const item of items) {
      Object.assign(item, { state: 'done', sent: item.content.size, error: null });
      this.around.ledger.end(item.target);
      this.around.placed(item.target);
    }
    this.around.changed();
  }

  private setBack(items: readonly UploadItem[], error: unknown): void {
    const hit = items.filter((item) => !isOver(item));
    const deed = whatAfter(error, Math.max(...hit.map((item) => item.attempts)));
    if (deed === 'fail' && hit.length > 1) {
      hit.forEach((item) => Object.assign(item, { state: 'waiting', alone: true, mayBePlaced: false }));
      return;
    }
    for (const item of hit) {
      item.error = error;
      // Refused is not lost on the way.
      item.mayBePlaced &&= !isRefusal(error);
      item.state = deed === 'fail' ? 'failed' : deed === 'unlock' ? 'locked' : 'retrying';
      if (deed === 'retry') {
        void this.retryLater(item, error);
      }
    }
    if (error instanceof ApiError && error.status === PASSWORD_NEEDED && hit.length > 0) {
      this.around.locked(hit[0]!.target.library);
    }
  }

  private async retryLater(item: UploadItem, error: unknown): Promise<void> {
    const delay = retryDelay(item.attempts, error);
    item.attempts += 1;
    const due = this.around.now() + delay;
    item.retryAt = due;
    await this.around.wait(delay, new AbortController().signal);
    // Somebody may have paused it, or have been quicker.
    if (item.state === 'retrying' && item.retryAt === due) {
      item.state = 'waiting';
      this.fill();
    }
  }
}
