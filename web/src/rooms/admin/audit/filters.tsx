// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { X } from 'lucide-preact';

import { Button } from '../../../ui/button';
import { SelectField, TextField } from '../../../ui/field';
import { words } from '../../../words';
import { actionGroups } from './actions';
import { NO_FIELDS, isFiltered, type AuditFields } from './filter';

/** What is looked for. */
export function Filters({ fields, onFields }: { fields: AuditFields; onFields: (fields: AuditFields) => void }) {
  const told = words.value.admin.audit;
  const set = (part: Partial<AuditFields>) => onFields({ ...fields, ...part });
  const groups = actionGroups();
  const known = groups.some((group) => group.value === fields.action);
  return (
    <form class="admin-filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label={told.who}
        placeholder={told.whoPlaceholder}
        type="search"
        value={fields.actor}
        onValue={(actor) => set({ actor })}
        autocomplete="off"
      />
      <SelectField
        label={told.what}
        value={fields.action}
        onValue={(action) => set({ action })}
        options={[
          { value: '', label: told.everything },
          ...groups,
          ...(known || fields.action === '' ? [] : [{ value: fields.action, label: fields.action }]),
        ]}
      />
      <TextField
        label={told.target}
        placeholder={told.targetPlaceholder}
        type="search"
        value={fields.target}
        onValue={(target) => set({ target })}
        autocomplete="off"
      />
      <TextField
        label={told.from}
        type="date"
        value={fields.fromDay}
        max={fields.toDay || undefined}
        onValue={(fromDay) => set({ fromDay })}
      />
      <TextField
        label={told.to}
        type="date"
        value={fields.toDay}
        min={fields.fromDay || undefined}
        onValue={(toDay) => set({ toDay })}
      />
      {isFiltered(fields) && (
        <Button tone="quiet" onClick={() => onFields(NO_FIELDS)}>
          <X />
          {told.clear}
        </Button>
      )}
    </form>
  );
}
