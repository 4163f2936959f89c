// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';

export interface BusyTime {
  start: string;
  end: string;
}

export interface BusyPerson {
  user: string;
  email: string;
  busy: BusyTime[];
}

export interface FreeBusy {
  people: BusyPerson[];
  /** Of those asked about, whom the organisation does not have. */
  unknown: string[];
}

/** When people of one's organisation have no time: at most 50 of them, at most 62 days. */
export const loadFreeBusy = (emails: readonly string[], from: string, to: string, signal?: AbortSignal): Promise<FreeBusy> =>
  fetchBody<FreeBusy>('/api/freebusy', { query: { users: emails.join(','), from, to }, signal });
