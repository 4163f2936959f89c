// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';
import { relocationBody, type Relocation } from './folders';

export interface TaskProgress {
  status: 'processing' | 'done' | 'failed' | 'canceled';
  /** In files. */
  total: number;
  done: number;
  failed_reason: string;
}

/** Begins to copy or move to another library. */
export const beginTask = async (relocation: Relocation): Promise<string> =>
  (await fetchBody<{ task_id: string }>(`/api/v2.1/repos/async-batch-${relocation.how}-item`, {
    method: 'POST', json: relocationBody(relocation),
  })).task_id;

export const askProgress = (task: string): Promise<TaskProgress> =>
  fetchBody<TaskProgress>('/api/v2.1/query-copy-move-progress', { query: { task_id: task } });

export const cancelTask = (task: string): Promise<void> =>
  fetchBody('/api/v2.1/copy-move-task', { method: 'DELETE', json: { task_id: task } });
