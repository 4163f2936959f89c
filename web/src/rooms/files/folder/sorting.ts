// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry } from '../../../api/folders';

export type SortKey = 'name' | 'size' | 'date';

export interface Sorting {
  by: SortKey;
  down: boolean;
}

export const DEFAULT_SORTING: Sorting = { by: 'name', down: false };

/** What a click on a column makes of it: the other direction, or that column the way people look at it first. */
export const sortedBy = (sorting: Sorting, by: SortKey): Sorting =>
  sorting.by === by ? { by, down: !sorting.down } : { by, down: by !== 'name' };

/** Folders first, then as asked; names as people count: "2" before "10". What is equal goes by name. */
export function sortEntries(entries: readonly Entry[], { by, down }: Sorting, language: string): Entry[] {
  const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const byName = (a: Entry, b: Entry) => collator.compare(a.name, b.name) || (a.name < b.name ? -1 : Number(a.name > b.name));
  const comparisons: Record<SortKey, (a: Entry, b: Entry) => number> = {
    name: byName,
    size: (a, b) => (a.size ?? 0) - (b.size ?? 0),
    date: (a, b) => a.mtime - b.mtime,
  };
  const compare = comparisons[by];
  const sign = down ? -1 : 1;
  return [...entries].sort((a, b) => Number(a.type === 'file') - Number(b.type === 'file') || sign * compare(a, b) || byName(a, b));
}

const KEY = 'atrium.files.sorting';

export function rememberedSorting(): Sorting {
  const [by, direction] = (localStorage.getItem(KEY) ?? '').split(' ');
  return by === 'name' || by === 'size' || by === 'date' ? { by, down: direction === 'down' } : DEFAULT_SORTING;
}

export function rememberSorting({ by, down }: Sorting): void {
  localStorage.setItem(KEY, `${by} ${down ? 'down' : 'up'}`);
}
