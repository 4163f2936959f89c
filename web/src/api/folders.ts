// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ask, fetchBody } from './client';
import { addressOf, type Permission } from './files';

export interface Entry {
  type: 'dir' | 'file';
  id: string;
  name: string;
  /** Seconds since 1970. */
  mtime: number;
  /** Of files only. */
  size?: number;
  modifier_email?: string;
  modifier_name?: string;
  parent_dir?: string;
}

export interface Listing {
  user_perm: Permission;
  dir_id: string;
  dirent_list: Entry[];
}

export interface ChangedEntry {
  type: 'dir' | 'file';
  parent_dir: string;
  obj_name: string;
  obj_id: string;
  mtime: string;
}

export interface FolderSums {
  file_count: number;
  dir_count: number;
  size: number;
}

/** What becomes of a name that is taken where something goes. */
export type ConflictPolicy = 'replace' | 'autorename' | 'skip';

export const listFolder = (library: string, path: string, signal?: AbortSignal): Promise<Listing> =>
  fetchBody<Listing>(`${addressOf(library)}/dir`, { query: { p: path }, signal });

/** All files below a folder, each with its `parent_dir`. */
export const listFilesBelow = async (library: string, path: string, signal?: AbortSignal): Promise<Entry[]> =>
  (await fetchBody<Listing>(`${addressOf(library)}/dir`, { query: { p: path, recursive: 1, t: 'f' }, signal })).dirent_list;

export const sumFolder = (library: string, path: string, signal?: AbortSignal): Promise<FolderSums> =>
  fetchBody<FolderSums>(`${addressOf(library)}/dir/detail`, { query: { path }, signal });

export const findFile = (library: string, path: string, signal?: AbortSignal): Promise<{ obj_id: string; size: number; mtime: string }> =>
  fetchBody(`${addressOf(library)}/file`, { query: { p: path }, signal });

export const makeFolder = (library: string, path: string): Promise<ChangedEntry> =>
  fetchBody<ChangedEntry>(`${addressOf(library)}/dir`, { method: 'POST', query: { p: path }, json: { operation: 'mkdir' } });

/** A folder with all that lead to it; one that is there already is what was asked for. */
export const ensureFolder = (library: string, path: string): Promise<ChangedEntry> =>
  fetchBody<ChangedEntry>(`${addressOf(library)}/dir`, { method: 'POST', query: { p: path }, json: { operation: 'mkdir', create_parents: '1' } });

export const makeFile = (library: string, path: string): Promise<ChangedEntry> =>
  fetchBody<ChangedEntry>(`${addressOf(library)}/file`, { method: 'POST', query: { p: path }, json: { operation: 'create' } });

export const renameEntry = (library: string, type: Entry['type'], path: string, name: string): Promise<ChangedEntry> =>
  fetchBody<ChangedEntry>(`${addressOf(library)}/${type}`, { method: 'POST', query: { p: path }, json: { operation: 'rename', newname: name } });

export const deleteEntries = (library: string, folder: string, names: readonly string[]): Promise<void> =>
  fetchBody('/api/v2.1/repos/batch-delete-item', { method: 'DELETE', json: { repo_id: library, parent_dir: folder, dirents: names } });

/** Entries of one folder that go to another, perhaps of another library. */
export interface Relocation {
  how: 'move' | 'copy';
  from: { library: string; folder: string; names: readonly string[] };
  to: { library: string; folder: string };
  policy: ConflictPolicy;
}

export const relocationBody = ({ from, to, policy }: Relocation): Record<string, unknown> => ({
  src_repo_id: from.library, src_parent_dir: from.folder, src_dirents: from.names,
  dst_repo_id: to.library, dst_parent_dir: to.folder, conflict_policy: policy,
});

/** Within a library this is one change, whatever the size. */
export const relocate = (relocation: Relocation): Promise<void> =>
  fetchBody(`/api/v2.1/repos/sync-batch-${relocation.how}-item`, { method: 'POST', json: relocationBody(relocation) });

// Links come with the address under which the server believes to be reached. Behind a proxy that may differ from ours.
export function localLink(link: string): string {
  const { pathname, search } = new URL(link, location.origin);
  return pathname + search;
}

export const linkToFile = async (library: string, path: string, signal?: AbortSignal): Promise<string> =>
  localLink((await ask<string>(`/api2/repos/${library}/file`, { query: { p: path }, signal })).body);

/** Some entries of a folder, or all when none is named, as an archive. */
export async function linkToArchive(library: string, folder: string, names: readonly string[]): Promise<string> {
  const { zip_token } = await fetchBody<{ zip_token: string }>(`${addressOf(library)}/zip-task`, {
    method: 'POST', json: { parent_dir: folder, dirents: names },
  });
  return `/seafhttp/zip/${zip_token}`;
}
