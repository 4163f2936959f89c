// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';
import type { InvitationState } from './invitations';

export type AddressProof = 'letter' | 'approval';

/** An invitation as whoever opens its link sees it. One that has ended tells only that. */
export interface Glance {
  state: InvitationState;
  email?: string;
  inviter?: string;
  inviter_email?: string;
  kind?: string;
  label?: string;
  role?: string;
  organisation?: string;
  has_account: boolean;
  /** How the address will have to be proved; absent: not at all. */
  proof?: AddressProof;
}

export interface JoinForm {
  token: string;
  name: string;
  password: string;
  email?: string;
  time_zone: string;
}

export interface Joined {
  return_to?: string;
  /** The address must be proved first. */
  awaits?: AddressProof;
}

export interface Waiting {
  state: 'waiting' | 'admitted';
  proof: AddressProof;
  email: string;
  name: string;
}

const post = <T>(path: string, json: unknown): Promise<T> => fetchBody<T>(path, { method: 'POST', json, proves: true });

export const lookAt = (token: string): Promise<Glance> => post('/api/join/look', { token });
export const join = (form: JoinForm): Promise<Joined> => post('/api/join', form);
export const acceptByLink = (token: string): Promise<{ return_to: string }> => post('/api/join/accept', { token });
export const joinWith = (provider: string, token: string): Promise<{ url: string }> => post(`/api/join/provider/${provider}`, { token });
export const confirmJoin = (token: string, password?: string): Promise<Joined> =>
  post('/api/join/confirm', { token, ...(password !== undefined && { password }) });
export const loadWaiting = (signal?: AbortSignal): Promise<Waiting> =>
  fetchBody<Waiting>('/api/join/waiting', { proves: true, ...(signal && { signal }) });
export const enter = (): Promise<Joined> => post('/api/join/enter', {});
