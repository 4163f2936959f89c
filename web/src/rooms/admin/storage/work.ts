// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';

import { loadTask, type Task, type Workshop } from '../../../api/admin';
import { useLoaded, type Loaded } from '../../../ui/loaded';
import { sayError } from '../../../ui/toast';

const LOOK_MS = 1000;

export interface Work {
  loaded: Loaded<Task | null>;
  /** The one at work, or the last one that was. */
  task: Task | null;
  isRunning: boolean;
  begin: (deed: () => Promise<Task>) => void;
}

/** The long task of a workshop, looked at every second while it runs. It goes on when nobody looks. */
export function useWork(workshop: Workshop, onEnd?: () => void): Work {
  const loaded = useLoaded((signal) => loadTask(workshop, signal), [workshop]);
  const task = loaded.value ?? null;
  const isRunning = task?.state === 'running';
  useEffect(() => {
    if (!isRunning) return;
    const timer = window.setInterval(loaded.reload, LOOK_MS);
    return () => {
      window.clearInterval(timer);
      onEnd?.();
    };
  }, [isRunning]);
  const begin = (deed: () => Promise<Task>) => { deed().then(loaded.show, sayError); };
  return { loaded, task, isRunning, begin };
}
