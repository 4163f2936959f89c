// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'preact/hooks';

import type { EntryKind } from '../../../api/entries';
import { homeZone } from '../../../shell/session';
import { Button } from '../../../ui/button';
import { SelectField, TextField } from '../../../ui/field';
import { words } from '../../../words';
import { daysBetween } from '../days';
import { mediumDay, timeOf, zoneName } from '../formats';
import { minutesBetween, translate, wallAt, instantAt } from '../times';
import { withKind, withStart, type Draft } from './draft';
import type { FormProps } from './form';

const KINDS: EntryKind[] = ['timed', 'all-day', 'multi-day', 'task'];

/** Which of the four kinds it is. */
export function KindChoice({ draft, change }: FormProps) {
  const told = words.value.calendar.sheet;
  return (
    <div class="field">
      <div class="segments calendar-kinds" role="group" aria-label={told.kind}>
        {KINDS.map((kind) => (
          <button key={kind} type="button" aria-pressed={draft.kind === kind} onClick={() => change(withKind(draft, kind))}>
            {told.kinds[kind]}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The days and times that the kind asks for. */
export function When(props: FormProps) {
  const { draft, change, errorOf } = props;
  const told = words.value.calendar.sheet;
  const start = {
    type: 'date', value: draft.startDate, error: errorOf('startDate'), onValue: (startDate: string) => change(withStart(draft, { startDate })),
  };
  const end = {
    type: 'date', min: draft.startDate, value: draft.endDate, error: errorOf('endDate'),
    onValue: (endDate: string) => change({ ...draft, endDate }),
  };
  switch (draft.kind) {
    case 'all-day':
      return <TextField label={told.date} {...start} />;
    case 'multi-day':
      return (
        <div class="calendar-pair">
          <TextField label={told.firstDay} {...start} />
          <TextField label={told.lastDay} {...end} hint={lengthOf(draft)} />
        </div>
      );
    case 'task':
      return (
        <>
          <div class="calendar-pair">
            <TextField label={told.due} {...start} />
            <TextField label={`${told.dueTime} (${words.value.common.optional})`} type="time" value={draft.startTime} error={errorOf('startTime')}
              onValue={(startTime) => change({ ...draft, startTime })} />
          </div>
          {draft.startTime !== '' && <ZoneChoice {...props} />}
        </>
      );
    case 'timed':
      return (
        <>
          <div class="calendar-pair">
            <TextField label={told.start} {...start} />
            <TextField label={told.startTime} type="time" value={draft.startTime} error={errorOf('startTime')}
              onValue={(startTime) => change(withStart(draft, { startTime }))} />
          </div>
          <div class="calendar-pair">
            <TextField label={told.end} {...end} />
            <TextField label={told.endTime} type="time" value={draft.endTime} error={errorOf('endTime')} hint={lengthOf(draft)}
              onValue={(endTime) => change({ ...draft, endTime })} />
          </div>
          <ZoneChoice {...props} />
        </>
      );
  }
}

function lengthOf(draft: Draft): string | undefined {
  const told = words.value.calendar.sheet;
  if (draft.startDate === '' || draft.endDate === '' || draft.endDate < draft.startDate) {
    return undefined;
  }
  if (draft.kind === 'multi-day') {
    return told.days(daysBetween(draft.startDate, draft.endDate) + 1);
  }
  if (draft.startTime === '' || draft.endTime === '') {
    return undefined;
  }
  const minutes = minutesBetween(`${draft.startDate}T${draft.startTime}`, `${draft.endDate}T${draft.endTime}`);
  return minutes > 0 ? told.length(Math.floor(minutes / 60), minutes % 60) : undefined;
}

/** In which zone the times are; out of the way as long as it is one's own. */
function ZoneChoice({ draft, change, errorOf }: FormProps) {
  const told = words.value.calendar.sheet;
  const [opened, setOpened] = useState(false);
  const home = homeZone.value;
  const gap = useMemo(() => skipped(draft), [draft.startDate, draft.startTime, draft.timeZone]);
  if (!opened && draft.timeZone === home) {
    return (
      <div class="calendar-zone">
        <Button tone="quiet" onClick={() => setOpened(true)}>{told.otherZone}</Button>
        {gap && <small class="hint">{told.gap}</small>}
      </div>
    );
  }
  const zones = [...new Set([home, draft.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  const hint = draft.timeZone === home ? undefined : (atHome(draft) ?? told.zoneHint(zoneName(home)));
  return (
    <>
      <SelectField label={told.zone} value={draft.timeZone} hint={hint} error={errorOf('timeZone')}
        onValue={(timeZone) => change({ ...draft, timeZone })} options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))} />
      {gap && <small class="hint">{told.gap}</small>}
    </>
  );
}

/** Whether clocks skip that time. */
function skipped(draft: Draft): boolean {
  const wall = `${draft.startDate}T${draft.startTime}`;
  return draft.startDate !== '' && draft.startTime !== '' && wallAt(instantAt(wall, draft.timeZone), draft.timeZone) !== wall;
}

/** What one's own clock shows then. */
function atHome(draft: Draft): string | null {
  if (draft.startDate === '' || draft.startTime === '') {
    return null;
  }
  const start = translate(`${draft.startDate}T${draft.startTime}`, draft.timeZone, homeZone.value);
  const hasEnd = draft.kind === 'timed' && draft.endDate !== '' && draft.endTime !== '';
  const end = hasEnd ? ` – ${timeOf(translate(`${draft.endDate}T${draft.endTime}`, draft.timeZone, homeZone.value))}` : '';
  return words.value.calendar.sheet.forYou(`${mediumDay(start.slice(0, 10))}, ${timeOf(start)}${end} (${zoneName(homeZone.value)})`);
}
