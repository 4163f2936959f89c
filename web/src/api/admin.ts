// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';

export interface BlobFigures {
  folder: string;
  count: number;
  bytes: number;
  own_files: number;
  own_bytes: number;
  packs: number;
  pack_bytes: number;
  dead_bytes: number;
}

export interface Backup {
  number: number;
  made_at: string;
  bytes: number;
}

export interface Overview {
  version: string;
  started_at: string;
  uptime_s: number;
  orgs: number;
  users: number;
  store: { bytes: number; writable: boolean };
  blobs: BlobFigures;
  disk: { free_bytes: number; total_bytes: number };
  jobs: { total: number; running: number; failing: { name: string; error: string; at: string }[] };
  backup: { configured: boolean; latest?: Backup; problem: string };
  mail: boolean;
}

export interface StoreFigures {
  folder: string;
  epoch?: { id: string; began_at?: string };
  statistics: { name: string; help: string; value: number }[];
}

export interface BackupShelf {
  configured: boolean;
  folder: string;
  keep: number;
  backups: Backup[];
}

export type Outcome = 'succeeded' | 'failed' | 'stopped' | 'abandoned';

export interface Run {
  server: string;
  attempt: number;
  started: string;
  duration_ms: number;
  outcome: Outcome;
  error: string;
  progress: string;
}

export interface Job {
  name: string;
  schedule: string;
  next_run?: string;
  last_run?: Run;
  running?: { server: string; started: string };
  progress: string;
}

/** What was measured in one stretch of time. */
export interface Point {
  step_s: number;
  at: string;
  seconds: number;
  requests: number;
  errors: number;
  bytes_in: number;
  bytes_out: number;
  store_bytes: number;
  blob_bytes: number;
  users: number;
  sessions: number;
}

export interface Series {
  from: string;
  to: string;
  step_s: number;
  points: Point[];
}

export interface Amount {
  count: number;
  bytes: number;
}

export interface Garbage {
  libraries: number;
  commits: Amount;
  objects: Amount;
  blocks: Amount;
  waiting: Amount;
  states: number;
  abandoned_libraries: number;
  erased_libraries: number;
  tokens: number;
  orphans: number;
  blobs: Amount;
  freed_bytes: number;
  damaged: string[];
}

export interface RowFinding {
  defect: string;
  table: string;
  partition: string;
  sort: string;
  explanation: string;
  remedy: string;
}

export interface FileDefect {
  library: string;
  of: string;
  id: string;
  path: string;
  explanation: string;
  remedy: string;
}

export interface BlobFinding {
  defect: string;
  id: string;
  bytes: number;
  explanation: string;
  remedy: string;
}

export interface TaskOutcome {
  backup?: { folder: string; backups: Backup[] };
  verification?: { rows: number; findings: number; repaired: number; list: RowFinding[] };
  compaction?: { duration_ms: number };
  files?: { libraries: number; states: number; blocks: number; bytes: number; defects: number; repaired: number; list: FileDefect[] };
  garbage?: Garbage;
  blobs?: { blobs: number; bytes: number; findings: number; repaired: number; list: BlobFinding[] };
}

export type TaskKind = 'backup' | 'verify' | 'compact' | 'verify_files' | 'collect_garbage' | 'export_library' | 'verify_blobs';

/** Long work, which goes on when nobody looks. */
export interface Task {
  id: number;
  task: TaskKind;
  repair: boolean;
  dry_run: boolean;
  state: 'running' | 'succeeded' | 'failed';
  progress: { done: number; total: number; unit: 'bytes' | 'rows'; words: string };
  outcome?: TaskOutcome;
  error_code: string;
  error: string;
}

/** One task of each can be at work at a time. */
export type Workshop = 'store' | 'files';

const post = <T>(path: string, json: unknown = {}): Promise<T> => fetchBody<T>(path, { method: 'POST', json });

export const loadOverview = (signal: AbortSignal): Promise<Overview> => fetchBody('/api/admin/overview', { signal });
export const loadSeries = (from: string, signal: AbortSignal): Promise<Series> =>
  fetchBody('/api/admin/series', { query: { from }, signal });

export const listJobs = async (signal: AbortSignal): Promise<Job[]> => (await fetchBody<{ jobs: Job[] }>('/api/admin/jobs', { signal })).jobs;
export const listRuns = async (job: string, signal: AbortSignal): Promise<Run[]> =>
  (await fetchBody<{ runs: Run[] }>(`/api/admin/jobs/${encodeURIComponent(job)}/history`, { signal })).runs;
export const runJob = (job: string): Promise<void> => post(`/api/admin/jobs/${encodeURIComponent(job)}/run`);

export const loadStore = (signal: AbortSignal): Promise<StoreFigures> => fetchBody('/api/admin/store', { signal });
export const loadBlobs = (signal: AbortSignal): Promise<BlobFigures> => fetchBody('/api/admin/blobs', { signal });
export const loadBackups = (signal: AbortSignal): Promise<BackupShelf> => fetchBody('/api/admin/backups', { signal });

/** The one at work, or the last one that was. */
export const loadTask = async (workshop: Workshop, signal: AbortSignal): Promise<Task | null> =>
  (await fetchBody<{ task?: Task }>(`/api/admin/${workshop}/task`, { signal })).task ?? null;
export const verifyStore = (repair: boolean): Promise<Task> => post('/api/admin/store/verify', { repair });
export const compactStore = (): Promise<Task> => post('/api/admin/store/compact');
export const makeBackup = (): Promise<Task> => post('/api/admin/store/backup');
export const collectGarbage = (dryRun: boolean): Promise<Task> => post('/api/admin/files/gc', { dry_run: dryRun });
export const verifyFiles = (repair: boolean): Promise<Task> => post('/api/admin/files/verify', { repair });
export const verifyBlobs = (repair: boolean): Promise<Task> => post('/api/admin/blobs/verify', { repair });
