// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Link2, MoreHorizontal, Send, UserMinus, UserRoundCheck } from 'lucide-preact';

import type { Member, MemberRole } from '../../../api/members';
import { Menu, type MenuItem } from '../../../ui/menu';
import { words } from '../../../words';
import { locale } from '../formats';
import { renderAgo } from './moments';
import { PersonLine } from './parts';
import type { MemberDeeds } from './share';

interface MemberRowProps {
  member: Member;
  isMe: boolean;
  mayManage: boolean;
  /** Keeps the role and stays. */
  isFixed: boolean;
  /** Whether the calendar may be handed over at all. */
  mayInherit: boolean;
  deeds: MemberDeeds;
}

export function MemberRow({ member, isMe, mayManage, isFixed, mayInherit, deeds }: MemberRowProps) {
  const told = words.value.calendarPanels.share;
  const name = nameOf(member);
  const isPending = member.status === 'invited';
  const isOver = member.invitation?.state === 'expired';
  const note = isPending ? pendingNote(member) : member.name ? member.email : undefined;
  const items = mayManage && !isMe ? deedsFor(member, isFixed, mayInherit, deeds) : [];
  return (
    <li class="calendar-panel-row calendar-panel-member">
      <PersonLine person={{ id: member.user_id ?? null, email: member.email, name, photo: member.photo ?? null }} note={note}>
        {isMe && <span class="badge">{words.value.common.you}</span>}
        {isPending && <span class="badge badge-warn">{isOver ? words.value.invitations.state.expired : told.pending}</span>}
      </PersonLine>
      <RoleOf member={member} name={name} mayChange={mayManage && !isFixed} onRole={(role) => void deeds.changeRole(member, role)} />
      {items.length > 0 && <Menu label={told.deedsFor(name)} items={items}><MoreHorizontal /></Menu>}
    </li>
  );
}

/** What the row calls somebody: also whoever has a link that names nobody. */
export const nameOf = (member: Member): string => member.name || member.email || words.value.invitations.anybody;

/** Since when, and what became of the letter. */
function pendingNote(member: Member): string {
  const since = words.value.calendarPanels.share.pendingSince(renderAgo(member.updated_at, locale.value));
  const invitation = member.invitation;
  if (invitation === undefined) {
    return since;
  }
  const reason = invitation.delivery_reason ? ` (${invitation.delivery_reason})` : '';
  return `${since}. ${words.value.invitations.delivery[invitation.delivery]}${reason}`;
}

const ROLES: MemberRole[] = ['reader', 'writer', 'owner'];

function RoleOf({ member, name, mayChange, onRole }: { member: Member; name: string; mayChange: boolean; onRole: (role: MemberRole) => void }) {
  const told = words.value.calendarPanels;
  if (!mayChange) {
    return <span class="muted calendar-panel-role">{told.roles[member.role]}</span>;
  }
  return (
    <select class="input calendar-panel-role" aria-label={told.share.roleOf(name)} value={member.role}
      onChange={(event) => onRole(event.currentTarget.value as MemberRole)}>
      {ROLES.map((role) => <option key={role} value={role}>{told.roles[role]}</option>)}
    </select>
  );
}

function deedsFor(member: Member, isFixed: boolean, mayInherit: boolean, deeds: MemberDeeds): (MenuItem | null)[] {
  const told = words.value.calendarPanels.share;
  if (member.status === 'invited') {
    const mails = member.email !== '' && member.invitation?.delivery !== 'off';
    return [
      ...(mails ? [{ label: told.resend, icon: <Send />, run: () => void deeds.resend(member) }] : []),
      { label: words.value.invitations.newLink, hint: words.value.invitations.newLinkHint, icon: <Link2 />, run: () => void deeds.makeLink(member) },
      { label: told.withdraw, icon: <UserMinus />, tone: 'danger', run: () => void deeds.withdraw(member) },
    ];
  }
  return [
    ...(mayInherit ? [{ label: told.handOver, icon: <UserRoundCheck />, run: () => void deeds.handOver(member) }] : []),
    ...(isFixed ? [] : [{ label: told.remove, icon: <UserMinus />, tone: 'danger' as const, run: () => void deeds.remove(member) }]),
  ];
}
