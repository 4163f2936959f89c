// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useId, useState } from 'preact/hooks';

import { createToken, type TokenType } from '../../../api/account';
import type { Person } from '../../../api/me';
import { isAdministrator } from '../../../shell/session';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { SelectField, TextField } from '../../../ui/field';
import { Refusal } from '../../../ui/refusal';
import { words } from '../../../words';
import { SecretText } from '../secretText';
import { EXPIRIES, expiryInstant, type Expiry } from './expiry';
import { AREAS, USUAL, scopesOf, type Area, type Right, type Rights } from './scopes';

const TYPES: readonly TokenType[] = ['app_password', 'personal', 'api'];

export function NewTokenDialog({ user, close }: { user: Person; close: () => void }) {
  const [made, setMade] = useState<{ type: TokenType; secret: string } | null>(null);
  return made === null
    ? <Wishes close={close} onMade={(type, secret) => setMade({ type, secret })} />
    : <Made user={user} type={made.type} secret={made.secret} close={close} />;
}

function Wishes({ close, onMade }: { close: () => void; onMade: (type: TokenType, secret: string) => void }) {
  const told = words.value.account.token;
  const [type, setType] = useState<TokenType>('app_password');
  const [name, setName] = useState('');
  const [rights, setRights] = useState<Rights>(USUAL.app_password);
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [day, setDay] = useState('');
  const [dayWrong, setDayWrong] = useState<string | null>(null);
  const scopes = scopesOf(rights);
  const attempt = useAttempt(async () => {
    const end = expiryInstant(expiry, day, Date.now());
    setDayWrong(end === null ? told.expiryPast : null);
    if (end === null || scopes.length === 0 || name.trim() === '') return;
    const token = await createToken({ name: name.trim(), type, scopes, ...(end !== undefined && { expires_at: end }) });
    onMade(type, token.token);
  });
  const choose = (next: TokenType) => { setType(next); setRights(USUAL[next]); };
  return (
    <Dialog title={told.newTitle} onClose={close} actions={<>
      <Button onClick={close}>{words.value.common.cancel}</Button>
      <Button tone="primary" busy={attempt.busy} disabled={name.trim() === '' || scopes.length === 0} onClick={attempt.run}>{told.create}</Button>
    </>}>
      <form onSubmit={attempt.run} noValidate>
        <Refusal attempt={attempt} />
        <TypeChoice type={type} onType={choose} />
        <TextField label={told.name} hint={told.nameHint} value={name} onValue={setName} maxLength={100}
          autocomplete="off" placeholder={told.nameExamples[type]} />
        <RightsChoice rights={rights} onRight={(area, right) => setRights({ ...rights, [area]: right })} />
        {scopes.length === 0 && <p class="field-error" role="alert">{told.noScopes}</p>}
        <SelectField label={told.expiry} value={expiry} onValue={setExpiry}
          options={EXPIRIES.map((one) => ({ value: one, label: told.expiries[one] }))} />
        {expiry === 'date' && <TextField label={told.expiryDate} type="date" value={day} onValue={setDay} error={dayWrong} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function TypeChoice({ type, onType }: { type: TokenType; onType: (type: TokenType) => void }) {
  const told = words.value.account.token;
  const name = useId();
  return (
    <fieldset class="account-types">
      <legend>{told.type}</legend>
      {TYPES.map((one) => (
        <label key={one}>
          <input type="radio" name={name} checked={type === one} onChange={() => onType(one)} />
          <span><strong>{told.types[one]}</strong><small class="hint">{told.typeHints[one]}</small></span>
        </label>
      ))}
    </fieldset>
  );
}

function RightsChoice({ rights, onRight }: { rights: Rights; onRight: (area: Area, right: Right) => void }) {
  const told = words.value.account.token;
  const id = useId();
  return (
    <fieldset class="account-rights">
      <legend>{told.scopes}</legend>
      {AREAS.filter((area) => area !== 'admin' || isAdministrator.value).map((area) => (
        <div key={area} class="row spread">
          <label for={`${id}-${area}`}>{told.areas[area]}</label>
          <select id={`${id}-${area}`} class="input" value={rights[area]} onChange={(event) => onRight(area, event.currentTarget.value as Right)}>
            {(['none', 'read', 'write'] as const).map((right) => <option key={right} value={right}>{told.rights[right]}</option>)}
          </select>
        </div>
      ))}
    </fieldset>
  );
}

/** The one moment in which the secret can be seen. Only a press closes it. */
function Made({ user, type, secret, close }: { user: Person; type: TokenType; secret: string; close: () => void }) {
  const told = words.value.account.token;
  return (
    <Dialog title={told.made} actions={<Button tone="primary" onClick={close}>{told.ready}</Button>}>
      <p>{told.madeHint}</p>
      <SecretText label={told.types[type]} text={secret} />
      {type === 'app_password' && <SecretText label={told.user} text={user.email} />}
      <SecretText label={told.server} text={location.origin} />
    </Dialog>
  );
}
