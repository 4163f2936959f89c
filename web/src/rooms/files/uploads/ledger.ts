// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { pathOf, type Content, type Target } from './item';
import type { Ledger } from './queue';

const KEY = 'atrium.files.unfinished';
/** As many as the server keeps of one person. */
const MOST = 64;

const nameIn = (target: Target): string => `${target.library}${pathOf(target)}`;
// Length and time together stand for the content: another file of this name must not be mixed with the one before.
const markOf = (content: Content): string => `${content.size}-${content.lastModified}`;

/** In the storage of the browser: whoever adds a file again after a reload goes on where it ended. */
export class StoredLedger implements Ledger {
  knows(target: Target, content: Content): boolean {
    return this.read().get(nameIn(target)) === markOf(content);
  }

  begin(target: Target, content: Content): void {
    const kept = this.read();
    kept.delete(nameIn(target));
    kept.set(nameIn(target), markOf(content));
    this.write(new Map([...kept].slice(-MOST)));
  }

  end(target: Target): void {
    const kept = this.read();
    if (kept.delete(nameIn(target))) {
      this.write(kept);
    }
  }

  private read(): Map<string, string> {
    try {
      return new Map(JSON.parse(localStorage.getItem(KEY) ?? '[]') as [string, string][]);
    } catch {
      return new Map();
    }
  }

  private write(kept: Map<string, string>): void {
    localStorage.setItem(KEY, JSON.stringify([...kept]));
  }
}
