// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError, fetchBody } from './client';

export interface Offers {
  providers: { id: string; name: string; login_url: string }[];
  /** Whether the server can mail links. */
  mail: boolean;
}

export interface FirstSteps {
  token: string;
  email: string;
  name: string;
  password: string;
  organisation: string;
  time_zone: string;
}

export interface Consumed {
  /** Absent when the password was changed and a second factor still stands before the sign-in. */
  session_id?: string;
  email: string;
  return_to: string;
}

const post = <T>(path: string, json: unknown): Promise<T> => fetchBody<T>(path, { method: 'POST', json, proves: true });

export const loadSetUp = async (): Promise<boolean> => (await fetchBody<{ set_up: boolean }>('/api/setup')).set_up;
export const setUp = (first: FirstSteps): Promise<void> => post('/api/setup', first);
export const loadOffers = (): Promise<Offers> => fetchBody<Offers>('/api/auth/providers');
export const signIn = (email: string, password: string, otp?: string): Promise<void> =>
  post('/api/auth/login', { email, password, ...(otp && { otp }) });
export const requestLink = (email: string, returnTo: string): Promise<void> =>
  post('/api/auth/request-link', { email, return_to: returnTo });
export const consumeLink = (token: string, otp?: string): Promise<Consumed> =>
  post('/api/auth/consume-link', { token, ...(otp && { otp }) });
export const requestReset = (email: string): Promise<void> => post('/api/auth/request-reset', { email });
export const resetPassword = (token: string, password: string): Promise<Consumed> =>
  post('/api/auth/reset', { token, password });
export const confirmEmail = (token: string): Promise<void> => post('/api/auth/confirm-email', { token });

/** Shows that it is still the same person, by what they know or have. Holds for some minutes. */
export const giveProof = (proof: { password: string } | { otp: string }): Promise<void> => post('/api/auth/proof', proof);
/** Where the same is shown by signing in elsewhere again; leads back to a page of ours. */
export const proofAt = (provider: string, returnTo: string): string =>
  `/auth/${encodeURIComponent(provider)}/login?proof=1&return_to=${encodeURIComponent(returnTo)}`;

/** The server asks for the code of a second factor, or says that the one it was given is wrong. */
export const wantsCode = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && error.message.startsWith('otp:');
