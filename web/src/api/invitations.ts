// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';

export type InvitationState = 'open' | 'requested' | 'accepted' | 'revoked' | 'expired';
/** What became of the letter. */
export type Delivery = 'by_hand' | 'off' | 'queued' | 'handed_over' | 'failed';

/** What those who invite are told. */
export interface InvitationStatus {
  id: string;
  state: InvitationState;
  delivery: Delivery;
  delivery_reason?: string;
  resends: number;
  expires_at: string;
  /** Only in the answer that makes it. */
  link?: string;
}

/** An invitation as administrators see it. */
export interface OrgInvitation extends InvitationStatus {
  /** Absent: for whoever has the link. */
  email?: string;
  inviter: string;
  target: { kind: string; id: string; label: string };
  role: string;
  created_at: string;
}

/** Somebody who waits to be let in. */
export interface Applicant {
  id: string;
  email: string;
  name: string;
  inviter: string;
  to: string;
  created_at: string;
}

export interface InvitationRules {
  who: 'anybody' | 'administrators' | 'closed';
  proof: 'letter' | 'approval';
}

const ALL = '/api/admin/invitations';
const WAITING = '/api/admin/applicants';
const RULES = '/api/admin/invitation-settings';

export async function listInvitations(org: string | null, after: string | null, signal: AbortSignal):
    Promise<{ items: OrgInvitation[]; after: string | null }> {
  const page = await fetchBody<{ invitations: OrgInvitation[]; after?: string }>(ALL, { query: { org, after }, signal });
  return { items: page.invitations, after: page.after ?? null };
}

export const inviteToOrg = (org: string | null, email: string): Promise<OrgInvitation> =>
  fetchBody<OrgInvitation>(ALL, { method: 'POST', query: { org }, json: email === '' ? {} : { email } });
export const resendInvitation = (id: string): Promise<OrgInvitation> => fetchBody<OrgInvitation>(`${ALL}/${id}/resend`, { method: 'POST' });
export const renewLink = (id: string): Promise<OrgInvitation> => fetchBody<OrgInvitation>(`${ALL}/${id}/link`, { method: 'POST' });
export const revokeInvitation = (id: string): Promise<void> => fetchBody<void>(`${ALL}/${id}`, { method: 'DELETE' });

export const listApplicants = async (org: string | null, signal?: AbortSignal): Promise<Applicant[]> =>
  (await fetchBody<{ applicants: Applicant[] }>(WAITING, { query: { org }, ...(signal && { signal }) })).applicants;
export const approve = (id: string): Promise<void> => fetchBody<void>(`${WAITING}/${id}/approve`, { method: 'POST' });
export const refuse = (id: string): Promise<void> => fetchBody<void>(`${WAITING}/${id}`, { method: 'DELETE' });

export const loadRules = (org: string | null, signal?: AbortSignal): Promise<InvitationRules & { mail: boolean }> =>
  fetchBody<InvitationRules & { mail: boolean }>(RULES, { query: { org }, ...(signal && { signal }) });
export const saveRules = (org: string | null, rules: InvitationRules): Promise<void> =>
  fetchBody<void>(RULES, { method: 'PUT', query: { org }, json: rules });
