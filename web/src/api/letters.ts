// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';

/** A letter that no mail server took. Its words are for nobody but its recipient. */
export interface DeadLetter {
  id: string;
  to: string;
  subject: string;
  queued_at: string;
  attempts: number;
  last_error: string;
  dead_at: string;
  gone_at: string;
}

const ALL = '/api/admin/letters';

export async function listLetters(after: string | null, signal: AbortSignal): Promise<{ items: DeadLetter[]; after: string | null }> {
  const page = await fetchBody<{ letters: DeadLetter[]; after?: string }>(ALL, { query: { after }, signal });
  return { items: page.letters, after: page.after ?? null };
}

export const retryLetter = (id: string): Promise<void> => fetchBody<void>(`${ALL}/${id}/retry`, { method: 'POST' });
export const dropLetter = (id: string): Promise<void> => fetchBody<void>(`${ALL}/${id}`, { method: 'DELETE' });
