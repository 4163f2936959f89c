// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useState } from 'preact/hooks';
import { Link2, UserPlus } from 'lucide-preact';

import type { Member, MemberRole } from '../../../api/members';
import { sendsMail } from '../../../api/people';
import { Button } from '../../../ui/button';
import { SelectField, TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { words } from '../../../words';
import { typedIn } from './parts';
import { knownPeople, meetPeople } from './people';

const ROLES: MemberRole[] = ['reader', 'writer', 'owner'];

/** Looks like an address; whether it is one, only the letter can tell. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

function wrongWith(address: string, members: readonly Member[]): string | null {
  const told = words.value.calendarPanels.share;
  if (!isEmail(address)) {
    return told.badEmail;
  }
  const there = members.find((member) => member.email === address.toLowerCase());
  if (there === undefined) {
    return null;
  }
  return there.status === 'invited' ? told.alreadyInvited(there.email) : told.alreadyMember(there.name || there.email);
}

/** Asks somebody to share the calendar, by address. */
export function InviteForm({ members, onInvite, onLink }: {
  members: readonly Member[];
  onInvite: (email: string, role: MemberRole) => Promise<boolean>;
  onLink: (role: MemberRole) => Promise<boolean>;
}) {
  const told = words.value.calendarPanels;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('writer');
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const suggestions = useId();
  const mail = useLoaded((signal) => sendsMail(signal), []);
  useEffect(() => void meetPeople(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const address = typedIn(event, 'email');
    const problem = wrongWith(address, members);
    if (problem !== null) {
      setWrong(problem);
      return;
    }
    setBusy(true);
    if (await onInvite(address, role)) {
      setEmail('');
    }
    setBusy(false);
  };
  const byLink = async () => {
    setBusy(true);
    await onLink(role);
    setBusy(false);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <TextField label={told.share.inviteByEmail} hint={mail.value === false ? told.share.emailHintNoMail : told.share.emailHint} error={wrong}
        name="email" type="email" autoComplete="off" list={suggestions} placeholder={told.share.emailPlaceholder} value={email}
        onValue={(text) => { setEmail(text); setWrong(null); }} />
      <datalist id={suggestions}>
        {[...knownPeople.value.values()].filter((person) => !members.some((member) => member.email === person.email))
          .map((person) => <option key={person.email} value={person.email}>{person.name}</option>)}
      </datalist>
      <div class="calendar-panel-invite-end">
        <SelectField label={told.share.role} hint={told.roleHints[role]} value={role} onValue={setRole}
          options={ROLES.map((value) => ({ value, label: told.roles[value] }))} />
        <Button type="submit" tone="primary" busy={busy}><UserPlus />{told.share.invite}</Button>
      </div>
      <Button busy={busy} onClick={() => void byLink()}><Link2 />{told.share.inviteByLink}</Button>
    </form>
  );
}
