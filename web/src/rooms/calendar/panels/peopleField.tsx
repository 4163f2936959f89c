// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useId, useState } from 'preact/hooks';
import { Plus, X } from 'lucide-preact';

import { me } from '../../../shell/session';
import { Avatar } from '../../../ui/avatar';
import { Button, IconButton } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { words } from '../../../words';
import { isEmail } from './inviteForm';
import { photoOf, typedIn } from './parts';
import { knownPeople } from './people';

const PEOPLE_MAX = 49;

/** People by address, those one shares calendars with as suggestions. */
export function PeopleField({ people, onPeople }: { people: readonly string[]; onPeople: (people: readonly string[]) => void }) {
  const told = words.value.calendarPanels;
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const suggestions = useId();
  const mine = me.value?.user?.email;
  const others = [...knownPeople.value.values()].filter((person) => person.id !== null && person.email !== mine && !people.includes(person.email));
  const add = (emails: readonly string[]) => {
    const next = [...new Set([...people, ...emails])].filter((email) => email !== mine);
    if (next.length > PEOPLE_MAX) {
      setWrong(told.availability.tooMany);
      return;
    }
    setText('');
    onPeople(next);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const emails = typedIn(event, 'email').split(/[\s,;]+/).filter((part) => part !== '').map((part) => part.toLowerCase());
    if (emails.length === 0 || !emails.every(isEmail)) {
      setWrong(told.share.badEmail);
      return;
    }
    add(emails);
  };
  return (
    <form class="calendar-panel-people" noValidate onSubmit={submit}>
      <div class="calendar-panel-people-add">
        <TextField label={told.availability.add} hint={told.availability.addHint} error={wrong} name="email" type="email" autoComplete="off"
          list={suggestions} placeholder={told.share.emailPlaceholder} value={text} onValue={(next) => { setText(next); setWrong(null); }} />
        <datalist id={suggestions}>{others.map((person) => <option key={person.email} value={person.email}>{person.name}</option>)}</datalist>
        <Button type="submit"><Plus />{told.availability.addButton}</Button>
      </div>
      {people.length > 0 && (
        <ul class="calendar-panel-chips">
          {people.map((email) => {
            const person = knownPeople.value.get(email);
            const name = person?.name ?? email;
            return (
              <li key={email} class="calendar-panel-chip">
                <Avatar name={name} photo={photoOf(person)} size="small" />{name}
                <IconButton label={told.availability.remove(name)} onClick={() => onPeople(people.filter((one) => one !== email))}><X /></IconButton>
              </li>
            );
          })}
        </ul>
      )}
      {people.length === 0 && others.length > 0 && (
        <ul class="calendar-panel-chips">
          {others.slice(0, 8).map((person) => (
            <li key={person.email}>
              <button type="button" class="calendar-panel-chip calendar-panel-chip-offer" onClick={() => add([person.email])}>
                <Avatar name={person.name} photo={photoOf(person)} size="small" />{person.name}<Plus />
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
