// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useRef, useState } from 'preact/hooks';
import { CalendarPlus, FileUp } from 'lucide-preact';

import { IMPORT_BYTES_MAX } from '../../../api/icalendar';
import { Button } from '../../../ui/button';
import { SelectField, TextField } from '../../../ui/field';
import { renderBytes } from '../../../ui/sizes';
import { language, words } from '../../../words';
import { writableCalendars } from '../state';
import { NAME_LENGTH } from './calendarForm';
import { calendarNameIn } from './importReport';
import './import.css';

export interface ImportChoice {
  file: File;
  /** null: a new one. */
  calendarId: string | null;
  newName: string;
}

const NEW = 'new';
const HEAD_BYTES = 64 * 1024;

/** What is wrong with a file before it is sent, if anything. */
async function wrongWith(file: File): Promise<string | null> {
  const told = words.value.calendarPanels.import;
  if (file.size === 0) {
    return told.empty;
  }
  if (file.size > IMPORT_BYTES_MAX) {
    return told.tooLarge;
  }
  // A byte order mark or blank lines may come first.
  return /^\s*BEGIN:VCALENDAR/i.test((await file.slice(0, HEAD_BYTES).text()).replace(/^\uFEFF/, '')) ? null : told.notThisKind;
}

export function ImportForm({ calendarId, onStart }: { calendarId: string | undefined; onStart: (choice: ImportChoice) => void }) {
  const told = words.value.calendarPanels.import;
  const targets = writableCalendars.value;
  const [file, setFile] = useState<File | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [target, setTarget] = useState(targets.some((one) => one.id === calendarId) ? calendarId! : NEW);
  const [newName, setNewName] = useState('');
  const take = async (chosen: File | undefined) => {
    if (chosen === undefined) {
      return;
    }
    const problem = await wrongWith(chosen);
    setWrong(problem);
    setFile(problem === null ? chosen : null);
    if (problem === null) {
      setNewName(calendarNameIn(await chosen.slice(0, HEAD_BYTES).text(), chosen.name));
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (file !== null) {
      onStart({ file, calendarId: target === NEW ? null : target, newName: newName.trim() || calendarNameIn('', file.name) });
    }
  };
  return (
    <form onSubmit={submit}>
      <FileSpot file={file} wrong={wrong} onFile={(chosen) => void take(chosen)} />
      {targets.length === 0 ? <p class="hint">{told.noCalendar}</p> : (
        <SelectField label={told.into} value={target} onValue={setTarget}
          options={[{ value: NEW, label: told.intoNew }, ...targets.map((one) => ({ value: one.id, label: one.name }))]} />
      )}
      {target === NEW && file !== null && <TextField label={told.newName} value={newName} maxLength={NAME_LENGTH} onValue={setNewName} />}
      <p class="hint">{told.again}</p>
      <Button type="submit" tone="primary" disabled={file === null}><CalendarPlus />{told.start}</Button>
    </form>
  );
}

/** Where a file is dropped or chosen. */
function FileSpot({ file, wrong, onFile }: { file: File | null; wrong: string | null; onFile: (file: File | undefined) => void }) {
  const told = words.value.calendarPanels.import;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer?.files[0]);
  };
  return (
    <div class="calendar-panel-file-spot" data-over={isOver} onDrop={drop} onDragLeave={() => setOver(false)}
      onDragOver={(event) => { event.preventDefault(); setOver(true); }}>
      <FileUp />
      {file === null ? <p>{told.drop}</p> : <p><strong>{file.name}</strong> · {renderBytes(file.size, language.value)}</p>}
      <input ref={input} type="file" accept=".ics,.ical,.ifb,.icalendar,text/calendar" class="visually-hidden" tabIndex={-1} aria-hidden="true"
        onChange={(event) => onFile(event.currentTarget.files?.[0])} />
      <Button onClick={() => input.current?.click()}>{file === null ? told.choose : told.chooseAnother}</Button>
      {wrong === null ? file === null && <small class="hint">{told.hint}</small> : <small class="field-error" role="alert">{wrong}</small>}
    </div>
  );
}
