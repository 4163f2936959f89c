// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';

/** A list that comes in pages; `cursor` null ends it. */
export interface Page<T, C> {
  items: T[];
  cursor: C | null;
}

export interface Paged<T> {
  /** undefined until the first page is there. */
  items: T[] | undefined;
  error: unknown;
  hasMore: boolean;
  busy: boolean;
  loadMore: () => void;
  reload: () => void;
  /** Changes what is shown, after a deed whose outcome is known. */
  alter: (change: (items: T[]) => T[]) => void;
}

interface State<T, C> {
  items: T[] | undefined;
  cursor: C | null;
  error: unknown;
  busy: boolean;
}

/** Pages of a question, begun anew whenever one of `keys` changes. Answers that come too late are dropped. */
export function usePaged<T, C>(ask: (cursor: C | null, signal: AbortSignal) => Promise<Page<T, C>>, keys: readonly unknown[]): Paged<T> {
  const [state, setState] = useState<State<T, C>>({ items: undefined, cursor: null, error: null, busy: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  const running = useRef<AbortController | null>(null);
  const fetchPage = (cursor: C | null) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState((before) => ({ ...before, busy: true, error: null }));
    latest.current(cursor, controller.signal).then(
      (page) => {
        if (controller.signal.aborted) return;
        setState((before) => ({
          items: cursor === null ? page.items : [...(before.items ?? []), ...page.items], cursor: page.cursor, error: null, busy: false,
        }));
      },
      (error: unknown) => { if (!controller.signal.aborted) setState((before) => ({ ...before, error, busy: false })); },
    );
  };
  useEffect(() => {
    fetchPage(null);
    return () => running.current?.abort();
  }, [...keys, turn]);
  return {
    items: state.items,
    error: state.error,
    hasMore: state.cursor !== null,
    busy: state.busy,
    loadMore: () => fetchPage(state.cursor),
    reload: () => setTurn((before) => before + 1),
    alter: (change) => setState((before) => ({ ...before, items: before.items && change(before.items) })),
  };
}
