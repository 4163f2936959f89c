// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { MenuList, moveInMenu, type MenuItem } from './menu';

interface Popup {
  label: string;
  items: readonly (MenuItem | null)[];
  x: number;
  y: number;
  /** Where the keyboard was, and goes back to. */
  from: Element | null;
}

const popup = signal<Popup | null>(null);

/** Opens a list of deeds at a point of the window: for a right click, or below a button. */
export function openMenu(label: string, items: Popup['items'], at: { x: number; y: number }): void {
  popup.value = { label, items, x: at.x, y: at.y, from: document.activeElement };
}

/** The point from which a menu of this element opens. */
export function pointBelow(element: Element): { x: number; y: number } {
  const { right, bottom } = element.getBoundingClientRect();
  return { x: right, y: bottom + 4 };
}

/** Takes the menu off, wherever the keyboard is. */
export const dropMenu = (): void => {
  popup.value = null;
};

function closeMenu(): void {
  const from = popup.value?.from;
  dropMenu();
  if (from instanceof HTMLElement && from.isConnected) {
    from.focus({ preventScroll: true });
  }
}

/** Stands once in whoever opens menus. */
export function PopupMenu() {
  return popup.value === null ? null : <Opened key={`${popup.value.x} ${popup.value.y}`} popup={popup.value} />;
}

function Opened({ popup: { label, items, x, y } }: { popup: Popup }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = element.current!;
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(x, window.innerWidth - width - 8))}px`;
    menu.style.top = `${Math.max(8, y + height + 8 > window.innerHeight ? y - height : y)}px`;
    menu.querySelector<HTMLButtonElement>('[role=menuitem]:not(:disabled)')?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const closeOutside = (event: Event) => { if (!element.current?.contains(event.target as Node)) dropMenu(); };
    // Not with every scrolling: what is selected for the menu may itself move the page a little.
    const outside = ['pointerdown', 'wheel', 'touchmove'];
    outside.forEach((event) => document.addEventListener(event, closeOutside, { passive: true }));
    window.addEventListener('resize', dropMenu);
    return () => {
      outside.forEach((event) => document.removeEventListener(event, closeOutside));
      window.removeEventListener('resize', dropMenu);
    };
  }, []);
  return (
    <div ref={element} class="menu menu-free" role="menu" aria-label={label}
      onKeyDown={(event) => moveInMenu(event, element.current, closeMenu)} onContextMenu={(event) => event.preventDefault()}>
      <MenuList items={items} close={closeMenu} />
    </div>
  );
}
