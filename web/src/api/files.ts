// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';

export type Permission = 'r' | 'rw';

export interface Library {
  repo_id: string;
  repo_name: string;
  repo_desc: string;
  owner_email: string;
  owner_name: string;
  last_modified: string;
  modifier_email: string;
  modifier_name: string;
  size: number;
  file_count: number;
  encrypted: 0 | 1;
  /** An encrypted library whose password the server does not hold at the moment. */
  lib_need_decrypt: boolean;
  permission: Permission;
  head_commit_id: string;
}

export interface DeletedLibrary {
  repo_id: string;
  repo_name: string;
  owner_email: string;
  del_time: string;
  size: number;
  encrypted: boolean;
}

/** The space of a person. `total` is negative where there is no limit. */
export interface Space {
  usage: number;
  total: number;
  can_add_repo: boolean;
}

/** The status of replies that ask for the password of a library first. */
export const PASSWORD_NEEDED = 440;

const LIBRARIES = '/api/v2.1/repos';
export const addressOf = (library: string): string => `${LIBRARIES}/${library}`;

export async function listLibraries(signal?: AbortSignal): Promise<Library[]> {
  // Everybody has a library of their own from the first time they look, and this call is the look.
  await fetchBody('/api2/repos', { signal });
  return (await fetchBody<{ repos: Library[] }>(LIBRARIES, { signal })).repos;
}

export const loadLibrary = (library: string, signal?: AbortSignal): Promise<Library> =>
  fetchBody<Library>(addressOf(library), { signal });

export const loadSpace = (signal?: AbortSignal): Promise<Space> => fetchBody<Space>('/api2/account/info', { signal });

export interface NewLibrary {
  name: string;
  description: string;
  /** Empty: not encrypted. */
  password: string;
}

export const createLibrary = ({ name, description, password }: NewLibrary): Promise<Library> =>
  fetchBody<Library>(LIBRARIES, {
    method: 'POST', json: { name, desc: description, ...(password !== '' && { passwd: password }) },
  });

export const renameLibrary = (library: string, change: { name: string; description: string }): Promise<Library> =>
  fetchBody<Library>(addressOf(library), { method: 'PUT', json: { repo_name: change.name, repo_desc: change.description } });

export const deleteLibrary = (library: string): Promise<void> => fetchBody(addressOf(library), { method: 'DELETE' });

export const listDeletedLibraries = (signal?: AbortSignal): Promise<DeletedLibrary[]> =>
  fetchBody<DeletedLibrary[]>('/api/v2.1/deleted-repos', { signal });
export const restoreLibrary = (library: string): Promise<void> => fetchBody(`${LIBRARIES}/deleted/${library}`, { method: 'PUT' });
export const eraseLibrary = (library: string): Promise<void> => fetchBody(`${LIBRARIES}/deleted/${library}`, { method: 'DELETE' });

/** For how many days earlier states are kept; -1: for good. */
export const loadKeepDays = async (library: string, signal?: AbortSignal): Promise<number> =>
  (await fetchBody<{ keep_days: number }>(`${addressOf(library)}/history-limit`, { signal })).keep_days;
export const setKeepDays = (library: string, days: number): Promise<void> =>
  fetchBody(`${addressOf(library)}/history-limit`, { method: 'PUT', json: { keep_days: days } });

export const giveLibrary = (library: string, email: string): Promise<void> =>
  fetchBody(`/api2/repos/${library}/owner`, { method: 'PUT', json: { owner: email } });

export const openLibrary = (library: string, password: string): Promise<void> =>
  fetchBody(`${addressOf(library)}/set-password`, { method: 'POST', json: { password } });
export const changeLibraryPassword = (library: string, from: string, to: string): Promise<void> =>
  fetchBody(`${addressOf(library)}/set-password`, { method: 'PUT', json: { old_password: from, new_password: to } });
