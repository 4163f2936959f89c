// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';

export interface FoundEntry {
  repo_id: string;
  repo_name: string;
  name: string;
  fullpath: string;
  is_dir: boolean;
  size: number;
  mtime: number;
}

export interface FoundPage {
  results: FoundEntry[];
  has_more: boolean;
  /** The server stopped before it had seen everything. */
  is_cut_off: boolean;
}

export const searchNames = (text: string, library: string | null, page: number, signal?: AbortSignal): Promise<FoundPage> =>
  fetchBody<FoundPage>('/api2/search', { query: { q: text, repo_id: library, page, per_page: 50 }, signal });
