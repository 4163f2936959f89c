// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';

export type Role = 'superadmin' | 'admin' | 'user' | 'readonly' | 'guest';

export interface Person {
  id: string;
  email: string;
  name: string;
  role: Role;
  status: string;
  time_zone: string;
  quota_bytes?: number | null;
  created_at: string;
  /** The version of the photo, where there is one. */
  photo?: string;
}

/** The reply of GET /api/me. */
export interface Me {
  user?: Person;
  org: { id: string; name: string };
  role: Role;
  credential: string;
  scopes: string[];
  second_factor: boolean;
}

/** Where the photo of somebody is; null for who has none. */
export function photoOf(person: { id: string; photo?: string | null } | null | undefined): string | null {
  return person?.photo ? `/api/users/${person.id}/photo?v=${person.photo}` : null;
}

export const loadMe = (): Promise<Me> => fetchBody<Me>('/api/me');
export const changeMe = (change: { name?: string; time_zone?: string }): Promise<Person> =>
  fetchBody<Person>('/api/me', { method: 'PATCH', json: change });
export const signOut = (): Promise<void> => fetchBody<void>('/api/auth/logout', { method: 'POST' });
