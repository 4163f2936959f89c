// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../../../api/client';
import { askProgress, beginTask, cancelTask, type TaskProgress } from '../../../api/fileTasks';
import type { Relocation } from '../../../api/folders';
import { personal } from '../../../shell/person';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';

/** A copy or a move to another library, which the server does in its own time. */
export interface Task {
  id: string;
  relocation: Relocation;
  /** The name of the library it goes to. */
  to: string;
  progress: TaskProgress;
}

export const tasks = personal<readonly Task[]>([]);

const ASK_EVERY_MS = 1000;
const BEGUN: TaskProgress = { status: 'processing', total: 0, done: 0, failed_reason: '' };

function update(id: string, progress: TaskProgress): void {
  tasks.value = tasks.value.map((task) => (task.id === id ? { ...task, progress } : task));
}

const isListed = (id: string): boolean => tasks.value.some((task) => task.id === id);

/** Begins a task; the answer comes when it is over. */
export async function runTask(relocation: Relocation, to: string): Promise<TaskProgress> {
  const id = await beginTask(relocation);
  tasks.value = [...tasks.value, { id, relocation, to, progress: BEGUN }];
  let progress = BEGUN;
  while (progress.status === 'processing' && isListed(id)) {
    await new Promise((resolve) => { window.setTimeout(resolve, ASK_EVERY_MS); });
    progress = await askPatiently(id, progress);
    update(id, progress);
  }
  return progress;
}

// A server that starts anew goes on with its tasks, so asking goes on as well.
async function askPatiently(id: string, last: TaskProgress): Promise<TaskProgress> {
  try {
    return await askProgress(id);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429)) {
      return last;
    }
    return { ...last, status: 'failed', failed_reason: error instanceof Error ? error.message : '' };
  }
}

export async function stopTask(id: string): Promise<void> {
  try {
    await cancelTask(id);
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) say(words.value.files.transfers.taskTooLate);
    else sayError(error);
  }
}

export function dismissTasks(wanted: (task: Task) => boolean): void {
  tasks.value = tasks.value.filter((task) => !wanted(task));
}
