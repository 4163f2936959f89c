// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { FileUp, Rss } from 'lucide-preact';

import { makeCalendar } from '../../../api/calendars';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { activeCalendars, refreshCalendars, showCalendar, showPanel } from '../state';
import { DESCRIPTION_LENGTH, NAME_LENGTH } from './calendarForm';
import { unusedColor } from './palette';
import { ColorField, Deed, typedIn } from './parts';

/** A calendar of one's own, or the way to one that exists elsewhere. */
export function NewCalendar({ close }: { close: () => void }) {
  const told = words.value.calendarPanels.calendar;
  const [name, setName] = useState('');
  const [color, setColor] = useState(() => unusedColor(activeCalendars.value.map((one) => one.color)));
  const [description, setDescription] = useState('');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const create = async (event: Event) => {
    event.preventDefault();
    const typed = typedIn(event, 'name');
    if (typed === '') {
      setMissing(true);
      return;
    }
    setBusy(true);
    try {
      const made = await makeCalendar({ name: typed, color, description: description.trim() });
      await refreshCalendars();
      showCalendar(made.id, true);
      close();
      say(told.created(made.name));
    } catch (error) {
      setBusy(false);
      sayError(error);
    }
  };
  return (
    <Dialog title={told.newTitle} onClose={close}>
      <form noValidate onSubmit={(event) => void create(event)}>
        <TextField label={told.name} name="name" value={name} maxLength={NAME_LENGTH} placeholder={told.namePlaceholder} autoFocus
          error={missing ? told.nameMissing : null} onValue={(text) => { setName(text); setMissing(false); }} />
        <ColorField value={color} onValue={setColor} />
        <TextField label={`${told.description} (${words.value.common.optional})`} value={description} maxLength={DESCRIPTION_LENGTH}
          onValue={setDescription} />
        <Button type="submit" tone="primary" busy={busy}>{told.create}</Button>
      </form>
      <h3 class="calendar-panel-head">{told.instead}</h3>
      <ul class="calendar-panel-list">
        <Deed icon={<FileUp />} label={told.fromFile} onClick={() => showPanel('import')} />
        <Deed icon={<Rss />} label={told.fromAddress} onClick={() => showPanel('subscribe')} />
      </ul>
    </Dialog>
  );
}
