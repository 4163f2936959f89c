// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Paged<T> {
  items: T[];
  /** Nothing is known yet. */
  isLoading: boolean;
  error: unknown;
  hasMore: boolean;
  isAsking: boolean;
  more: () => void;
  reload: () => void;
}

interface Page<T, Mark> {
  items: T[];
  /** What the next page is asked for with; null at the end. */
  next: Mark | null;
}

/** A list that comes in pages. */
export function usePages<T, Mark>(ask: (mark: Mark | null, signal: AbortSignal) => Promise<Page<T, Mark>>, keys: readonly unknown[]): Paged<T> {
  const [state, setState] = useState<{ items: T[]; next: Mark | null; isLoading: boolean; isAsking: boolean; error: unknown }>(
    { items: [], next: null, isLoading: true, isAsking: true, error: null });
  const [turn, setTurn] = useState(0);
  const controller = useRef(new AbortController());
  const fetchPage = (mark: Mark | null, before: T[]) => {
    const { signal } = controller.current;
    setState((now) => ({ ...now, isAsking: true, error: null }));
    ask(mark, signal).then(
      ({ items, next }) => { if (!signal.aborted) setState({ items: [...before, ...items], next, isLoading: false, isAsking: false, error: null }); },
      (error: unknown) => { if (!signal.aborted) setState((now) => ({ ...now, error, isAsking: false })); },
    );
  };
  useEffect(() => {
    controller.current = new AbortController();
    fetchPage(null, []);
    return () => controller.current.abort();
  }, [...keys, turn]);
  return {
    items: state.items, isLoading: state.isLoading, isAsking: state.isAsking, error: state.error, hasMore: state.next !== null,
    more: () => fetchPage(state.next, state.items),
    reload: () => setTurn((before) => before + 1),
  };
}
