// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'atrium.theme';

function remembered(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export const theme = signal<Theme>(remembered());

effect(() => {
  const root = document.documentElement;
  if (theme.value === 'system') {
    localStorage.removeItem(KEY);
    delete root.dataset['theme'];
  } else {
    localStorage.setItem(KEY, theme.value);
    root.dataset['theme'] = theme.value;
  }
});
