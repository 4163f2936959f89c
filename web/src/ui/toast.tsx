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

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
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
