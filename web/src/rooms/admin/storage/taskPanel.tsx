// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Task } from '../../../api/admin';
import { locale, words } from '../../../words';
import { renderRunTime } from '../jobs/schedule';
import { Findings } from './findings';
import { GarbageReport } from './garbage';
import { amountOf, percentOf } from './progress';

/** One of them at a time: whoever waits for one sees which is at work. */
export const STORE_TASKS: readonly Task['task'][] = ['verify', 'compact', 'backup'];

/** Where a long task stands, or what came of it. */
export function TaskPanel({ task, kinds, repair }: { task: Task | null; kinds: readonly Task['task'][]; repair?: (() => void) | undefined }) {
  const told = words.value.admin.tasks;
  if (task === null || !kinds.includes(task.task)) {
    return null;
  }
  if (task.state === 'running') {
    return <Running task={task} />;
  }
  if (task.state === 'failed') {
    return <div class="notice notice-bad" role="alert">{told.failed(told.names[task.task])} {task.error}</div>;
  }
  return <div class="admin-outcome" role="status"><Outcome task={task} repair={repair} /></div>;
}

function Running({ task }: { task: Task }) {
  const told = words.value.admin.tasks;
  const percent = percentOf(task.progress);
  const amount = amountOf(task.progress, locale.value, told);
  return (
    <div class="notice admin-running">
      <div class="row spread"><strong>{told.running(told.names[task.task])}</strong>{percent !== null && <span>{percent} %</span>}</div>
      <div class={`progress ${percent === null ? 'admin-progress-open' : ''}`} role="progressbar" aria-label={told.names[task.task]}
        aria-valuenow={percent ?? undefined} aria-valuemin={0} aria-valuemax={100}>
        <span style={{ width: `${percent ?? 100}%` }} />
      </div>
      <small>{amount || told.stays}</small>
    </div>
  );
}

function Outcome({ task, repair }: { task: Task; repair?: (() => void) | undefined }) {
  const told = words.value.admin.tasks;
  const outcome = task.outcome ?? {};
  if (outcome.garbage) {
    return <GarbageReport garbage={outcome.garbage} dryRun={task.dry_run} />;
  }
  if (outcome.compaction) {
    return <p class="notice">{told.compacted(renderRunTime(outcome.compaction.duration_ms, locale.value))}</p>;
  }
  if (outcome.backup) {
    return <p class="notice">{told.backedUp(outcome.backup.backups.length)}</p>;
  }
  return <Findings outcome={outcome} repaired={task.repair} repair={repair} />;
}
