// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ask, fetchBody } from './client';
import type { Person, Role } from './me';

export type UserStatus = 'active' | 'deactivated';

/** Somebody as administrators see them. */
export interface User extends Person {
  org: string;
  status: UserStatus;
}

/** With what only the view of one person tells. */
export interface UserDetails extends User {
  has_password: boolean;
  second_factor: boolean;
}

export interface Tagged<T> {
  value: T;
  etag: string | null;
}

export interface NewUser {
  email: string;
  name?: string;
  role: Role;
  password?: string;
  quota_bytes?: number;
  time_zone?: string;
  invite?: boolean;
}

export type UserChange = Partial<Pick<User, 'email' | 'name' | 'role' | 'status' | 'time_zone'>> & { quota_bytes?: number | null };

export interface Page<T> {
  items: T[];
  after: string | null;
}

/** An organisation and the host names it is reached by. */
export interface Org {
  id: string;
  name: string;
  hosts: string[];
  quota_bytes?: number | null;
  settings: Record<string, string>;
  created_at: string;
}

export interface OrgDetails extends Org {
  usage: { bytes: number; users: number };
}

export interface OrgFields {
  name: string;
  hosts: string[];
  quota_bytes: number | null;
}

export interface Provider {
  id: string;
  name: string;
  issuer: string;
  client_id: string;
  trusted: boolean;
  creates_users: boolean;
}

export type ProviderFields = Omit<Provider, 'id'> & { client_secret?: string };

const PAGE = 50;
const userPath = (id: string): string => `/api/users/${encodeURIComponent(id)}`;
const orgPath = (id: string): string => `/api/orgs/${encodeURIComponent(id)}`;
const ifMatch = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'If-Match': etag });

async function tagged<T>(path: string, signal?: AbortSignal): Promise<Tagged<T>> {
  const answer = await ask<T>(path, { ...(signal && { signal }) });
  return { value: answer.body, etag: answer.etag };
}

/** People of an organisation whose address begins with `prefix`, in the order of their addresses. */
export async function listUsers(
  org: string | null, prefix: string, after: string | null, signal?: AbortSignal,
): Promise<Page<User>> {
  const page = await fetchBody<{ users: User[]; after?: string }>('/api/users', {
    query: { org, prefix: prefix || null, after, limit: PAGE }, ...(signal && { signal }),
  });
  return { items: page.users, after: page.after ?? null };
}

export const loadUser = (id: string, signal?: AbortSignal): Promise<Tagged<UserDetails>> => tagged(userPath(id), signal);
export const createUser = (org: string | null, wanted: NewUser): Promise<User> =>
  fetchBody('/api/users', { method: 'POST', query: { org }, json: wanted });
export const changeUser = (id: string, change: UserChange, etag: string | null): Promise<User> =>
  fetchBody(userPath(id), { method: 'PATCH', json: change, headers: ifMatch(etag) });
export const eraseUser = (id: string): Promise<void> => fetchBody(userPath(id), { method: 'DELETE' });
export const setUserPassword = (id: string, password: string): Promise<void> =>
  fetchBody(`${userPath(id)}/password`, { method: 'POST', json: { password } });
export const inviteUser = (id: string): Promise<void> => fetchBody(`${userPath(id)}/invite`, { method: 'POST', json: {} });
export const endUserSessions = (id: string): Promise<void> => fetchBody(`${userPath(id)}/logout-all`, { method: 'POST', json: {} });
export const removeSecondFactor = (id: string): Promise<void> => fetchBody(`${userPath(id)}/second-factor`, { method: 'DELETE' });

export async function listOrgs(after: string | null, signal?: AbortSignal): Promise<Page<Org>> {
  const page = await fetchBody<{ orgs: Org[]; after?: string }>('/api/orgs', { query: { after, limit: PAGE }, ...(signal && { signal }) });
  return { items: page.orgs, after: page.after ?? null };
}

export const loadOrg = (id: string, signal?: AbortSignal): Promise<Tagged<OrgDetails>> => tagged(orgPath(id), signal);
export const createOrg = (fields: OrgFields): Promise<Org> => fetchBody('/api/orgs', { method: 'POST', json: fields });
export const changeOrg = (id: string, fields: OrgFields, etag: string | null): Promise<Org> =>
  fetchBody(orgPath(id), { method: 'PATCH', json: fields, headers: ifMatch(etag) });
export const eraseOrg = (id: string): Promise<void> => fetchBody(orgPath(id), { method: 'DELETE' });

export const listProviders = async (org: string | null, signal?: AbortSignal): Promise<Provider[]> =>
  (await fetchBody<{ providers: Provider[] }>('/api/providers', { query: { org }, ...(signal && { signal }) })).providers;
export const putProvider = (org: string | null, id: string, fields: ProviderFields): Promise<void> =>
  fetchBody(`/api/providers/${encodeURIComponent(id)}`, { method: 'PUT', query: { org }, json: fields });
export const eraseProvider = (org: string | null, id: string): Promise<void> =>
  fetchBody(`/api/providers/${encodeURIComponent(id)}`, { method: 'DELETE', query: { org } });

/** Whether this server sends letters: without them nobody can be invited. */
export const sendsMail = async (signal?: AbortSignal): Promise<boolean> =>
  (await fetchBody<{ mail?: boolean }>('/api/auth/providers', { ...(signal && { signal }) })).mail === true;
