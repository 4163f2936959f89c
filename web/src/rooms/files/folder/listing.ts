// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';

import { listFolder, type Listing } from '../../../api/folders';
import { onOtherPerson } from '../../../shell/person';
import { useLoaded, type Loaded } from '../../../ui/loaded';

// Folders that were looked at lately are shown at once, and asked for again.
const recent = new Map<string, Listing>();
const RECENT_MOST = 40;
onOtherPerson(() => recent.clear());

function remember(key: string, listing: Listing): void {
  recent.delete(key);
  recent.set(key, listing);
  if (recent.size > RECENT_MOST) {
    recent.delete(recent.keys().next().value!);
  }
}

/** What is in a folder. For components that are made anew for every folder. */
export function useListing(library: string, path: string): Loaded<Listing> {
  const key = `${library}${path}`;
  const loaded = useLoaded((signal) => listFolder(library, path, signal), [library, path]);
  useEffect(() => { if (loaded.value !== undefined) remember(key, loaded.value); }, [loaded.value]);
  return { ...loaded, value: loaded.value ?? recent.get(key) };
}

/** What is known of a library may be wrong by now. */
export function forgetListings(library: string): void {
  for (const key of recent.keys()) {
    if (key.startsWith(library)) recent.delete(key);
  }
}
