// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';

import { ApiError } from '../api/client';

/** What came of pressing a button: nothing yet, a refusal, or a time to wait. */
export interface Attempt {
  busy: boolean;
  error: unknown;
  /** Until the server listens again; 0: now. */
  waitSeconds: number;
  run: (event?: Event) => void;
  forget: () => void;
}

const waitOf = (error: unknown): number =>
  error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 60) : 0;

/** One deed at a time. When the server refuses to listen, the time it wants is waited for. */
export function useAttempt(deed: () => Promise<void>): Attempt {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [waitSeconds, setWaitSeconds] = useState(0);
  useEffect(() => {
    const end = Date.now() + waitOf(error) * 1000;
    const tick = () => {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setWaitSeconds(left);
      if (left === 0) {
        setError(null);
      }
    };
    if (waitOf(error) === 0) {
      return setWaitSeconds(0);
    }
    tick();
    const timer = window.setInterval(tick, 1000);
    return () => window.clearInterval(timer);
  }, [error]);
  const run = (event?: Event) => {
    event?.preventDefault();
    if (busy || waitSeconds > 0) {
      return;
    }
    setBusy(true);
    setError(null);
    deed().catch(setError).finally(() => setBusy(false));
  };
  return { busy, error, waitSeconds, run, forget: () => setError(null) };
}
