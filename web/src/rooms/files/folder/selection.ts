// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** What is chosen in a list of names, and where the keyboard stands. */
export interface Selection {
  chosen: ReadonlySet<string>;
  /** Where a range begins. */
  anchor: string | null;
  /** Where the keyboard is. */
  focus: string | null;
}

export const NOTHING: Selection = { chosen: new Set(), anchor: null, focus: null };

export interface Modifiers {
  /** Shift: everything between the anchor and here. */
  range: boolean;
  /** Control or Command: this one more, or less. */
  toggle: boolean;
}

const PLAIN: Modifiers = { range: false, toggle: false };

/** This one alone. */
export const only = (name: string): Selection => ({ chosen: new Set([name]), anchor: name, focus: name });

export const all = (names: readonly string[], before: Selection): Selection => ({ ...before, chosen: new Set(names) });

/** Nothing is chosen; the keyboard stays where it is. */
export const none = ({ focus }: Selection): Selection => ({ chosen: new Set(), anchor: null, focus });

function toggled({ chosen }: Selection, name: string): Selection {
  const next = new Set(chosen);
  if (!next.delete(name)) {
    next.add(name);
  }
  return { chosen: next, anchor: name, focus: name };
}

function ranged(names: readonly string[], { anchor, chosen }: Selection, name: string, keep: boolean): Selection {
  const to = names.indexOf(name);
  const from = anchor === null ? -1 : names.indexOf(anchor);
  if (from < 0) {
    return only(name);
  }
  const between = names.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { chosen: new Set(keep ? [...chosen, ...between] : between), anchor, focus: name };
}

/** What a click on a row makes of it. */
export function clicked(names: readonly string[], before: Selection, name: string, how: Modifiers = PLAIN): Selection {
  if (how.range) {
    return ranged(names, before, name, how.toggle);
  }
  return how.toggle ? toggled(before, name) : only(name);
}

/** What a click on a check box makes of it: others stay. */
export const checked = (names: readonly string[], before: Selection, name: string, range: boolean): Selection =>
  range ? ranged(names, before, name, true) : toggled(before, name);

/** What an arrow key makes of it. With shift the range grows, with control only the keyboard moves. */
export function moved(names: readonly string[], before: Selection, steps: number, how: Modifiers = PLAIN): Selection {
  const here = before.focus === null ? -1 : names.indexOf(before.focus);
  return movedTo(names, before, here < 0 ? (steps < 0 ? names.length - 1 : 0) : here + steps, how);
}

/** The same, to a row by its number, or to the nearest there is. */
export function movedTo(names: readonly string[], before: Selection, index: number, how: Modifiers = PLAIN): Selection {
  const name = names[Math.max(0, Math.min(names.length - 1, index))];
  if (name === undefined) {
    return before;
  }
  if (how.range) {
    return ranged(names, { ...before, anchor: before.anchor ?? before.focus }, name, false);
  }
  return how.toggle ? { ...before, focus: name } : only(name);
}

/** What is left when the list has changed. */
export function kept(names: ReadonlySet<string>, before: Selection): Selection {
  const still = (name: string | null) => (name !== null && names.has(name) ? name : null);
  return { chosen: new Set([...before.chosen].filter((name) => names.has(name))), anchor: still(before.anchor), focus: still(before.focus) };
}

/** The next name after the focus that begins with what was typed, from the top when there is none. The same letter again means the next one. */
export function typed(names: readonly string[], before: Selection, letters: string): Selection {
  const isOneLetter = [...letters].every((letter) => letter === letters[0]);
  const wanted = (isOneLetter ? letters.slice(0, 1) : letters).toLocaleLowerCase();
  const here = before.focus === null ? -1 : names.indexOf(before.focus);
  // More letters of the same word may stay where they are; a first letter goes on to the next.
  const from = isOneLetter ? here + 1 : Math.max(here, 0);
  const order = [...names.slice(from), ...names.slice(0, from)];
  const found = order.find((name) => name.toLocaleLowerCase().startsWith(wanted));
  return found === undefined ? before : only(found);
}
