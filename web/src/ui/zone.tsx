// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';

import { language, words } from '../words';
import { Labelled, described } from './field';
import { allZones, findZones, zoneOffset, zonePlace } from './zones';

const LISTED = 60;

interface ZoneFieldProps {
  label: string;
  hint?: string;
  value: string;
  onValue: (zone: string) => void;
}

/** A time zone: typed letters search, arrow keys choose. What is left half typed falls back to what was chosen. */
export function ZoneField({ label, hint, value, onValue }: ZoneFieldProps) {
  const id = useId();
  const zones = useMemo(allZones, []);
  const { shown: { open, typed, found, active }, latest, change } = useSearch(zones);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => { list.current?.children[active]?.scrollIntoView({ block: 'nearest' }); }, [active, open]);
  const search = (text: string) => change({ open: true, typed: text, found: findZones(text, zones, LISTED), active: 0 });
  const close = () => change({ open: false });
  const choose = (zone: string | undefined) => { if (zone !== undefined) onValue(zone); close(); };
  const pressed = (event: KeyboardEvent) => {
    const now = latest();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!now.open) { search(''); return; }
      change({ active: (now.active + (event.key === 'ArrowDown' ? 1 : now.found.length - 1)) % Math.max(now.found.length, 1) });
    } else if (now.open && event.key === 'Enter') {
      event.preventDefault();
      choose(now.found[now.active]);
    } else if (now.open && event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <Labelled id={id} label={label} hint={hint}>
      <div class="zone">
        <input {...described(id, hint, null)} id={id} class="input" role="combobox" autocomplete="off" spellcheck={false}
          aria-expanded={open} aria-controls={`${id}-list`} aria-autocomplete="list"
          aria-activedescendant={open && found.length > 0 ? `${id}-${active}` : undefined}
          value={open ? typed : zoneTitle(value)} onInput={(event) => search(event.currentTarget.value)} onKeyDown={pressed}
          onClick={(event) => { if (!open) { event.currentTarget.select(); search(''); } }} onBlur={close} />
        <ul class="zone-list" id={`${id}-list`} role="listbox" aria-label={label} ref={list} hidden={!open}>
          {found.map((zone, index) => (
            // Before the field loses the focus, with which the list would go.
            <li key={zone} id={`${id}-${index}`} role="option" aria-selected={index === active}
              onMouseDown={(event) => { event.preventDefault(); choose(zone); }} onMouseMove={() => change({ active: index })}>
              <span>{zonePlace(zone).place} <small>{zonePlace(zone).region}</small></span>
              <small>{zoneOffset(zone, new Date(), language.value)}</small>
            </li>
          ))}
          {open && found.length === 0 && (
            <li class="zone-none" role="option" aria-disabled="true" aria-selected={false}>{words.value.common.nothingFound}</li>
          )}
        </ul>
      </div>
    </Labelled>
  );
}

interface Search {
  open: boolean;
  typed: string;
  found: readonly string[];
  active: number;
}

/** The state of the list. It is changed at once, not when the page is next drawn: a key may follow quicker than that. */
function useSearch(zones: readonly string[]): { shown: Search; latest: () => Search; change: (part: Partial<Search>) => void } {
  const latest = useRef<Search>({ open: false, typed: '', found: zones, active: 0 });
  const [shown, setShown] = useState(latest.current);
  const change = (part: Partial<Search>) => {
    latest.current = { ...latest.current, ...part };
    setShown(latest.current);
  };
  return { shown, latest: () => latest.current, change };
}

/** "Berlin, Europe (GMT+2)" */
function zoneTitle(zone: string): string {
  const { place, region } = zonePlace(zone);
  const offset = zoneOffset(zone, new Date(), language.value);
  return `${place}${region && `, ${region}`}${offset && place !== 'UTC' ? ` (${offset})` : ''}`;
}
