// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';
import type { Person } from './me';

export interface Session {
  id: string;
  kind: 'full' | 'provisional' | 'guest';
  created_at: string;
  expires_at: string;
  last_used_at: string;
  address: string;
  agent: string;
  current: boolean;
}

export type TokenType = 'app_password' | 'personal' | 'api';

export interface Token {
  id: string;
  type: TokenType;
  name: string;
  scopes: string[];
  created_at: string;
  expires_at?: string;
  last_used_at?: string;
  last_address: string;
}

export interface NewToken {
  name: string;
  type: TokenType;
  scopes: string[];
  expires_at?: string;
}

/** An account elsewhere by which somebody signs in here. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string;
  linked_at: string;
}

const post = <T>(path: string, json: unknown = {}): Promise<T> => fetchBody<T>(path, { method: 'POST', json });

export const putPhoto = (photo: Blob): Promise<Person> => fetchBody('/api/me/photo', { method: 'PUT', file: photo });
export const removePhoto = (): Promise<void> => fetchBody('/api/me/photo', { method: 'DELETE' });
export const requestNewEmail = (email: string): Promise<void> => post('/api/me/email', { email });

/** All other credentials end with it. A wrong password is not a session that ended. */
export const changePassword = (current: string, password: string, otp?: string): Promise<void> =>
  fetchBody('/api/me/password', { method: 'POST', json: { current, password, ...(otp && { otp }) }, proves: true });

export const beginSecondFactor = (): Promise<{ secret: string; uri: string }> => post('/api/me/second-factor');
export const confirmSecondFactor = async (otp: string): Promise<string[]> =>
  (await post<{ recovery_codes: string[] }>('/api/me/second-factor/confirm', { otp })).recovery_codes;
export const endSecondFactor = (otp: string): Promise<void> => post('/api/me/second-factor/end', { otp });

export const listSessions = async (): Promise<Session[]> => (await fetchBody<{ sessions: Session[] }>('/api/me/sessions')).sessions;
export const endSession = (id: string): Promise<void> => fetchBody(`/api/me/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });

export const listIdentities = async (): Promise<Identity[]> =>
  (await fetchBody<{ identities: Identity[] }>('/api/me/identities')).identities;
export const beginIdentity = async (provider: string, returnTo: string): Promise<string> =>
  (await post<{ url: string }>(`/api/me/identities/${encodeURIComponent(provider)}`, { return_to: returnTo })).url;
export const unlinkIdentity = (identity: Identity): Promise<void> =>
  post('/api/me/identities/unlink', { issuer: identity.issuer, subject: identity.subject });

export const listTokens = async (): Promise<Token[]> => (await fetchBody<{ tokens: Token[] }>('/api/tokens')).tokens;
export const createToken = (wanted: NewToken): Promise<Token & { token: string }> => post('/api/tokens', wanted);
export const deleteToken = (id: string): Promise<void> => fetchBody(`/api/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' });
