// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Copy, FolderInput, X } from 'lucide-preact';

import { IconButton } from '../../../ui/button';
import { words } from '../../../words';
import { dismissTasks, stopTask, type Task } from './tasks';

/** A copy or a move to another library. */
export function TaskRow({ task: { id, relocation, to, progress } }: { task: Task }) {
  const told = words.value.files.transfers;
  const { names } = relocation.from;
  const label = (relocation.how === 'copy' ? told.copying : told.moving)(names[0]!, names.length);
  const isRunning = progress.status === 'processing';
  const remove = () => (isRunning ? void stopTask(id) : dismissTasks((task) => task.id === id));
  return (
    <li class="files-transfer">
      <span class="files-icon" aria-hidden="true">{relocation.how === 'copy' ? <Copy /> : <FolderInput />}</span>
      <div class="files-transfer-text">
        <span class="files-transfer-name">{label} {told.toLibrary(to)}</span>
        {isRunning && (
          <div class="progress" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={progress.total} aria-valuenow={progress.done}>
            <span style={{ width: `${(100 * progress.done) / Math.max(1, progress.total)}%` }} />
          </div>
        )}
        <small class={progress.status === 'failed' ? 'field-error' : 'muted'}>{statusOf(progress)}</small>
      </div>
      <span class="row">
        <IconButton label={isRunning ? told.cancel(names[0]!) : told.remove(names[0]!)} onClick={remove}><X /></IconButton>
      </span>
    </li>
  );
}

function statusOf(progress: Task['progress']): string {
  const told = words.value.files.transfers;
  switch (progress.status) {
    case 'processing':
      return told.taskFiles(progress.done, progress.total);
    case 'done':
      // A move may leave behind what somebody changed meanwhile, and says so.
      return progress.failed_reason || told.taskDone;
    case 'canceled':
      return told.taskCancelled;
    case 'failed':
      return progress.failed_reason || told.taskFailed;
  }
}
