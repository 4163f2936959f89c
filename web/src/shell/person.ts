// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal, type Signal } from '@preact/signals';

import { me } from './session';

// A page may outlive whoever looked at it: a session ends elsewhere, and somebody else signs in without loading anything
// anew. What is kept beside the components belongs to one person, and is forgotten here before anybody else is shown it.

let here: string | null = null;
let last: string | null = null;
const departures: (() => void)[] = [];
const arrivals: (() => void)[] = [];

/** Who is here; null for nobody. */
export const personId = (): string | null => me.peek()?.user?.id ?? null;

/** Runs as soon as somebody is no longer here: for what stands above all rooms, where it would be seen by whoever comes next. */
export function onDeparture(forget: () => void): void {
  departures.push(forget);
}

/** Runs when somebody else comes than who was here last. Who comes back finds everything as it was. */
export function onOtherPerson(forget: () => void): void {
  arrivals.push(forget);
}

/** A signal that is as at first again when somebody else comes. */
export function personal<T>(first: T): Signal<T> {
  const held = signal(first);
  onOtherPerson(() => { held.value = first; });
  return held;
}

/** Returns a check that holds until another person signs in. An answer that comes late asks it before it is shown. */
export function forWhoIsHere(): () => boolean {
  const asked = last;
  return () => last === asked;
}

me.subscribe(() => {
  const before = { here, last };
  here = personId();
  last = here ?? last;
  if (before.here !== null && before.here !== here) departures.forEach((forget) => forget());
  if (before.last !== null && before.last !== last) arrivals.forEach((forget) => forget());
});
