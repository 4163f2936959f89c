// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { X } from 'lucide-preact';

import { words } from '../words';
import { IconButton } from './button';
import { showToastsIn, Toasts } from './toast';

interface DialogProps {
  title: string;
  /** Absent: only what stands in the dialog closes it. For what is shown once, and must not go by a slip of the mouse. */
  onClose?: () => void;
  children: ComponentChildren;
  /** Buttons at the end. */
  actions?: ComponentChildren;
  /** `sheet` stands at the side, and fills the screen of a phone. */
  shape?: 'dialog' | 'sheet' | 'wide';
}

/** A modal dialog: mounted is open. Escape, the backdrop and the cross ask to close it. */
export function Dialog({ title, onClose, children, actions, shape = 'dialog' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const symbol = useRef(Symbol(title));
  const latest = useRef(onClose);
  latest.current = onClose;
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current!;
    // The browser would close it by itself; whether it may is for the owner to say.
    const asked = (event: Event) => { event.preventDefault(); latest.current?.(); };
    // Browsers let nobody refuse a second Escape: then it opens again, and the owner is asked as before.
    const closed = () => { dialog.showModal(); latest.current?.(); };
    dialog.addEventListener('cancel', asked);
    dialog.addEventListener('close', closed);
    dialog.showModal();
    const hideToasts = showToastsIn(symbol.current);
    return () => {
      hideToasts();
      dialog.removeEventListener('cancel', asked);
      dialog.removeEventListener('close', closed);
      dialog.close();
    };
  }, []);
  // After it was opened: before, nothing in it has a height.
  useEffect(() => letKeysScroll(element.current!.querySelector<HTMLElement>('.dialog-body')!));
  return (
    <dialog
      ref={element}
      class={`dialog dialog-${shape}`}
      aria-labelledby={titleId}
      onMouseDown={(event) => { if (event.target === element.current) onClose?.(); }}
    >
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {onClose && <IconButton label={words.value.common.close} onClick={onClose}><X /></IconButton>}
        </header>
        <div class="dialog-body">{children}</div>
        {actions && <footer class="dialog-actions">{actions}</footer>}
      </div>
      <Toasts dialog={symbol.current} />
    </dialog>
  );
}

/** What is longer than the dialog can be read with keys, also when nothing in it takes the focus. */
function letKeysScroll(body: HTMLElement): void {
  const isLong = body.scrollHeight > body.clientHeight;
  const hasControl = body.querySelector('a[href], button, input, select, textarea, [tabindex]') !== null;
  if (isLong && !hasControl) {
    body.tabIndex = 0;
  } else {
    body.removeAttribute('tabindex');
  }
}
