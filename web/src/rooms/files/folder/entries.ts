// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry } from '../../../api/folders';
import { join, pageOf, type Place } from '../paths';
import type { Selection } from './selection';

/** What both looks of a folder, the list and the pictures, are given. */
export interface EntriesProps {
  place: Place;
  /** In the order they are shown. */
  entries: readonly Entry[];
  selection: Selection;
  select: (selection: Selection) => void;
  /** Goes into a folder, or shows a file. */
  open: (entry: Entry) => void;
  /** Shows what can be done with these. */
  openMenuAt: (point: { x: number; y: number }, names: ReadonlySet<string>) => void;
  /** What a key asks for: nothing, if the key has no meaning here. */
  keyDeed: (key: string) => (() => void) | null;
  /** Whether entries can be dragged to other folders. */
  mayMove: boolean;
  /** Moves what is selected. */
  moveTo: (folder: string) => void;
}

/** The address of an entry, for links that can also be opened elsewhere. */
export const hrefOf = (place: Place, entry: Entry): string =>
  (entry.type === 'dir' ? pageOf({ ...place, path: join(place.path, entry.name) }) : `${pageOf(place)}?file=${encodeURIComponent(entry.name)}`);

/** A click that the browser shall follow by itself, into another tab or window. */
export const isForBrowser = (event: MouseEvent): boolean => event.ctrlKey || event.metaKey || event.button !== 0;
