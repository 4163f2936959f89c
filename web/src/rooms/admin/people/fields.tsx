// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Role } from '../../../api/me';
import { isSuperadministrator } from '../../../shell/session';
import { SelectField, TextField } from '../../../ui/field';
import { words } from '../../../words';
import { QUOTA_UNITS, type QuotaFields, type QuotaUnit } from '../quota';

/** Nobody gives away more than they have. */
const given = (): Role[] => ['readonly', 'user', 'admin', ...(isSuperadministrator.value ? (['superadmin'] as const) : [])];

export function RoleField({ value, onValue, disabled = false }: { value: Role; onValue: (role: Role) => void; disabled?: boolean }) {
  const told = words.value.admin.people;
  const roles = given().includes(value) ? given() : [...given(), value];
  return (
    <SelectField label={told.role} value={value} onValue={onValue} disabled={disabled} hint={told.roleHints[value]}
      options={roles.map((role) => ({ value: role, label: told.roles[role] }))} />
  );
}

export function QuotaField({ label, hint, value, onValue, error }: {
  label: string; hint: string; value: QuotaFields; onValue: (value: QuotaFields) => void; error: string | null;
}) {
  const told = words.value.admin;
  return (
    <div class="admin-quota">
      <TextField label={label} hint={hint} error={error} inputMode="decimal" value={value.amount} placeholder={told.noQuota}
        onValue={(amount) => onValue({ ...value, amount })} />
      <SelectField<QuotaUnit> label={told.quotaUnit} value={value.unit} onValue={(unit) => onValue({ ...value, unit })}
        options={QUOTA_UNITS.map((unit) => ({ value: unit, label: unit }))} />
    </div>
  );
}
