// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { Dialog } from '../../../ui/dialog';
import { words } from '../../../words';
import type { PanelProps } from '../panels';
import { TrashedCalendars } from './trashedCalendars';
import { TrashedEntries } from './trashedEntries';

/** What was deleted in the last thirty days. */
export function TrashPanel({ calendarId, close }: PanelProps) {
  const told = words.value.calendarPanels.trash;
  const [shown, setShown] = useState<'entries' | 'calendars'>('entries');
  return (
    <Dialog title={told.title} onClose={close}>
      <p class="hint">{told.explain}</p>
      <div class="segments" role="group" aria-label={told.title}>
        <button type="button" aria-pressed={shown === 'entries'} onClick={() => setShown('entries')}>{told.entries}</button>
        <button type="button" aria-pressed={shown === 'calendars'} onClick={() => setShown('calendars')}>{told.calendars}</button>
      </div>
      {shown === 'entries' ? <TrashedEntries calendarId={calendarId} /> : <TrashedCalendars />}
    </Dialog>
  );
}
