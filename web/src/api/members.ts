// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';
import type { InvitationStatus } from './invitations';

export type MemberRole = 'reader' | 'writer' | 'owner';

/** Somebody's part in a calendar. */
export interface Member {
  calendar_id: string;
  /** Absent: invited by an address that nobody here has yet. */
  user_id?: string | null;
  email: string;
  name: string;
  /** The version of their photo; absent: there is none. */
  photo?: string | null;
  role: MemberRole;
  status: 'invited' | 'active' | 'removed';
  invited_by?: string | null;
  created_at: string;
  updated_at: string;
  /** The invitation by which they come in. */
  invitation_id?: string | null;
  /** What became of it, for owners. */
  invitation?: InvitationStatus;
}

/** Somebody who was just invited. */
export interface InvitedMember extends Omit<Member, 'invitation'> {
  invitation: InvitationStatus;
}

/** A calendar that the caller is invited to. */
export interface Invitation extends Omit<Member, 'name' | 'photo'> {
  calendar_name: string;
  /** The name of who invites, or their address; empty when their account is gone. */
  inviter?: string;
}

const membersOf = (calendar: string): string => `/api/calendars/${calendar}/members`;
const memberOf = (calendar: string, member: string): string => `${membersOf(calendar)}/${encodeURIComponent(member)}`;

/** How the calls name a member: by id, by address as long as they have no account, or by an invitation that names nobody. */
export const keyOf = (member: Pick<Member, 'user_id' | 'email' | 'invitation_id'>): string =>
  member.user_id ?? (member.email || (member.invitation_id ?? ''));

export async function listMembers(calendar: string, signal?: AbortSignal): Promise<Member[]> {
  return (await fetchBody<{ members: Member[] }>(membersOf(calendar), { signal })).members;
}

export const invite = (calendar: string, email: string, role: MemberRole): Promise<InvitedMember> =>
  fetchBody<InvitedMember>(membersOf(calendar), { method: 'POST', json: { email, role } });

/** For whoever gets the link. */
export const inviteByLink = (calendar: string, role: MemberRole): Promise<InvitedMember> =>
  fetchBody<InvitedMember>(`/api/calendars/${calendar}/links`, { method: 'POST', json: { role } });

export const resend = (calendar: string, member: string): Promise<InvitedMember> =>
  fetchBody<InvitedMember>(`${memberOf(calendar, member)}/resend`, { method: 'POST' });

/** In place of the link before it. */
export const makeLink = (calendar: string, member: string): Promise<InvitedMember> =>
  fetchBody<InvitedMember>(`${memberOf(calendar, member)}/link`, { method: 'POST' });

export const changeRole = (calendar: string, member: string, role: MemberRole): Promise<Member> =>
  fetchBody<Member>(memberOf(calendar, member), { method: 'PUT', json: { role } });

export const removeMember = (calendar: string, member: string): Promise<void> =>
  fetchBody<void>(memberOf(calendar, member), { method: 'DELETE' });

/** Leaves a calendar, or declines the invitation to it. */
export const leaveCalendar = (calendar: string): Promise<void> => removeMember(calendar, 'me');

export const acceptInvitation = (calendar: string): Promise<void> =>
  fetchBody<void>(`/api/calendars/${calendar}/accept`, { method: 'POST' });

/** The caller stays as writer. */
export const handOver = (calendar: string, to: string): Promise<void> =>
  fetchBody<void>(`/api/calendars/${calendar}/transfer`, { method: 'POST', json: { to } });

export async function listInvitations(signal?: AbortSignal): Promise<Invitation[]> {
  return (await fetchBody<{ invitations: Invitation[] }>('/api/invitations', { signal })).invitations;
}
