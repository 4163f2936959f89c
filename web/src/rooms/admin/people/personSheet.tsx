// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useId, useState } from 'preact/hooks';

import { ApiError } from '../../../api/client';
import { changeUser, loadUser, type Tagged, type User, type UserDetails, type UserStatus } from '../../../api/people';
import { homeZone, me } from '../../../shell/session';
import { renderDay } from '../../../ui/ago';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { SelectField, TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { Refusal } from '../../../ui/refusal';
import { say } from '../../../ui/toast';
import { ZoneField } from '../../../ui/zone';
import { locale, words } from '../../../words';
import { Shown } from '../parts';
import { quotaBytes, quotaFields } from '../quota';
import { Entrance } from './entrance';
import { QuotaField, RoleField } from './fields';

interface PersonSheetProps {
  id: string;
  onClose: () => void;
  onChanged: (user: User) => void;
  onErased: (id: string) => void;
}

/** One person: who they are, what they may, and how they get in. */
export function PersonSheet({ id, onClose, onChanged, onErased }: PersonSheetProps) {
  const told = words.value.admin.people;
  const user = useLoaded((signal) => loadUser(id, signal), [id]);
  const title = user.value ? user.value.value.name || user.value.value.email : told.person;
  return (
    <Dialog title={title} shape="sheet" onClose={onClose}>
      <Shown loaded={user} lines={10}>
        {(loaded) => (
          <>
            <Fields
              key={loaded.etag ?? ''}
              loaded={loaded}
              onSaved={(changed) => {
                onChanged(changed);
                user.reload();
              }}
              reload={user.reload}
            />
            <Entrance user={loaded.value} reload={user.reload} onErased={onErased} />
            <p class="muted admin-foot">
              {told.since(renderDay(loaded.value.created_at, locale.value, homeZone.value))}
            </p>
          </>
        )}
      </Shown>
    </Dialog>
  );
}

function Fields({
  loaded,
  onSaved,
  reload,
}: {
  loaded: Tagged<UserDetails>;
  onSaved: (user: User) => void;
  reload: () => void;
}) {
  const told = words.value.admin.people;
  const user = loaded.value;
  const own = user.id === me.value?.user?.id;
  const [name, setName] = useState(user.name);
  const [email, setEmail] = useState(user.email);
  const [role, setRole] = useState(user.role);
  const [status, setStatus] = useState<UserStatus>(user.status);
  const [zone, setZone] = useState(user.time_zone);
  const [quota, setQuota] = useState(quotaFields(user.quota_bytes));
  const formId = useId();
  const bytes = quotaBytes(quota);
  const attempt = useAttempt(async () => {
    if (bytes === undefined) return;
    onSaved(
      await changeUser(
        user.id,
        {
          ...(name !== user.name && { name }),
          ...(email.trim() !== user.email && { email: email.trim() }),
          ...(role !== user.role && { role }),
          ...(status !== user.status && { status }),
          ...(zone !== user.time_zone && { time_zone: zone }),
          ...(bytes !== (user.quota_bytes ?? null) && { quota_bytes: bytes }),
        },
        loaded.etag,
      ),
    );
    say(told.saved);
  });
  const changed =
    name !== user.name ||
    email.trim() !== user.email ||
    role !== user.role ||
    status !== user.status ||
    zone !== user.time_zone ||
    bytes !== (user.quota_bytes ?? null);
  return (
    <form id={formId} onSubmit={attempt.run}>
      <TextField label={told.name} value={name} onValue={setName} autocomplete="off" maxLength={200} />
      <TextField label={told.email} type="email" value={email} onValue={setEmail} required autocomplete="off" />
      <RoleField value={role} onValue={setRole} disabled={own} />
      <SelectField<UserStatus>
        label={told.statusLabel}
        value={status}
        onValue={setStatus}
        disabled={own}
        hint={told.statusHints[status]}
        options={(['active', 'deactivated'] as const).map((one) => ({ value: one, label: told.status[one] }))}
      />
      <ZoneField label={told.timeZone} value={zone} onValue={setZone} />
      <QuotaField
        label={told.quota}
        hint={told.quotaHint}
        value={quota}
        onValue={setQuota}
        error={bytes === undefined ? words.value.admin.quotaWrong : null}
      />
      <Refusal
        attempt={attempt}
        explain={(error) => (error instanceof ApiError && error.status === 409 ? told.taken : null)}
      />
      {attempt.error instanceof ApiError && attempt.error.status === 412 && (
        <Button onClick={reload}>{words.value.admin.showNew}</Button>
      )}
      <Button tone="primary" type="submit" busy={attempt.busy} disabled={!changed}>
        {words.value.common.save}
      </Button>
    </form>
  );
}
