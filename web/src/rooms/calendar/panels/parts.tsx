// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Check, Copy } from 'lucide-preact';

import { Avatar } from '../../../ui/avatar';
import { Button } from '../../../ui/button';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import { PALETTE, PALETTE_NAMES, paletteNameOf } from './palette';
import type { KnownPerson } from './people';
import './parts.css';

/** A colour as a dot. */
export function Dot({ color }: { color: string }) {
  return <span class="calendar-panel-dot" style={{ backgroundColor: color }} aria-hidden="true" />;
}

/** Colours to choose from, and any other. */
export function ColorField({ value, onValue }: { value: string; onValue: (color: string) => void }) {
  const told = words.value.calendarPanels;
  const group = useId();
  const isOwn = paletteNameOf(value) === null;
  return (
    <fieldset class="calendar-panel-colors">
      <legend>{told.color}</legend>
      <div class="calendar-panel-swatches">
        {PALETTE_NAMES.map((name) => (
          <label key={name} class="calendar-panel-swatch" title={told.colors[name]}>
            <input type="radio" name={group} checked={PALETTE[name] === value.toLowerCase()} onChange={() => onValue(PALETTE[name])} />
            <span style={{ backgroundColor: PALETTE[name] }}><Check /></span>
            <span class="visually-hidden">{told.colors[name]}</span>
          </label>
        ))}
        <label class="calendar-panel-own-color" data-chosen={isOwn}>
          <input type="color" value={value.toLowerCase()} onInput={(event) => onValue(event.currentTarget.value)} />
          <span>{told.ownColor}</span>
        </label>
      </div>
    </fieldset>
  );
}

/** What a field of a form holds when it is sent: what was typed a moment ago may not have been drawn yet. */
export const typedIn = (submit: Event, name: string): string =>
  String(new FormData(submit.currentTarget as HTMLFormElement).get(name) ?? '').trim();

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A text to be taken elsewhere, with a button that does it. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const id = useId();
  const [done, setDone] = useState(false);
  const told = words.value;
  const run = async () => {
    if (!(await copy(text))) {
      say(told.calendarPanels.copyFailed);
      return;
    }
    setDone(true);
    say(told.common.copied);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="calendar-panel-copy">
        <input id={id} class="input" readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
        <Button tone="primary" onClick={() => void run()}>{done ? <Check /> : <Copy />}{told.common.copy}</Button>
      </div>
    </div>
  );
}

interface DeedProps {
  icon: ComponentChildren;
  label: string;
  hint?: string;
  onClick?: () => void;
  /** It leads somewhere instead of doing something. */
  href?: string;
  download?: boolean;
  tone?: 'plain' | 'danger';
  busy?: boolean;
}

/** Something that can be done, with a line about what it does. */
export function Deed({ icon, label, hint, onClick, href, download, tone = 'plain', busy = false }: DeedProps) {
  const inside = <>{icon}<span><strong>{label}</strong>{hint && <small class="hint">{hint}</small>}</span></>;
  const look = `calendar-panel-deed calendar-panel-deed-${tone}`;
  return (
    <li>
      {href !== undefined
        ? <a class={look} href={href} download={download} onClick={onClick}>{inside}</a>
        : <button type="button" class={look} disabled={busy} aria-busy={busy} onClick={onClick}>{inside}</button>}
    </li>
  );
}

export const photoOf = (person: Pick<KnownPerson, 'id' | 'photo'> | undefined): string | null =>
  (person?.id && person.photo ? `/api/users/${person.id}/photo?v=${person.photo}` : null);

/** A person as lists show them. */
export function PersonLine({ person, note, children }: { person: KnownPerson; note?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <div class="calendar-panel-person">
      <Avatar name={person.name} photo={photoOf(person)} />
      <div class="calendar-panel-person-text">
        <span class="calendar-panel-person-name">{person.name}{children}</span>
        {note && <small class="hint">{note}</small>}
      </div>
    </div>
  );
}
