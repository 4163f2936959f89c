// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface MenuItem {
  label: string;
  /** What else comes of it. */
  hint?: string;
  icon?: ComponentChildren;
  run: () => void;
  tone?: 'plain' | 'danger';
  disabled?: boolean;
}

interface MenuProps {
  label: string;
  /** What the button shows. */
  children: ComponentChildren;
  items: readonly (MenuItem | null)[];
  class?: string;
}

/** A button with a list of deeds behind it. `null` draws a line. Arrow keys move, Escape closes. */
export function Menu({ label, children, items, class: extra = 'icon-button' }: MenuProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const around = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isForward, setForward] = useState(false);
  useEffect(() => {
    if (!open) {
      return;
    }
    const closeOutside = (event: Event) => {
      if (!around.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    buttonsOf(around.current)[0]?.focus();
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open]);
  // It ends where its button does, unless it would begin outside of what it stands in.
  useLayoutEffect(() => setForward(open && isOutside(list.current!)), [open]);
  const close = () => {
    setOpen(false);
    around.current?.querySelector<HTMLButtonElement>('[aria-haspopup]')?.focus();
  };
  return (
    <div class="menu-around" ref={around} onKeyDown={(event) => { if (open) moveInMenu(event, around.current, close); }}>
      <button type="button" class={extra} aria-label={label} title={label} aria-haspopup="menu" aria-expanded={open}
        aria-controls={open ? id : undefined} onClick={() => setOpen(!open)}>
        {children}
      </button>
      {open && (
        <div class={`menu ${isForward ? 'menu-forward' : ''}`} ref={list} role="menu" id={id} aria-label={label}>
          <MenuList items={items} close={close} />
        </div>
      )}
    </div>
  );
}

/** The deeds of a menu, without what is around them. */
export function MenuList({ items, close }: { items: MenuProps['items']; close: () => void }) {
  return (
    <>
      {items.map((item, index) => item === null ? <hr key={index} /> : (
        <button key={index} type="button" role="menuitem" disabled={item.disabled} class={`menu-item menu-${item.tone ?? 'plain'}`}
          onClick={() => { close(); item.run(); }}>
          {item.icon}{item.hint ? <span>{item.label}<small>{item.hint}</small></span> : item.label}
        </button>
      ))}
    </>
  );
}

function isOutside(menu: HTMLElement): boolean {
  const room = menu.closest('aside, main, dialog')?.getBoundingClientRect().left ?? 0;
  return menu.getBoundingClientRect().left < room;
}

function buttonsOf(around: HTMLElement | null): HTMLButtonElement[] {
  return [...(around?.querySelectorAll<HTMLButtonElement>('[role=menuitem]:not(:disabled)') ?? [])];
}

/** What a key does in a menu. */
export function moveInMenu(event: KeyboardEvent, around: HTMLElement | null, close: () => void): void {
  const buttons = buttonsOf(around);
  const here = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const steps: Record<string, number> = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: buttons.length - 1 };
  if (event.key === 'Escape' || event.key === 'Tab') {
    event.stopPropagation();
    // Escape is for the menu, not also for the dialog it stands in.
    if (event.key === 'Escape') event.preventDefault();
    close();
  } else if (event.key in steps) {
    event.preventDefault();
    buttons[(steps[event.key]! + buttons.length) % buttons.length]?.focus();
  }
}
