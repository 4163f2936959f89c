// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { CalendarPlus, FileUp, FolderUp, MonitorSmartphone, UserPlus, X } from 'lucide-preact';
import { useLocation } from 'wouter-preact';

import { IconButton } from '../../ui/button';
import { words } from '../../words';
import { entriesBetween, loading, revision } from './entries';
import { beginNow } from './newEntry';
import { activeCalendars, calendars, showPanel, visible } from './state';

const KEY = 'atrium.calendar.welcomed';
const dismissed = signal(localStorage.getItem(KEY) !== null);

function dismiss(): void {
  localStorage.setItem(KEY, 'yes');
  dismissed.value = true;
}

/** Whether somebody is new here: one calendar, and nothing in it. */
const isNew = computed(() => {
  void revision.value;
  return !dismissed.value && calendars.value !== undefined && activeCalendars.value.length === 1 && loading.value === 0
    && revision.value > 0 && entriesBetween(visible.value).length === 0;
});

interface Step {
  icon: ComponentType;
  label: string;
  hint: string;
  run: () => void;
}

/** Says what to do next to who has just come. */
export function Welcome() {
  const [, go] = useLocation();
  const first = activeCalendars.value[0];
  if (!isNew.value || first === undefined) {
    return null;
  }
  const told = words.value.calendar.welcome;
  const steps: Step[] = [
    { icon: CalendarPlus, label: told.create, hint: told.createHint, run: beginNow },
    { icon: UserPlus, label: told.invite, hint: told.inviteHint, run: () => showPanel('share', { calendarId: first.id }) },
    { icon: FileUp, label: told.import, hint: told.importHint, run: () => showPanel('import', { calendarId: first.id }) },
    { icon: MonitorSmartphone, label: told.connect, hint: told.connectHint, run: () => showPanel('feeds', { calendarId: first.id }) },
    { icon: FolderUp, label: told.upload, hint: told.uploadHint, run: () => go('/files') },
  ];
  return (
    <section class="calendar-welcome no-print" aria-label={told.title}>
      <header>
        <h2>{told.title}</h2>
        <p class="muted">{told.text}</p>
        <IconButton label={told.dismiss} onClick={dismiss}><X /></IconButton>
      </header>
      <ul>
        {steps.map(({ icon: Icon, label, hint, run }) => (
          <li key={label}><button type="button" onClick={run}><Icon /><strong>{label}</strong><small>{hint}</small></button></li>
        ))}
      </ul>
    </section>
  );
}
