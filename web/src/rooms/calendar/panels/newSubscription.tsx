// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Rss } from 'lucide-preact';

import { subscribe } from '../../../api/feeds';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { activeCalendars, refreshCalendars, showCalendar } from '../state';
import { NAME_LENGTH } from './calendarForm';
import { IntervalField, isFeedAddress } from './interval';
import { unusedColor } from './palette';
import { ColorField } from './parts';

const USUAL_MINUTES = 60;

export function NewSubscription({ close }: { close: () => void }) {
  const told = words.value.calendarPanels.subscribe;
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [color, setColor] = useState(() => unusedColor(activeCalendars.value.map((one) => one.color)));
  const [minutes, setMinutes] = useState(USUAL_MINUTES);
  const [checked, setChecked] = useState(false);
  const [busy, setBusy] = useState(false);
  const wrongUrl = checked && !isFeedAddress(url);
  const wrongName = checked && name.trim() === '';
  const follow = async (event: Event) => {
    event.preventDefault();
    setChecked(true);
    if (!isFeedAddress(url) || name.trim() === '') {
      return;
    }
    setBusy(true);
    try {
      const made = await subscribe({ url: url.trim(), name: name.trim(), color, every_minutes: minutes });
      await refreshCalendars();
      showCalendar(made.id, true);
      close();
      say(told.followed(name.trim()));
    } catch (error) {
      setBusy(false);
      sayError(error);
    }
  };
  return (
    <Dialog title={told.newTitle} onClose={close}>
      <p>{told.explain}</p>
      <form noValidate onSubmit={(event) => void follow(event)}>
        <TextField label={told.url} hint={told.urlHint} type="url" inputMode="url" autoComplete="off" spellcheck={false} autoFocus
          value={url} onValue={setUrl} error={wrongUrl ? told.urlMissing : null} />
        <TextField label={told.name} value={name} maxLength={NAME_LENGTH} onValue={setName} error={wrongName ? told.nameMissing : null} />
        <ColorField value={color} onValue={setColor} />
        <IntervalField minutes={minutes} onMinutes={setMinutes} />
        <Button type="submit" tone="primary" busy={busy}><Rss />{told.follow}</Button>
      </form>
    </Dialog>
  );
}
