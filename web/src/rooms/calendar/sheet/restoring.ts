// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { draftPlaces, findDraft } from '../../../shell/drafts';
import { personId } from '../../../shell/person';
import { openPanel, selected, selectEntry } from '../state';
import { ENTRY_PLACES, entryAt, isKeptEntry } from './typing';

/** Opens the sheet that was left last without saving, unless something else is open or it is open in another tab. */
export async function reopenSheet(): Promise<void> {
  const owner = personId();
  const [place] = draftPlaces(ENTRY_PLACES);
  if (owner === null || place === undefined || selected.value !== null || openPanel.value !== null) {
    return;
  }
  const kept = await findDraft(place, isKeptEntry);
  if (kept === null || selected.value !== null || openPanel.value !== null) {
    return;
  }
  const about = entryAt(place);
  if (about === null) {
    selected.value = { fields: {}, kept: { owner, place, entry: kept } };
  } else {
    selectEntry(about.id, about.occurrence);
  }
}
