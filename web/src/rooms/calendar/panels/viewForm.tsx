// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { saveSettings, type CalendarSettings, type MyCalendar } from '../../../api/calendars';
import { CheckField, SelectField } from '../../../ui/field';
import { sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { patchCalendar } from '../state';

type EntryStyle = NonNullable<CalendarSettings['entryStyle']>;
const STYLES: EntryStyle[] = ['compact', 'filled'];

/** How one sees the calendar oneself. Each change counts at once. */
export function ViewForm({ calendar }: { calendar: MyCalendar }) {
  const told = words.value.calendarPanels.calendar;
  const [busy, setBusy] = useState(false);
  const change = async (fields: CalendarSettings) => {
    const before = calendar.settings;
    setBusy(true);
    patchCalendar(calendar.id, { settings: { ...before, ...fields } });
    try {
      await saveSettings(calendar.id, fields);
    } catch (error) {
      patchCalendar(calendar.id, { settings: before });
      sayError(error);
    }
    setBusy(false);
  };
  return (
    <section>
      <h3 class="calendar-panel-head">{told.onlyForYou}</h3>
      <p class="hint">{told.onlyForYouHint}</p>
      <CheckField label={told.showTasks} hint={told.showTasksHint} checked={calendar.settings.showTasks ?? true} disabled={busy}
        onValue={(showTasks) => void change({ showTasks })} />
      <SelectField<EntryStyle> label={told.entryStyle} value={calendar.settings.entryStyle ?? 'compact'} disabled={busy}
        options={STYLES.map((value) => ({ value, label: told.entryStyles[value] }))} onValue={(entryStyle) => void change({ entryStyle })} />
    </section>
  );
}
