// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ImportProgress } from '../../../api/icalendar';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { renderBytes } from '../../../ui/sizes';
import { language, words } from '../../../words';
import type { PanelProps } from '../panels';
import { calendarsById } from '../state';
import { ImportForm } from './importForm';
import { ImportResult } from './importResult';
import { chooseAnother, importStage, startImport, stopImport } from './importRun';

/** Brings an iCalendar file into a calendar, new or there already, and tells how it went. */
export function ImportPanel({ calendarId, close }: PanelProps) {
  const told = words.value.calendarPanels.import;
  const stage = importStage.value;
  const leave = () => {
    close();
    if (stage.name === 'over') chooseAnother();
  };
  return (
    <Dialog title={told.title} onClose={leave}>
      {stage.name === 'choose' && <ImportForm calendarId={calendarId} onStart={(choice) => void startImport(choice)} />}
      {stage.name === 'run' && <Progress progress={stage.progress} onStop={stopImport} />}
      {stage.name === 'over' && (
        <ImportResult report={stage.report} calendarName={calendarsById.value.get(stage.calendarId)?.name ?? ''} close={leave}
          again={chooseAnother} />
      )}
    </Dialog>
  );
}

function Progress({ progress, onStop }: { progress: ImportProgress | null; onStop: () => void }) {
  const told = words.value.calendarPanels.import;
  const part = progress === null || progress.of === 0 ? 0 : progress.done / progress.of;
  const sent = progress?.stage === 'send' && progress.done >= progress.of;
  const label = progress?.stage === 'enter' ? told.entering(progress.done, progress.of)
    : sent ? told.preparing : told.sending;
  return (
    <div class="stack">
      <p role="status">{label}{progress?.stage === 'send' && !sent && ` · ${renderBytes(progress.of, language.value)}`}</p>
      <div class="progress" role="progressbar" aria-label={told.title} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(part * 100)}>
        <span style={{ width: `${part * 100}%` }} />
      </div>
      <p class="hint">{told.goesOn}</p>
      <div><Button onClick={onStop}>{told.stop}</Button></div>
    </div>
  );
}
