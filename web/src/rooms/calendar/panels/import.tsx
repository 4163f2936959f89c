// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';

import { deleteCalendar, makeCalendar } from '../../../api/calendars';
import { ApiError } from '../../../api/client';
import { importFile, type ImportProgress, type ImportReport } from '../../../api/icalendar';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { renderBytes } from '../../../ui/sizes';
import { say, sayError } from '../../../ui/toast';
import { language, words } from '../../../words';
import { expire } from '../entries';
import type { PanelProps } from '../panels';
import { activeCalendars, calendarsById, refreshCalendars, showCalendar } from '../state';
import { ImportForm, type ImportChoice } from './importForm';
import { ImportResult } from './importResult';
import { unusedColor } from './palette';

type Stage =
  | { name: 'choose' }
  | { name: 'run'; progress: ImportProgress | null }
  | { name: 'over'; calendarId: string; report: ImportReport };

/** Brings an iCalendar file into a calendar, new or there already, and tells how it went. */
export function ImportPanel({ calendarId, close }: PanelProps) {
  const told = words.value.calendarPanels.import;
  const [stage, setStage] = useState<Stage>({ name: 'choose' });
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const start = async (choice: ImportChoice) => {
    const controller = new AbortController();
    stop.current = controller;
    setStage({ name: 'run', progress: null });
    let target: string | null = null;
    let isEmpty = false;
    try {
      target = await targetOf(choice);
      const report = await importFile({
        calendar: target, file: choice.file, signal: controller.signal, onProgress: (progress) => setStage({ name: 'run', progress }),
      });
      isEmpty = report.added === 0;
      setStage({ name: 'over', calendarId: target, report });
    } catch (error) {
      isEmpty = error instanceof ApiError && error.status >= 400;
      setStage({ name: 'choose' });
      controller.signal.aborted ? say(told.stopped) : sayError(error);
    }
    if (target !== null) {
      await settle(target, choice.calendarId === null && isEmpty);
    }
  };
  return (
    <Dialog title={told.title} onClose={close}>
      {stage.name === 'choose' && <ImportForm calendarId={calendarId} onStart={(choice) => void start(choice)} />}
      {stage.name === 'run' && <Progress progress={stage.progress} onStop={() => stop.current?.abort()} />}
      {stage.name === 'over' && (
        <ImportResult report={stage.report} calendarName={calendarsById.value.get(stage.calendarId)?.name ?? ''} close={close}
          again={() => setStage({ name: 'choose' })} />
      )}
    </Dialog>
  );
}

/** Where it goes. A new calendar is not looked at before it is filled. */
async function targetOf(choice: ImportChoice): Promise<string> {
  if (choice.calendarId !== null) {
    return choice.calendarId;
  }
  const made = await makeCalendar({ name: choice.newName, color: unusedColor(activeCalendars.value.map((one) => one.color)) });
  showCalendar(made.id, false);
  await refreshCalendars();
  return made.id;
}

/** Shows what came in; a file of which nothing did leaves no empty calendar behind. */
async function settle(calendarId: string, isUseless: boolean): Promise<void> {
  try {
    if (isUseless) {
      await deleteCalendar(calendarId, true);
      await refreshCalendars();
    }
  } catch (error) {
    sayError(error);
  }
  showCalendar(calendarId, true);
  if (!isUseless) expire(calendarId);
}

function Progress({ progress, onStop }: { progress: ImportProgress | null; onStop: () => void }) {
  const told = words.value.calendarPanels.import;
  const part = progress === null || progress.of === 0 ? 0 : progress.done / progress.of;
  const sent = progress?.stage === 'send' && progress.done >= progress.of;
  const number = new Intl.NumberFormat(language.value);
  const label = progress?.stage === 'enter' ? told.entering(number.format(progress.done), number.format(progress.of))
    : sent ? told.preparing : told.sending;
  return (
    <div class="stack">
      <p role="status">{label}{progress?.stage === 'send' && !sent && ` · ${renderBytes(progress.of, language.value)}`}</p>
      <div class="progress" role="progressbar" aria-label={told.title} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(part * 100)}>
        <span style={{ width: `${part * 100}%` }} />
      </div>
      <div><Button onClick={onStop}>{told.stop}</Button></div>
    </div>
  );
}
