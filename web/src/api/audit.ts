// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ask, fetchBody } from './client';

export interface AuditLine {
  id: number;
  at: string;
  actor: string;
  label: string;
  action: string;
  target: string;
  address: string;
  request: string;
  detail: Record<string, string>;
}

export interface AuditFilter {
  actor?: string;
  action?: string;
  target?: string;
  /** Moments. */
  from?: string;
  to?: string;
}

export interface AuditPage {
  lines: AuditLine[];
  /** Older lines, wanted or not, begin below this one. */
  before: number | null;
}

const PAGE = 50;

/** The newest lines below `before` that the filter wants. A page may be empty and still not be the last. */
export async function listAudit(org: string | null, filter: AuditFilter, before: number | null, signal?: AbortSignal): Promise<AuditPage> {
  const page = await fetchBody<{ lines: AuditLine[]; before?: number }>('/api/audit', {
    query: { org, ...filter, before, limit: PAGE }, ...(signal && { signal }),
  });
  return { lines: page.lines, before: page.before ?? null };
}

/** Everything the filter wants, oldest first, a JSON object on each line. */
export async function exportAudit(org: string | null, filter: AuditFilter): Promise<string> {
  let text = '';
  for (let after: string | null = '0'; after !== null;) {
    const answer: { body: string | null; headers: Headers } = await ask<string | null>('/api/audit/export', {
      query: { org, ...filter, after }, headers: { Accept: 'application/x-ndjson' },
    });
    text += answer.body ?? '';
    after = answer.headers.get('Atrium-After');
  }
  return text;
}
