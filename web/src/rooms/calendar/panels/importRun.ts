// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { deleteCalendar, makeCalendar } from '../../../api/calendars';
import { ApiError } from '../../../api/client';
import { importFile, type ImportProgress, type ImportReport } from '../../../api/icalendar';
import { forWhoIsHere, onOtherPerson, personal } from '../../../shell/person';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { expire } from '../entries';
import { activeCalendars, calendarsById, filling, openPanel, refreshCalendars, showCalendar, showPanel } from '../state';
import type { ImportChoice } from './importForm';
import { sentenceOf } from './importReport';
import { unusedColor } from './palette';

export type ImportStage =
  | { name: 'choose' }
  | { name: 'run'; progress: ImportProgress | null }
  | { name: 'over'; calendarId: string; report: ImportReport };

/** The import of this page. It goes on when the panel that shows it is closed. */
export const importStage = personal<ImportStage>({ name: 'choose' });

let stopper = new AbortController();

export const stopImport = (): void => stopper.abort();

onOtherPerson(stopImport);

export const chooseAnother = (): void => {
  importStage.value = { name: 'choose' };
};

window.addEventListener('beforeunload', (event) => {
  if (importStage.value.name === 'run') event.preventDefault();
});

export async function startImport(choice: ImportChoice): Promise<void> {
  stopper = new AbortController();
  const { signal: stop } = stopper;
  const isTheirs = forWhoIsHere();
  importStage.value = { name: 'run', progress: null };
  let target: string | null = null;
  let isEmpty = false;
  try {
    target = await targetOf(choice);
    const onProgress = (progress: ImportProgress) => { importStage.value = { name: 'run', progress }; };
    const report = await importFile({ calendar: target, file: choice.file, signal: stop, onProgress });
    if (!isTheirs()) return;
    isEmpty = report.added === 0;
    importStage.value = { name: 'over', calendarId: target, report };
    tellUnlessSeen(target, report);
  } catch (error) {
    if (!isTheirs()) return;
    isEmpty = error instanceof ApiError && error.status >= 400;
    chooseAnother();
    stop.aborted ? say(words.value.calendarPanels.import.stopped) : sayError(error);
  }
  if (target !== null) await settle(target, choice.calendarId === null && isEmpty);
  filling.value = null;
}

/** Whoever has closed the panel is told how it went, and can open it again. */
function tellUnlessSeen(calendarId: string, report: ImportReport): void {
  if (openPanel.value?.name !== 'import') {
    const told = words.value.calendarPanels.import;
    say(sentenceOf(report, calendarsById.value.get(calendarId)?.name ?? ''), { label: told.reportTitle, run: () => showPanel('import') });
  }
}

/** Where it goes. A new calendar is not looked at before it is filled. */
async function targetOf(choice: ImportChoice): Promise<string> {
  if (choice.calendarId !== null) {
    return choice.calendarId;
  }
  const made = await makeCalendar({ name: choice.newName, color: unusedColor(activeCalendars.value.map((one) => one.color)) });
  filling.value = made.id;
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
  if (!isUseless) {
    showCalendar(calendarId, true);
    expire(calendarId);
  }
}
