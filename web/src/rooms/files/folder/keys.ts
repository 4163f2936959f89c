// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useRef } from 'preact/hooks';

import type { EntriesProps } from './entries';
import { all, moved, movedTo, none, NOTHING, only, typed, type Selection } from './selection';

const PAUSE_MS = 800;

/** How far the arrows go: down and up by a row, left and right by one entry. */
export interface Steps {
  row: number;
  page: number;
}

/** What keys do in a list of entries. Other elements in it keep their keys. */
export function useEntryKeys(
  { entries, selection, select, open, openMenuAt, keyDeed }: EntriesProps, steps: Steps, pointOf: () => { x: number; y: number },
) {
  const letters = useRef({ text: '', at: 0 });
  const names = entries.map((entry) => entry.name);
  const focused = entries.find((entry) => entry.name === selection.focus);

  const walk = (key: string): number | null => {
    const ways: Record<string, number> = {
      ArrowDown: steps.row, ArrowUp: -steps.row, PageDown: steps.page, PageUp: -steps.page,
      ...(steps.row > 1 && { ArrowRight: 1, ArrowLeft: -1 }),
    };
    return ways[key] ?? null;
  };
  const jump = (key: string, now: number): Selection => {
    const text = now - letters.current.at < PAUSE_MS ? letters.current.text + key : key;
    const found = typed(names, selection, text);
    // What begins no name is forgotten, and the last letter begins anew.
    letters.current = { text: found === selection ? key : text, at: now };
    return found === selection && text !== key ? typed(names, selection, key) : found;
  };
  const deedOf = (event: KeyboardEvent): (() => void) | null => {
    const how = { range: event.shiftKey, toggle: event.ctrlKey || event.metaKey };
    const way = walk(event.key);
    if (way !== null) return () => select(moved(names, selection, way, how));
    if (event.key === 'Home' || event.key === 'End') return () => select(movedTo(names, selection, event.key === 'Home' ? 0 : names.length - 1, how));
    if (how.toggle && event.key.toLowerCase() === 'a') return () => select(all(names, selection));
    if (event.key === 'Escape') return selection.chosen.size > 0 ? () => select(none(selection)) : null;
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      return selection.chosen.size > 0 ? () => openMenuAt(pointOf(), selection.chosen) : null;
    }
    if (event.altKey || how.toggle) return null;
    if (event.key === 'Enter') return focused ? () => open(focused) : null;
    if (event.key === ' ') return focused ? () => select(toggleFocused(selection)) : null;
    return keyDeed(event.key) ?? (event.key.length === 1 ? () => select(jump(event.key, event.timeStamp)) : null);
  };
  return (event: KeyboardEvent) => {
    if ((event.target as Element).closest('.files-head') !== null) return;
    const deed = deedOf(event);
    if (deed !== null) {
      event.preventDefault();
      deed();
    }
  };
}

function toggleFocused(selection: Selection): Selection {
  if (selection.focus === null) return NOTHING;
  if (!selection.chosen.has(selection.focus)) {
    return { ...only(selection.focus), chosen: new Set([...selection.chosen, selection.focus]) };
  }
  return { ...selection, chosen: new Set([...selection.chosen].filter((name) => name !== selection.focus)) };
}
