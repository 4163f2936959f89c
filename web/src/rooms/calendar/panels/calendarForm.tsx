// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { changeCalendar, type MyCalendar } from '../../../api/calendars';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { patchCalendar } from '../state';
import { ColorField, Dot } from './parts';

export const NAME_LENGTH = 100;
export const DESCRIPTION_LENGTH = 1000;

/** Name, colour and description: for those who may change them, and for all to read. */
export function CalendarForm({ calendar }: { calendar: MyCalendar }) {
  const told = words.value.calendarPanels.calendar;
  if (calendar.role === 'reader') {
    return (
      <>
        <h3 class="calendar-panel-row-title"><Dot color={calendar.color} />{calendar.name}</h3>
        {calendar.description && <p>{calendar.description}</p>}
        <p class="hint">{told.readerHint}</p>
      </>
    );
  }
  return <ChangeForm key={calendar.id} calendar={calendar} />;
}

function ChangeForm({ calendar }: { calendar: MyCalendar }) {
  const told = words.value.calendarPanels.calendar;
  const [name, setName] = useState(calendar.name);
  const [color, setColor] = useState(calendar.color);
  const [description, setDescription] = useState(calendar.description);
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const isChanged = name.trim() !== calendar.name || color.toLowerCase() !== calendar.color.toLowerCase()
    || description.trim() !== calendar.description;
  const save = async (event: Event) => {
    event.preventDefault();
    if (name.trim() === '') {
      setMissing(true);
      return;
    }
    setBusy(true);
    try {
      patchCalendar(calendar.id, await changeCalendar(calendar.id, { name: name.trim(), color, description: description.trim() }));
      say(told.saved);
    } catch (error) {
      sayError(error);
    }
    setBusy(false);
  };
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      <TextField label={told.name} value={name} maxLength={NAME_LENGTH} error={missing ? told.nameMissing : null}
        onValue={(text) => { setName(text); setMissing(false); }} />
      <ColorField value={color} onValue={setColor} />
      <TextField label={`${told.description} (${words.value.common.optional})`} value={description} maxLength={DESCRIPTION_LENGTH}
        onValue={setDescription} />
      <Button type="submit" tone="primary" busy={busy} disabled={!isChanged}>{words.value.common.save}</Button>
    </form>
  );
}
