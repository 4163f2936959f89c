// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  /** Asks again; what is shown stays until the answer is there. */
  reload: () => void;
  /** Shows something else at once, before the server has said so. */
  show: (value: T) => void;
}

/** What a question answers, asked again whenever one of `keys` changes. A reply that comes too late is dropped. */
export function useLoaded<T>(question: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value: T | undefined; error: unknown }>({ value: undefined, error: null });
  const [turn, setTurn] = useState(0);
  const latest = useRef(question);
  latest.current = question;
  useEffect(() => {
    const controller = new AbortController();
    latest.current(controller.signal).then(
      (value) => { if (!controller.signal.aborted) setState({ value, error: null }); },
      (error: unknown) => { if (!controller.signal.aborted) setState((before) => ({ value: before.value, error })); },
    );
    return () => controller.abort();
  }, [...keys, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const show = useCallback((value: T) => setState({ value, error: null }), []);
  return { ...state, reload, show };
}
