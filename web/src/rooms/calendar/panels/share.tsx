// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { LogOut } from 'lucide-preact';

import type { MyCalendar } from '../../../api/calendars';
import { changeRole, handOver, invite, keyOf, leaveCalendar, listMembers, removeMember, type Member, type MemberRole } from '../../../api/members';
import { me } from '../../../shell/session';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialog';
import { useLoaded } from '../../../ui/loaded';
import { Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import type { PanelProps } from '../panels';
import { calendarsById, refreshCalendars } from '../state';
import { InviteForm } from './inviteForm';
import { MemberRow } from './memberRow';
import { learnPeople } from './people';
import { useMemberNews } from './memberNews';

const nameOf = (member: Member): string => member.name || member.email;

/** Who has a calendar, and what they may do there. */
export function SharePanel({ calendarId = '', close }: PanelProps) {
  const calendar = calendarsById.value.get(calendarId);
  return (
    <Dialog title={words.value.calendarPanels.share.title(calendar?.name ?? '')} onClose={close}>
      {calendar ? <Sharing calendar={calendar} close={close} /> : <Skeleton lines={6} />}
    </Dialog>
  );
}

function Sharing({ calendar, close }: { calendar: MyCalendar; close: () => void }) {
  const told = words.value.calendarPanels.share;
  const members = useLoaded((signal) => listMembers(calendar.id, signal), [calendar.id]);
  useMemberNews(calendar.id, members.reload);
  useEffect(() => { if (members.value) learnPeople(members.value); }, [members.value]);
  const isOwner = calendar.role === 'owner';
  const deeds = makeDeeds(calendar, members.reload);
  if (members.value === undefined) {
    return members.error === null ? <Skeleton lines={6} /> : <Failure error={members.error} retry={members.reload} />;
  }
  const all = inOrder(members.value);
  const owners = all.filter((member) => member.role === 'owner' && member.status === 'active').length;
  return (
    <>
      {isOwner && <InviteForm members={all} onInvite={deeds.invite} />}
      <h3 class="calendar-panel-head">{told.people}</h3>
      <ul class="calendar-panel-list">
        {all.map((member) => (
          <MemberRow key={keyOf(member)} member={member} isMe={member.user_id === me.value?.user?.id} mayManage={isOwner}
            isFixed={isFixed(calendar, member, owners)} mayInherit={!calendar.is_default} deeds={deeds} />
        ))}
      </ul>
      {isOwner && all.length === 1 && <p class="notice">{told.onlyYou}</p>}
      {!isOwner && <p class="hint">{told.readersSee}</p>}
      <Leave calendar={calendar} isLastOwner={isOwner && owners === 1} close={close} />
    </>
  );
}

/** Owners first, then who may change it, then readers; who has not accepted yet comes last. */
function inOrder(members: readonly Member[]): Member[] {
  const rank = (member: Member) => (member.status === 'invited' ? 3 : ['owner', 'writer', 'reader'].indexOf(member.role));
  return [...members].sort((a, b) => rank(a) - rank(b) || nameOf(a).localeCompare(nameOf(b)));
}

/** The last owner, and who had the calendar from the start, keep their role. */
function isFixed(calendar: MyCalendar, member: Member, owners: number): boolean {
  const isOwner = member.role === 'owner' && member.status === 'active';
  return isOwner && (owners === 1 || (calendar.is_default && calendar.default_of === member.user_id));
}

export interface MemberDeeds {
  invite: (email: string, role: MemberRole) => Promise<boolean>;
  changeRole: (member: Member, role: MemberRole) => Promise<void>;
  resend: (member: Member) => Promise<void>;
  withdraw: (member: Member) => Promise<void>;
  remove: (member: Member) => Promise<void>;
  handOver: (member: Member) => Promise<void>;
}

/** Each does what its name says, tells how it went, and shows the members as they are then. */
function makeDeeds(calendar: MyCalendar, reload: () => void): MemberDeeds {
  const told = words.value.calendarPanels.share;
  const id = calendar.id;
  const attempt = async (deed: () => Promise<unknown>, done: string): Promise<boolean> => {
    try {
      await deed();
      say(done);
      return true;
    } catch (error) {
      sayError(error);
      return false;
    } finally {
      reload();
    }
  };
  return {
    invite: (email, role) => attempt(() => invite(id, email, role), told.invited(email)),
    changeRole: async (member, role) => {
      const isMe = member.user_id === me.value?.user?.id;
      if (isMe && !(await confirm({ title: told.stepDownTitle, text: told.stepDownText, deed: told.stepDown }))) {
        reload();
        return;
      }
      await attempt(() => changeRole(id, keyOf(member), role), told.roleChanged(nameOf(member), words.value.calendarPanels.roles[role]));
      if (isMe) await refreshCalendars().catch(sayError);
    },
    resend: async (member) => {
      // There is no call for it; who is invited again gets a new letter.
      await attempt(async () => {
        await removeMember(id, keyOf(member));
        await invite(id, member.email, member.role);
      }, told.resent(member.email));
    },
    withdraw: async (member) => { await attempt(() => removeMember(id, keyOf(member)), told.withdrawn(member.email)); },
    remove: async (member) => {
      const name = nameOf(member);
      if (await confirm({ title: told.removeTitle(name), text: told.removeText(name), deed: words.value.common.remove })) {
        await attempt(() => removeMember(id, keyOf(member)), told.removed(name));
      }
    },
    handOver: async (member) => {
      const name = nameOf(member);
      if (await confirm({ title: told.handOverTitle(name), text: told.handOverText(name), deed: told.handOver })) {
        await attempt(() => handOver(id, keyOf(member)), told.handedOver(name));
        await refreshCalendars().catch(sayError);
      }
    },
  };
}

function Leave({ calendar, isLastOwner, close }: { calendar: MyCalendar; isLastOwner: boolean; close: () => void }) {
  const told = words.value.calendarPanels.share;
  const [busy, setBusy] = useState(false);
  if (calendar.is_default && calendar.default_of === me.value?.user?.id) {
    return <p class="hint">{told.defaultStays}</p>;
  }
  if (isLastOwner) {
    return <p class="hint">{told.lastOwner}</p>;
  }
  const leave = async () => {
    if (!(await confirm({ title: told.leaveTitle(calendar.name), text: told.leaveText, deed: told.leave }))) {
      return;
    }
    setBusy(true);
    try {
      await leaveCalendar(calendar.id);
      close();
      say(told.left(calendar.name));
      await refreshCalendars();
    } catch (error) {
      setBusy(false);
      sayError(error);
    }
  };
  return <p><Button tone="danger" busy={busy} onClick={() => void leave()}><LogOut />{told.leave}</Button></p>;
}
