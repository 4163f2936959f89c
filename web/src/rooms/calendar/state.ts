// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal } from '@preact/signals';

import { listCalendars, type MyCalendar } from '../../api/calendars';
import type { EntryFields } from '../../api/entries';
import { forWhoIsHere, personal } from '../../shell/person';
import { homeZone } from '../../shell/session';
import { isDay } from './days';
import { firstWeekday } from './formats';
import { isView, rangeOf, type View } from './periods';
import type { KeptNew } from './sheet/typing';
import type { DayRange } from './shelf';
import { todayIn } from './times';

// What the room shows. Entries are in entries.ts, what can be done with them in deeds.ts.

const VIEW_KEY = 'atrium.calendar.view';
const HIDDEN_KEY = 'atrium.calendar.hidden';
const SIDE_KEY = 'atrium.calendar.side';

function rememberedView(): View {
  const kept = localStorage.getItem(VIEW_KEY);
  return isView(kept) ? kept : window.innerWidth < 640 ? 'agenda' : 'month';
}

function rememberedHidden(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(HIDDEN_KEY) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}

export const view = signal<View>(rememberedView());
/** The day around which everything is shown. */
export const day = signal<string>(todayIn(homeZone.value));
/** The days that are on the screen. */
export const visible = computed<DayRange>(() => rangeOf(view.value, day.value, firstWeekday.value));

/** Undefined until they are loaded. Those one is only invited to are among them. */
export const calendars = personal<MyCalendar[] | undefined>(undefined);
export const calendarsError = personal<unknown>(null);
export const hidden = signal<ReadonlySet<string>>(rememberedHidden());
/** A calendar that is being filled from a file, and not looked at before it is. */
export const filling = personal<string | null>(null);
/** Whether the panel with the calendars stands beside the grid. On phones it is a drawer that is closed at first. */
export const sideOpen = signal<boolean>(localStorage.getItem(SIDE_KEY) !== 'closed' && window.innerWidth >= 960);

export const activeCalendars = computed(() => (calendars.value ?? []).filter((one) => one.status === 'active'));
export const shownCalendars = computed(() => activeCalendars.value.filter(({ id }) => !hidden.value.has(id) && id !== filling.value));
export const mayWrite = (calendar: MyCalendar | undefined): boolean =>
  calendar !== undefined && calendar.status === 'active' && calendar.role !== 'reader' && calendar.source === 'people';
export const writableCalendars = computed(() => activeCalendars.value.filter(mayWrite));
export const calendarsById = computed(() => new Map((calendars.value ?? []).map((one) => [one.id, one])));

/** What the sheet is about: an entry (one occurrence of it, for a series), or one that is yet to be made. */
export type Selection =
  | { id: string; occurrence?: string | null }
  | { fields: EntryFields; kept?: KeptNew };
export const selected = personal<Selection | null>(null);

export type PanelName =
  'availability' | 'calendar' | 'feeds' | 'history' | 'import' | 'invitations' | 'search' | 'share' | 'shortcuts' | 'subscribe' | 'trash';
export interface OpenPanel {
  name: PanelName;
  /** Absent for `calendar`: a new one. */
  calendarId?: string;
  entryId?: string;
}
/** A panel stands above the grid and above the sheet. */
export const openPanel = personal<OpenPanel | null>(null);

effect(() => localStorage.setItem(VIEW_KEY, view.value));
effect(() => localStorage.setItem(HIDDEN_KEY, JSON.stringify([...hidden.value])));

export function showPanel(name: PanelName, about: Omit<OpenPanel, 'name'> = {}): void {
  openPanel.value = { name, ...about };
}

export function closePanel(): void {
  openPanel.value = null;
}

export const selectEntry = (id: string, occurrence?: string | null): void => {
  selected.value = { id, occurrence: occurrence ?? null };
};

export const beginEntry = (fields: EntryFields): void => {
  selected.value = { fields };
};

export const closeSheet = (): void => {
  selected.value = null;
};

export function showCalendar(id: string, shown: boolean): void {
  const next = new Set(hidden.value);
  if (shown) {
    next.delete(id);
  } else {
    next.add(id);
  }
  hidden.value = next;
}

export const showOnly = (id: string): void => {
  hidden.value = new Set(activeCalendars.value.map((one) => one.id).filter((other) => other !== id));
};

export const showAllCalendars = (): void => {
  hidden.value = new Set();
};

export function toggleSide(): void {
  sideOpen.value = !sideOpen.value;
  if (window.innerWidth >= 960) {
    localStorage.setItem(SIDE_KEY, sideOpen.value ? 'open' : 'closed');
  }
}

/** Goes to a day, perhaps in another view. */
export function goTo(nextDay: string, nextView: View = view.value): void {
  if (isDay(nextDay)) {
    day.value = nextDay;
    view.value = nextView;
  }
}

const byName = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

/** The default calendar first, then one's own, then those of others. */
function inOrder(all: MyCalendar[]): MyCalendar[] {
  const rank = (one: MyCalendar): number => (one.is_default && one.role === 'owner' ? 0 : one.role === 'owner' && one.source === 'people' ? 1 : 2);
  return [...all].sort((one, other) => rank(one) - rank(other) || byName.compare(one.name, other.name));
}

/** Asks for the calendars anew; called after whatever changes them. */
export async function refreshCalendars(): Promise<void> {
  const isTheirs = forWhoIsHere();
  try {
    const all = inOrder(await listCalendars());
    if (!isTheirs()) return;
    calendars.value = all;
    calendarsError.value = null;
  } catch (error) {
    if (isTheirs()) calendarsError.value = error;
    throw error;
  }
}

/** Shows a calendar otherwise, without asking the server. */
export function patchCalendar(id: string, change: Partial<MyCalendar>): void {
  const all = calendars.value;
  if (all !== undefined) {
    calendars.value = inOrder(all.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }
}
