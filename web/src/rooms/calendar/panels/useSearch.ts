// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';

import { searchEntries, type Entry } from '../../../api/entries';

const REST_MS = 250;
const PAGES_LOOKED_AT = 10;

interface Found {
  entries: Entry[];
  after: string | null;
}

export interface Search {
  /** Undefined until the first answer to these words. */
  entries: Entry[] | undefined;
  isBusy: boolean;
  error: unknown;
  /** Brings more; null when there is no more. */
  more: (() => void) | null;
  retry: () => void;
}

/** A page with something on it: the server looks at a bounded number of entries for each, and may find nothing yet. */
async function findSome(q: string, calendarId: string, after: string | null, signal: AbortSignal): Promise<Found> {
  let found: Found = { entries: [], after };
  for (let pages = 0; pages < PAGES_LOOKED_AT; pages += 1) {
    const page = await searchEntries({ q, ...(calendarId !== '' && { calendarIds: [calendarId] }), after: found.after }, signal);
    found = { entries: page.entries, after: page.after ?? null };
    if (found.entries.length > 0 || found.after === null) {
      break;
    }
  }
  return found;
}

/** Asks when nobody has typed for a moment; an answer that comes too late is dropped, and until it comes the last one stays. */
export function useSearch(query: string, calendarId: string): Search {
  const q = query.trim().replace(/\s+/g, ' ');
  const key = `${calendarId} ${q}`;
  const [found, setFound] = useState<Found | undefined>(undefined);
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const [wanted, setWanted] = useState<{ key: string; after: string | null; turn: number }>({ key, after: null, turn: 0 });
  const after = wanted.key === key ? wanted.after : null;
  useEffect(() => {
    if (q === '') {
      setFound(undefined);
      setState({ isBusy: false, error: null });
      return;
    }
    const controller = new AbortController();
    setState({ isBusy: true, error: null });
    const run = async () => {
      try {
        const next = await findSome(q, calendarId, after, controller.signal);
        if (controller.signal.aborted) return;
        setFound((before) => (after === null || before === undefined ? next : { ...next, entries: [...before.entries, ...next.entries] }));
        setState({ isBusy: false, error: null });
      } catch (error) {
        if (!controller.signal.aborted) setState({ isBusy: false, error });
      }
    };
    const timer = window.setTimeout(() => void run(), after === null ? REST_MS : 0);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [key, after, wanted.turn]);
  const next = found?.after ?? null;
  return {
    ...state, entries: q === '' ? undefined : found?.entries,
    more: next === null || q === '' ? null : () => setWanted({ key, after: next, turn: wanted.turn }),
    retry: () => setWanted({ key, after, turn: wanted.turn + 1 }),
  };
}
