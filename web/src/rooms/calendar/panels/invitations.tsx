// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Check, Mail, X } from 'lucide-preact';

import { acceptInvitation, leaveCalendar, listInvitations, type Invitation } from '../../../api/members';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded, type Loaded } from '../../../ui/loaded';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { calendars, refreshCalendars } from '../state';
import './invitations.css';

/** Asked again whenever the list of calendars tells of another invitation. */
export function useInvitations(): Loaded<Invitation[]> {
  const open = (calendars.value ?? []).filter((one) => one.status === 'invited').map((one) => one.id).join();
  return useLoaded(listInvitations, [open]);
}

/** The invitations at the top of the side panel; nothing when there are none. */
export function Invitations() {
  const told = words.value.calendarPanels.invitations;
  const invitations = useInvitations();
  const all = invitations.value ?? [];
  if (all.length === 0) {
    return null;
  }
  return (
    <section class="calendar-panel-invitations" aria-label={told.title}>
      <h2><Mail />{all.length === 1 ? told.oneTitle : `${told.title} (${all.length})`}</h2>
      <InvitationList invitations={invitations} />
    </section>
  );
}

export function InvitationList({ invitations, onNone }: { invitations: Loaded<Invitation[]>; onNone?: () => void }) {
  const drop = (gone: Invitation) => {
    const left = (invitations.value ?? []).filter((one) => one.calendar_id !== gone.calendar_id);
    invitations.show(left);
    if (left.length === 0) onNone?.();
  };
  return (
    <ul class="calendar-panel-invitation-list">
      {(invitations.value ?? []).map((one) => <InvitationRow key={one.calendar_id} invitation={one} onAnswered={() => drop(one)} />)}
    </ul>
  );
}

function InvitationRow({ invitation, onAnswered }: { invitation: Invitation; onAnswered: () => void }) {
  const told = words.value.calendarPanels.invitations;
  const [busy, setBusy] = useState(false);
  const name = invitation.calendar_name;
  const answer = async (deed: (calendar: string) => Promise<void>, done: string) => {
    setBusy(true);
    try {
      await deed(invitation.calendar_id);
      onAnswered();
      say(done);
      await refreshCalendars();
    } catch (error) {
      setBusy(false);
      sayError(error);
    }
  };
  const decline = async () => {
    if (await confirm({ title: told.declineTitle(name), text: told.declineText, deed: told.decline })) {
      await answer(leaveCalendar, told.declined(name));
    }
  };
  return (
    <li class="calendar-panel-invitation">
      <strong>{name}</strong>
      <small class="hint">{invitation.inviter ? told.from(invitation.inviter) : ''} {told.may[invitation.role]}</small>
      <div class="row">
        <Button tone="primary" busy={busy} aria-label={told.acceptNamed(name)} onClick={() => void answer(acceptInvitation, told.accepted(name))}>
          <Check />{told.accept}
        </Button>
        <Button busy={busy} aria-label={told.declineNamed(name)} onClick={() => void decline()}><X />{told.decline}</Button>
      </div>
    </li>
  );
}
