// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Link2, Mail, MoreHorizontal, Send, Undo2 } from 'lucide-preact';

import type { OrgInvitation } from '../../../api/invitations';
import { Menu, type MenuItem } from '../../../ui/menu';
import { words } from '../../../words';
import { Ago } from '../parts';

export interface InvitationDeeds {
  resend: (one: OrgInvitation) => Promise<void>;
  makeLink: (one: OrgInvitation) => Promise<void>;
  revoke: (one: OrgInvitation) => Promise<void>;
}

const TONES = { open: 'badge-accent', requested: 'badge-warn', accepted: '', revoked: '', expired: '' } as const;

export function InvitationRow({ invitation, deeds }: { invitation: OrgInvitation; deeds: InvitationDeeds }) {
  const told = words.value.admin.invitations;
  const shared = words.value.invitations;
  const name = invitation.email ?? shared.anybody;
  const isOver = invitation.state === 'accepted' || invitation.state === 'revoked';
  const reason = invitation.delivery_reason ? ` (${invitation.delivery_reason})` : '';
  return (
    <li>
      <div class="admin-row">
        <span class="admin-row-icon" aria-hidden="true"><Mail /></span>
        <span class="admin-row-main">
          <strong>{name}</strong>
          <small>{told.byTo(invitation.inviter, invitation.target.label)} · <Ago at={invitation.created_at} /></small>
          {!isOver && <small>{shared.delivery[invitation.delivery]}{reason}</small>}
        </span>
        <span class="admin-row-end">
          <span class={`badge ${TONES[invitation.state]}`}>{shared.state[invitation.state]}</span>
          {!isOver && <Menu label={told.deedsFor(name)} items={itemsFor(invitation, deeds)}><MoreHorizontal /></Menu>}
        </span>
      </div>
    </li>
  );
}

function itemsFor(invitation: OrgInvitation, deeds: InvitationDeeds): (MenuItem | null)[] {
  const { admin: { invitations: told }, invitations: shared } = words.value;
  const mails = invitation.email !== undefined && invitation.delivery !== 'off';
  return [
    ...(mails ? [{ label: told.resend, icon: <Send />, run: () => void deeds.resend(invitation) }] : []),
    { label: shared.newLink, hint: shared.newLinkHint, icon: <Link2 />, run: () => void deeds.makeLink(invitation) },
    { label: told.revoke, icon: <Undo2 />, tone: 'danger', run: () => void deeds.revoke(invitation) },
  ];
}
