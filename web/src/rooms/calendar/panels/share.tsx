// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { LogOut } from 'lucide-preact';

import type { MyCalendar } from '../../../api/calendars';
import {
  changeRole, handOver, invite, inviteByLink, keyOf, leaveCalendar, listMembers, makeLink, removeMember, resend, type InvitedMember, type Member,
  type MemberRole,
} from '../../../api/members';
import { ApiError } from '../../../api/client';
import { me } from '../../../shell/session';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialog';
import { explainNoLetter, sayLetter } from '../../../ui/letters';
import { useLoaded } from '../../../ui/loaded';
import { PassOn } from '../../../ui/passOn';
import { Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import type { PanelProps } from '../panels';
import { calendarsById, refreshCalendars } from '../state';
import { InviteForm } from './inviteForm';
import { MemberRow, nameOf } from './memberRow';
import { learnPeople } from './people';
import { useMemberNews } from './memberNews';

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
  const [issued, setIssued] = useIssued(members.value);
  const deeds = makeDeeds(calendar, members.reload, setIssued);
  useQueuedNews(members.value, members.reload);
  if (members.value === undefined) {
    return members.error === null ? <Skeleton lines={6} /> : <Failure error={members.error} retry={members.reload} />;
  }
  const all = inOrder(members.value);
  const owners = all.filter((member) => member.role === 'owner' && member.status === 'active').length;
  return (
    <>
      {isOwner && <InviteForm members={all} onInvite={deeds.invite} onLink={deeds.inviteByLink} />}
      {issued?.invitation.link && <PassOn email={issued.email} link={issued.invitation.link}
        invitation={all.find((member) => member.invitation?.id === issued.invitation.id)?.invitation ?? issued.invitation} />}
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

/** Whoever was invited last, for as long as the invitation waits for them: after that its link leads nowhere. */
function useIssued(members: readonly Member[] | undefined): [InvitedMember | null, (issued: InvitedMember) => void] {
  const [issued, setIssued] = useState<InvitedMember | null>(null);
  // A list that was asked for before the invitation does not have it yet.
  const listed = useRef<string | null>(null);
  useEffect(() => {
    if (issued === null || members === undefined) {
      return;
    }
    const { id } = issued.invitation;
    if (members.some(({ status, invitation }) => status === 'invited' && invitation?.id === id)) {
      listed.current = id;
    } else if (listed.current === id) {
      setIssued(null);
    }
  }, [members, issued]);
  return [issued, setIssued];
}

const LETTERS_TAKE_MS = 2000;

/** A letter leaves a moment after the invitation: what became of it is asked for until that is known. */
function useQueuedNews(members: readonly Member[] | undefined, reload: () => void): void {
  const isQueued = members?.some((member) => member.invitation?.delivery === 'queued') ?? false;
  useEffect(() => {
    if (!isQueued) {
      return undefined;
    }
    const timer = window.setInterval(() => { if (!document.hidden) reload(); }, LETTERS_TAKE_MS);
    return () => window.clearInterval(timer);
  }, [isQueued]);
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
  inviteByLink: (role: MemberRole) => Promise<boolean>;
  makeLink: (member: Member) => Promise<void>;
  changeRole: (member: Member, role: MemberRole) => Promise<void>;
  resend: (member: Member) => Promise<void>;
  withdraw: (member: Member) => Promise<void>;
  remove: (member: Member) => Promise<void>;
  handOver: (member: Member) => Promise<void>;
}

/** Each does what its name says, tells how it went, and shows the members as they are then. */
function makeDeeds(calendar: MyCalendar, reload: () => void, show: (issued: InvitedMember) => void): MemberDeeds {
  const told = words.value.calendarPanels.share;
  const id = calendar.id;
  const attempt = async (deed: () => Promise<unknown>, done?: string): Promise<boolean> => {
    try {
      await deed();
      if (done !== undefined) say(done);
      return true;
    } catch (error) {
      sayError(error);
      return false;
    } finally {
      reload();
    }
  };
  return {
    invite: (email, role) => attempt(async () => show(await invite(id, email, role).catch(explainRules)), told.invited(email)),
    inviteByLink: (role) => attempt(async () => show(await inviteByLink(id, role).catch(explainRules)), told.linkMade),
    makeLink: async (member) => { await attempt(async () => show(await makeLink(id, keyOf(member)).catch(explainRules)), told.linkMade); },
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
      await attempt(async () => {
        const sent = await resend(id, keyOf(member)).catch(explainRules).catch(explainNoLetter);
        if (sent.invitation.link) show(sent);
        sayLetter(member.email, sent.invitation);
      });
    },
    withdraw: async (member) => { await attempt(() => removeMember(id, keyOf(member)), told.withdrawn(nameOf(member))); },
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

/** An organisation may have decided who brings in people without an account. */
function explainRules(error: unknown): never {
  const isAboutRules = error instanceof ApiError && error.status === 403 && error.message.startsWith('email:');
  throw isAboutRules ? new Error(words.value.calendarPanels.share.onlyAccounts) : error;
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
