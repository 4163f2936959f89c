// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { listMembers, type Member } from '../../../api/members';
import { forWhoIsHere, onOtherPerson, personal } from '../../../shell/person';
import { activeCalendars } from '../state';

/** Somebody whom one shares a calendar with. */
export interface KnownPerson {
  id: string | null;
  email: string;
  name: string;
  photo: string | null;
}

// Of the members of calendars by address; the people whom forms suggest, and the names behind addresses.
const known = personal<ReadonlyMap<string, KnownPerson>>(new Map());
const asked = new Set<string>();
onOtherPerson(() => asked.clear());
const CALENDARS_ASKED = 20;

export const knownPeople = known;

export function learnPeople(members: readonly Member[]): void {
  const next = new Map(known.value);
  members.forEach(({ user_id, email, name, photo }) =>
    next.set(email, { id: user_id ?? null, email, name: name || email, photo: photo ?? null }));
  known.value = next;
}

/** Asks who shares one's calendars, once. Without an answer there are fewer suggestions, which harms nobody. */
export async function meetPeople(): Promise<void> {
  const unknown = activeCalendars.value.map((calendar) => calendar.id).filter((id) => !asked.has(id)).slice(0, CALENDARS_ASKED);
  unknown.forEach((id) => asked.add(id));
  const isTheirs = forWhoIsHere();
  await Promise.allSettled(unknown.map(async (id) => {
    const members = await listMembers(id);
    if (isTheirs()) learnPeople(members);
  }));
}

export const personById = (id: string | null | undefined): KnownPerson | undefined =>
  (id ? [...known.value.values()].find((person) => person.id === id) : undefined);
