// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { homeZone } from '../../shell/session';
import { addDays } from './days';
import { beginAt, beginNow } from './newEntry';
import { stepFrom, VIEWS } from './periods';
import { day, goTo, openPanel, selected, showPanel, view } from './state';
import { todayIn } from './times';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const isCovered = (): boolean => selected.value !== null || openPanel.value !== null || document.querySelector('dialog[open], [role=menu]') !== null;

/** The day of the grid that has the focus, or in which something has. */
const focusedDay = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('.calendar-grid [data-date]')?.dataset['date']?.slice(0, 10);

export const goToday = (): void => goTo(todayIn(homeZone.value));
export const goBy = (direction: -1 | 1): void => goTo(stepFrom(view.value, day.value, direction));

/** Steps by which arrows move from day to day in a month. */
const DAY_STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

function focusDay(wanted: string): void {
  const find = () => document.querySelector<HTMLElement>(`.calendar-grid .fc-daygrid-day[data-date="${wanted}"] .fc-daygrid-day-number`);
  if (find() === null) {
    goTo(wanted);
  }
  requestAnimationFrame(() => find()?.focus());
}

/** Up and down lead from entry to entry, in the order in which they take place. */
function focusEntry(from: HTMLElement, direction: -1 | 1): void {
  const all = [...document.querySelectorAll<HTMLElement>('.calendar-grid .calendar-event[tabindex], .calendar-open')];
  all[all.indexOf(from) + direction]?.focus();
}

function moveFocus(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const onDay = target.classList.contains('fc-daygrid-day-number') ? focusedDay() : undefined;
  const step = DAY_STEPS[event.key];
  if (onDay !== undefined && step !== undefined) {
    focusDay(addDays(onDay, step));
    return true;
  }
  const isEntry = target.matches('.calendar-event, .calendar-open');
  if (isEntry && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    focusEntry(target, event.key === 'ArrowUp' ? -1 : 1);
    return true;
  }
  return false;
}

function beginHere(): void {
  const here = focusedDay();
  if (here === undefined) {
    beginNow();
  } else {
    beginAt({ allDay: true, start: here });
  }
}

const KEYS: Record<string, () => void> = {
  n: beginHere,
  t: goToday,
  ArrowLeft: () => goBy(-1),
  ArrowRight: () => goBy(1),
  '/': () => showPanel('search'),
  '?': () => showPanel('shortcuts'),
  ...Object.fromEntries(VIEWS.map((name, index) => [String(index + 1), () => goTo(day.value, name)])),
};

function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered()) {
    return;
  }
  if (moveFocus(event)) {
    event.preventDefault();
    return;
  }
  const deed = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  // Arrows also move within a group of buttons, and there they are the group's.
  const isTaken = event.key.startsWith('Arrow') && (event.target as HTMLElement).closest('[role=radiogroup], [role=grid], .calendar-agenda') !== null;
  if (deed !== undefined && !isTaken) {
    event.preventDefault();
    deed();
  }
}

/** Keys that work wherever one is in the room, unless one types. Returns how to stop. */
export function followKeys(): () => void {
  document.addEventListener('keydown', pressed);
  return () => document.removeEventListener('keydown', pressed);
}
