// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry } from '../../../api/entries';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field';
import { words } from '../../../words';
import { writableCalendars } from '../state';
import type { Draft, DraftField } from './draft';
import { ColorChoice, Free, Reminders } from './extras';
import { Repeat } from './repeat';
import { KindChoice, When } from './when';

export interface FormProps {
  draft: Draft;
  change: (draft: Draft) => void;
  /** What is wrong with a field. */
  errorOf: (field: DraftField) => string | null;
}

/** All that can be said of an entry; what is said most often comes first. */
export function EntryForm(props: FormProps & { series: Entry | null; onSubmit: () => void }) {
  const { draft, change, errorOf } = props;
  const told = words.value.calendar.sheet;
  return (
    <form
      class="calendar-form"
      id="calendar-entry-form"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
      noValidate
    >
      <div class="calendar-title-field">
        <TextField
          autofocus
          label={told.titleLabel}
          placeholder={told.titlePlaceholder}
          maxLength={200}
          autoComplete="off"
          value={draft.title}
          error={errorOf('title')}
          onValue={(title) => change({ ...draft, title })}
        />
      </div>
      {draft.kind === 'task' && (
        <CheckField
          label={told.completed}
          checked={draft.completed}
          onValue={(completed) => change({ ...draft, completed })}
        />
      )}
      <KindChoice {...props} />
      <When {...props} />
      <Repeat {...props} />
      <SelectField
        label={told.calendar}
        value={draft.calendarId}
        error={errorOf('calendarId')}
        onValue={(calendarId) => change({ ...draft, calendarId })}
        options={writableCalendars.value.map((one) => ({ value: one.id, label: one.name }))}
      />
      <TextField
        label={told.location}
        maxLength={500}
        autoComplete="off"
        value={draft.location}
        error={errorOf('location')}
        onValue={(location) => change({ ...draft, location })}
      />
      <TextArea
        label={told.description}
        rows={4}
        value={draft.description}
        error={errorOf('description')}
        onValue={(description) => change({ ...draft, description })}
      />
      <Reminders {...props} />
      <ColorChoice {...props} />
      <Free {...props} />
    </form>
  );
}
