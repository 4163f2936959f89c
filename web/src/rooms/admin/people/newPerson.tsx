// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useId, useState } from 'preact/hooks';

import { ApiError } from '../../../api/client';
import { createUser, sendsMail, type User } from '../../../api/people';
import type { Role } from '../../../api/me';
import { homeZone } from '../../../shell/session';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { PASSWORD_CHARACTERS_MIN, PasswordField, isPasswordTooShort } from '../../../ui/password';
import { Refusal } from '../../../ui/refusal';
import { ZoneField } from '../../../ui/zone';
import { words } from '../../../words';
import { quotaBytes, quotaFields } from '../quota';
import { QuotaField, RoleField } from './fields';

type Way = 'invite' | 'password' | 'none';

/** Makes an account: with a mailed way in, with a password, or with neither, for who comes through a provider. */
export function NewPerson({ org, onClose, onDone }: { org: string | null; onClose: () => void; onDone: (user: User, invited: boolean) => void }) {
  const told = words.value.admin.people;
  const mail = useLoaded((signal) => sendsMail(signal), []);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('user');
  const [zone, setZone] = useState(homeZone.value);
  const [quota, setQuota] = useState(quotaFields(null));
  const [chosen, setWay] = useState<Way | null>(null);
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const formId = useId();
  const way = chosen ?? (mail.value === true ? 'invite' : 'password');
  const wrongPassword = way === 'password' && isPasswordTooShort(password);
  const bytes = quotaBytes(quota);
  const attempt = useAttempt(async () => {
    setTried(true);
    if (wrongPassword || bytes === undefined) return;
    const user = await createUser(org, {
      email: email.trim(), role, time_zone: zone,
      ...(name.trim() && { name: name.trim() }), ...(bytes !== null && { quota_bytes: bytes }),
      ...(way === 'password' && { password }), ...(way === 'invite' && { invite: true }),
    });
    onDone(user, way === 'invite');
  });
  return (
    <Dialog title={told.add} shape="sheet" onClose={onClose} actions={<>
      <Button onClick={onClose}>{words.value.common.cancel}</Button>
      <Button tone="primary" type="submit" form={formId} busy={attempt.busy}>{way === 'invite' ? told.createAndInvite : told.create}</Button>
    </>}>
      <form id={formId} onSubmit={attempt.run}>
        <TextField label={told.email} type="email" value={email} onValue={setEmail} required autocomplete="off" autofocus />
        <TextField label={told.name} value={name} onValue={setName} autocomplete="off" maxLength={200} />
        <RoleField value={role} onValue={setRole} />
        <Ways way={way} setWay={setWay} mail={mail.value === true} />
        {way === 'password' && <PasswordField label={told.firstPassword} value={password} onValue={setPassword} autocomplete="new-password"
          hint={told.firstPasswordHint} error={tried && wrongPassword ? told.passwordTooShort(PASSWORD_CHARACTERS_MIN) : null} />}
        <ZoneField label={told.timeZone} value={zone} onValue={setZone} />
        <QuotaField label={told.quota} hint={told.quotaHint} value={quota} onValue={setQuota}
          error={tried && bytes === undefined ? words.value.admin.quotaWrong : null} />
        <Refusal attempt={attempt} explain={(error) => (error instanceof ApiError && error.status === 409 ? told.taken : null)} />
      </form>
    </Dialog>
  );
}

function Ways({ way, setWay, mail }: { way: Way; setWay: (way: Way) => void; mail: boolean }) {
  const told = words.value.admin.people;
  const name = useId();
  return (
    <fieldset class="admin-ways">
      <legend>{told.way}</legend>
      {(['invite', 'password', 'none'] as const).map((one) => (
        <label key={one} class="check">
          <input type="radio" name={name} checked={way === one} disabled={one === 'invite' && !mail} onChange={() => setWay(one)} />
          <span>{told.ways[one]}<small class="hint">{one === 'invite' && !mail ? told.noMail : told.wayHints[one]}</small></span>
        </label>
      ))}
    </fieldset>
  );
}
