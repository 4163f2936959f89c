// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';

import { words } from '../words';
import { messageOf } from './errors';

interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'bad';
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 6000;
const toasts = signal<Toast[]>([]);
let last = 0;

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

function show(toast: Omit<Toast, 'id'>): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-2), { ...toast, id }];
  window.setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Takes all of them off. */
export const dismissAll = (): void => {
  toasts.value = [];
};

/** Says something for a few seconds, with something to press when an action is given. */
export function say(text: string, action?: Toast['action']): void {
  show({ text, tone: 'plain', ...(action && { action }) });
}

/** The usual offer after a change. */
export const sayWithUndo = (text: string, undo: () => void): void =>
  say(text, { label: words.value.common.undo, run: undo });

export function sayError(error: unknown): void {
  show({ text: messageOf(error), tone: 'bad' });
}

// An open dialog makes everything beside it deaf, so messages are shown in the topmost one.
const dialogs = signal<readonly symbol[]>([]);

/** Called by a dialog when it opens; answers how to say that it is closed. */
export function showToastsIn(dialog: symbol): () => void {
  dialogs.value = [...dialogs.value, dialog];
  return () => { dialogs.value = dialogs.value.filter((one) => one !== dialog); };
}

/** The place where messages appear: one beside the app, and one in each dialog. */
export function Toasts({ dialog }: { dialog?: symbol }) {
  const isHere = dialogs.value[dialogs.value.length - 1] === dialog;
  return (
    <div class="toasts" role="status" aria-live="polite">
      {isHere && toasts.value.map((toast) => (
        <div key={toast.id} class={`toast toast-${toast.tone}`}>
          <span>{toast.text}</span>
          {toast.action && (
            <button type="button" class="toast-action" onClick={() => { dismiss(toast.id); toast.action!.run(); }}>
              {toast.action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
