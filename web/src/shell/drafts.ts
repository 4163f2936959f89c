// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { me } from './session';

// What was typed and not saved yet is kept in the storage of this browser, so that a reload, a closed tab or a session
// that ends elsewhere loses nothing. It belongs to the person who typed it: nobody else who signs in here is shown it.
// Signing out leaves it for the next time; after some days it is removed.

const PREFIX = 'atrium.draft';
const KEPT_MS = 14 * 86_400_000;
const ANSWER_MS = 200;

interface Kept {
  at: number;
  typed: unknown;
}

const keyOf = (place: string): string => `${PREFIX} ${me.value?.user?.id ?? ''} ${place}`;

function read(key: string): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null;
    return typeof kept?.at === 'number' ? kept : null;
  } catch {
    return null;
  }
}

/** Removes what is too old, of everybody. */
export function removeOldDrafts(now = Date.now()): void {
  for (const key of Object.keys(localStorage).filter((one) => one.startsWith(`${PREFIX} `))) {
    const kept = read(key);
    if (kept === null || now - kept.at > KEPT_MS) localStorage.removeItem(key);
  }
}

/** False: the browser has no room for it. */
function keep(key: string, typed: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ at: Date.now(), typed } satisfies Kept));
    return true;
  } catch {
    return false;
  }
}

/** The places below one where this person left something, the newest first. */
export function draftPlaces(below: string): string[] {
  const start = keyOf(below);
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(start))
    .sort((one, other) => (read(other)?.at ?? 0) - (read(one)?.at ?? 0))
    .map((key) => below + key.slice(start.length));
}

export const dropDraft = (place: string): void => localStorage.removeItem(keyOf(place));

/**
 * What this person left at a place; null where that is nothing, or is still being typed in another tab. What has not the
 * shape of what is typed there, as after a change of the pages, is removed.
 */
export async function findDraft<T>(place: string, isDraft: (typed: unknown) => typed is T): Promise<T | null> {
  const key = keyOf(place);
  removeOldDrafts();
  const kept = read(key);
  // Somebody else may have come while the other tabs were asked.
  if (kept === null || await isOpenElsewhere(key) || key !== keyOf(place)) {
    return null;
  }
  if (!isDraft(kept.typed)) {
    localStorage.removeItem(key);
    return null;
  }
  return kept.typed;
}

// Tabs tell each other what is being typed in them.
type Message = { asks: string } | { holds: string };
const held = new Map<string, number>();
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(PREFIX);
tabs?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if ('asks' in data && held.has(data.asks)) tabs.postMessage({ holds: data.asks });
});

function isOpenElsewhere(key: string): Promise<boolean> {
  return new Promise((answer) => {
    if (tabs === null) {
      answer(false);
      return;
    }
    const end = (isOpen: boolean) => {
      window.clearTimeout(timer);
      tabs.removeEventListener('message', hear);
      answer(isOpen);
    };
    const hear = ({ data }: MessageEvent<Message>) => { if ('holds' in data && data.holds === key) end(true); };
    const timer = window.setTimeout(() => end(false), ANSWER_MS);
    tabs.addEventListener('message', hear);
    tabs.postMessage({ asks: key });
  });
}

function hold(key: string): () => void {
  held.set(key, (held.get(key) ?? 0) + 1);
  return () => {
    const others = (held.get(key) ?? 1) - 1;
    if (others === 0) held.delete(key); else held.set(key, others);
  };
}

export interface DraftKeeping {
  /** What was typed is saved, or thrown away. */
  forget: () => void;
}

/**
 * Keeps what is being typed at a place for as long as it differs from what is saved. Where the browser has no room for
 * it, it asks before the page is left instead.
 */
export function useKeptDraft(place: string, typed: unknown, { isDirty, isRestored }: { isDirty: boolean; isRestored: boolean }): DraftKeeping {
  // Of who typed it, also when the session has just ended.
  const key = useRef(keyOf(place)).current;
  const isOurs = useRef(isRestored);
  const [isKept, setKept] = useState(true);
  const text = JSON.stringify(typed);
  const forget = () => {
    if (isOurs.current) localStorage.removeItem(key);
    isOurs.current = false;
  };
  useLayoutEffect(() => hold(key), []);
  useLayoutEffect(() => {
    if (!isDirty) {
      forget();
      return;
    }
    isOurs.current = true;
    setKept(keep(key, typed));
  }, [text, isDirty]);
  useLayoutEffect(() => {
    const ask = (event: Event) => { if (isDirty && !isKept) event.preventDefault(); };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty, isKept]);
  return { forget };
}
