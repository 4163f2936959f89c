// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';
import { addressOf } from './files';
import { localLink, type Entry } from './folders';

/** What a library was at one time. */
export interface LibraryState {
  commit_id: string;
  time: string;
  email: string;
  name: string;
  description: string;
}

export interface StateChanges {
  new: string[];
  removed: string[];
  modified: string[];
  /** "/old -> /new" */
  renamed: string[];
  newdir: string[];
  deldir: string[];
  more: boolean;
}

export interface FileVersion {
  commit_id: string;
  rev_file_id: string;
  ctime: string;
  creator_email: string;
  creator_name: string;
  size: number;
  /** Where the file was then. */
  path: string;
}

export interface TrashedEntry {
  obj_name: string;
  obj_id: string;
  is_dir: boolean;
  parent_dir: string;
  deleted_time: string;
  commit_id: string;
  size: number;
}

export interface TrashPage {
  data: TrashedEntry[];
  more: boolean;
  scan_stat: string | null;
}

const STATES_AT_ONCE = 50;
const VERSIONS_AT_ONCE = 25;
const TRASH_AT_ONCE = 100;
/** How many entries the server brings back in one go. */
const RESTORED_AT_ONCE = 1000;

export const listStates = (library: string, page: number, signal?: AbortSignal): Promise<{ data: LibraryState[]; more: boolean }> =>
  fetchBody(`${addressOf(library)}/history`, { query: { page, per_page: STATES_AT_ONCE }, signal });

export const listChanges = (library: string, commit: string, signal?: AbortSignal): Promise<StateChanges> =>
  fetchBody<StateChanges>(`/api2/repo_history_changes/${library}`, { query: { commit_id: commit }, signal });

interface OldEntry {
  type: Entry['type'];
  name: string;
  obj_id: string;
  mtime: number;
  size?: number;
}

export async function listOldFolder(library: string, commit: string, path: string, signal?: AbortSignal): Promise<Entry[]> {
  const reply = await fetchBody<{ dirent_list: OldEntry[] }>(`${addressOf(library)}/commits/${commit}/dir`, { query: { path }, signal });
  return reply.dirent_list.map(({ obj_id, ...entry }) => ({ ...entry, id: obj_id }));
}

/** Newest first. How many there are is only known at the end; until then the server tells one more than it has sent. */
export async function listVersions(library: string, path: string, page: number, signal?: AbortSignal):
Promise<{ versions: FileVersion[]; hasMore: boolean }> {
  const { data, total_count: known } = await fetchBody<{ data: FileVersion[]; total_count: number }>(
    `${addressOf(library)}/file/new_history`, { query: { path, page, per_page: VERSIONS_AT_ONCE }, signal });
  return { versions: data, hasMore: data.length > 0 && known > (page - 1) * VERSIONS_AT_ONCE + data.length };
}

export const linkToVersion = async (library: string, commit: string, path: string, signal?: AbortSignal): Promise<string> =>
  localLink(await fetchBody<string>(`/api2/repos/${library}/file/revision`, { query: { p: path, commit_id: commit }, signal }));

/** Makes a file or folder what it was; what is there now is replaced, and can be brought back in the same way. */
export const revertEntry = (library: string, type: Entry['type'], path: string, commit: string): Promise<void> =>
  fetchBody(`/api2/repos/${library}/${type}/revert`, { method: 'PUT', json: { p: path, commit_id: commit } });

export const revertLibrary = (library: string, commit: string): Promise<void> =>
  fetchBody(`${addressOf(library)}/commits/${commit}/revert`, { method: 'POST' });

export const listTrash = (library: string, after: string | null, signal?: AbortSignal): Promise<TrashPage> =>
  fetchBody<TrashPage>(`${addressOf(library)}/trash`, { query: { scan_stat: after, limit: TRASH_AT_ONCE }, signal });

export const emptyTrash = (library: string, keepDays: number): Promise<void> =>
  fetchBody(`${addressOf(library)}/trash`, { method: 'DELETE', json: { keep_days: keepDays } });

export interface RestoreReport {
  success: { path: string; is_dir: boolean }[];
  failed: { path: string; error_msg: string }[];
}

/** Brings back what a state had. */
export async function restoreEntries(library: string, commit: string, paths: readonly string[]): Promise<RestoreReport> {
  const report: RestoreReport = { success: [], failed: [] };
  for (let at = 0; at < paths.length; at += RESTORED_AT_ONCE) {
    const part = await fetchBody<RestoreReport>(`${addressOf(library)}/trash/revert-dirents`, {
      method: 'POST', json: { commit_id: commit, path: paths.slice(at, at + RESTORED_AT_ONCE) },
    });
    report.success.push(...part.success);
    report.failed.push(...part.failed);
  }
  return report;
}
