// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { BellPlus, X } from 'lucide-preact';

import { IconButton } from '../../../ui/button';
import { CheckField } from '../../../ui/field';
import { Menu } from '../../../ui/menu';
import { words } from '../../../words';
import { textOn } from '../colors';
import { PALETTE, PALETTE_NAMES } from '../panels/palette';
import { calendarsById } from '../state';
import type { FormProps } from './form';

const OFFERED_MINUTES = [0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10_080];
const REMINDERS_MAX = 10;

/** The colour of this entry alone. */
export function ColorChoice({ draft, change, errorOf }: FormProps) {
  const told = words.value.calendar.sheet;
  const names = words.value.calendarPanels.colors;
  const own = calendarsById.value.get(draft.calendarId)?.color ?? '';
  const known = PALETTE_NAMES.map((name) => ({ color: PALETTE[name] as string, label: names[name] }));
  const isOther = draft.color !== '' && !known.some(({ color }) => color === draft.color.toLowerCase());
  const all = [{ color: '', label: told.colorOfCalendar }, ...known, ...(isOther ? [{ color: draft.color, label: draft.color }] : [])];
  const error = errorOf('color');
  return (
    <fieldset class="calendar-colors">
      <legend>{told.color}</legend>
      {all.map(({ color, label }) => (
        <label key={color} title={label} class={color === '' ? 'calendar-color-own' : ''}
          style={{ background: color || own, color: textOn(color || own || '#657181') }}>
          <input type="radio" name="color" class="visually-hidden" checked={draft.color.toLowerCase() === color.toLowerCase()}
            onChange={() => change({ ...draft, color })} />
          <span class="visually-hidden">{label}</span>
        </label>
      ))}
      {error && <small class="field-error" role="alert">{error}</small>}
    </fieldset>
  );
}

/** When programs that sync the calendar ring. */
export function Reminders({ draft, change, errorOf }: FormProps) {
  const told = words.value.calendar.sheet;
  const set = (reminders: number[]) => change({ ...draft, reminders: [...reminders].sort((one, other) => one - other) });
  const left = OFFERED_MINUTES.filter((minutes) => !draft.reminders.includes(minutes));
  const error = errorOf('reminders');
  return (
    <div class="field">
      <span class="calendar-label">{told.reminders}</span>
      <div class="calendar-reminders">
        {draft.reminders.map((minutes) => (
          <span key={minutes} class="calendar-chip">
            {told.reminder(minutes)}
            <IconButton label={told.removeReminder(told.reminder(minutes))} onClick={() => set(draft.reminders.filter((one) => one !== minutes))}>
              <X />
            </IconButton>
          </span>
        ))}
        {draft.reminders.length < REMINDERS_MAX && (
          <Menu label={told.addReminder} class="button button-quiet"
            items={left.map((minutes) => ({ label: told.reminder(minutes), run: () => set([...draft.reminders, minutes]) }))}>
            <BellPlus />{told.addReminder}
          </Menu>
        )}
      </div>
      <small class="hint">{told.reminderHint}</small>
      {error && <small class="field-error" role="alert">{error}</small>}
    </div>
  );
}

export function Free({ draft, change }: FormProps) {
  const told = words.value.calendar.sheet;
  return (
    <CheckField label={told.free} hint={told.freeHint} checked={draft.transparent} onValue={(transparent) => change({ ...draft, transparent })} />
  );
}
