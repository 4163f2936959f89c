// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from '@preact/signals';

import { ApiError } from '../../api/client';
import { listEntries, type Entry } from '../../api/entries';
import { connected } from '../../shell/connectivity';
import { onOtherPerson, personal } from '../../shell/person';
import { homeZone } from '../../shell/session';
import { addMonths, endOfMonth, startOfMonth } from './days';
import { Shelf, type DayRange, type Placed, type Wanted } from './shelf';
import { shownCalendars, visible } from './state';

const shelf = new Shelf(() => homeZone.value);

/** Counts the changes of what is known, so that whoever draws it can follow. */
export const revision = signal(0);
/** How many replies are awaited. */
export const loading = signal(0);
export const loadError = personal<unknown>(null);

onOtherPerson(() => {
  shelf.forget();
  changed();
});

// Somebody who writes all the time must not keep others from seeing anything.
const ATTEMPTS = 3;

const shownIds = (): string[] => shownCalendars.value.map((one) => one.id);

function changed(): void {
  revision.value += 1;
}

async function load(wanted: Wanted): Promise<void> {
  loading.value += 1;
  const zone = homeZone.value;
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const generations = attempt === ATTEMPTS ? null : shelf.generations(wanted);
      const entries = await listEntries({ ...wanted, timeZone: zone });
      if (zone !== homeZone.value || shelf.accept(wanted, generations, entries)) break;
    }
    loadError.value = null;
    changed();
  } catch (error) {
    shelf.release(wanted);
    loadError.value = error;
    if (error instanceof ApiError && error.status === 0) {
      connected.value = false;
    }
  } finally {
    loading.value -= 1;
  }
}

const loadAll = async (ids: readonly string[], days: DayRange): Promise<void> => {
  await Promise.all(shelf.request(ids, days).map(load));
};

const around = (days: DayRange): DayRange => ({
  from: startOfMonth(addMonths(startOfMonth(days.from), -1)), to: endOfMonth(addMonths(startOfMonth(days.to), 1)),
});

const idle = (run: () => void): void => {
  const later = window.requestIdleCallback ?? ((callback: () => void) => window.setTimeout(callback, 200));
  later(() => run());
};

let lookedAt = 0;

/** Loads what is on the screen and then, so that the next step is there at once, the months beside it. */
export async function loadVisible(): Promise<void> {
  const turn = (lookedAt += 1);
  const [ids, days] = [shownIds(), visible.value];
  if (ids.length === 0) {
    return;
  }
  await loadAll(ids, days);
  idle(() => {
    if (turn === lookedAt && connected.value && loadError.value === null) void loadAll(ids, around(days));
  });
}

/** Loads some other days, for who shows more than the screen. */
export const loadDays = (days: DayRange): Promise<void> => loadAll(shownIds(), days);

/** What of the shown calendars touches these days. */
export const entriesBetween = (days: DayRange): Placed[] => shelf.between(shownIds(), days);
export const areLoaded = (days: DayRange): boolean => shelf.isLoaded(shownIds(), days);
export const findPlaced = (key: string): Placed | undefined => shelf.find(key);
export const occurrencesOf = (id: string): Placed[] => shelf.occurrencesOf(id);

/** Shows an entry, or an occurrence of one, as it is now. */
export function showEntry(entry: Entry): void {
  shelf.put(entry);
  changed();
}

export function hideOccurrence(key: string): void {
  shelf.remove(key);
  changed();
}

/** Takes an entry off, with all its occurrences. Tells whether there was something. */
export function hideEntry(id: string): boolean {
  const found = shelf.removeEntry(id);
  if (found) changed();
  return found;
}

/** What is known is out of date: of one calendar, or of all. It stays on the screen until the new is there. */
export function expire(calendarId?: string): void {
  shelf.expire(calendarId);
  void loadVisible();
}

/** A calendar is gone. */
export function forgetCalendar(calendarId: string): void {
  shelf.forget(calendarId);
  changed();
}

/** Keeps what is loaded up with what is looked at. Returns how to end that. */
export function followScreen(): () => void {
  let zone = homeZone.peek();
  return effect(() => {
    if (homeZone.value !== zone) {
      zone = homeZone.value;
      shelf.forget();
    }
    void [visible.value, shownCalendars.value];
    queueMicrotask(() => void loadVisible());
  });
}
