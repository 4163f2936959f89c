// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Monitor, Moon, Sun } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { theme, type Theme } from '../../shell/theme';
import { useTitle } from '../../ui/title';
import { LANGUAGES, chooseLanguage, language, words, type Language } from '../../words';
import { Arches } from './arches';

/** What stands around each of these pages: a view, a card, and the choice of language and light. */
export function Porch({ title, lead, children }: { title: string; lead?: string; children?: ComponentChildren }) {
  const told = words.value;
  const card = useRef<HTMLDivElement>(null);
  useTitle(title);
  useEffect(() => focusFirst(card.current), [title]);
  return (
    <div class="porch">
      <aside class="porch-view" aria-hidden="true">
        <Arches />
        <p>{told.access.tagline}</p>
      </aside>
      <main class="porch-main" id="content">
        <div class="porch-card" ref={card}>
          <img class="porch-mark" src="/atrium.svg" alt={told.common.appName} width="52" height="52" />
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p class="porch-lead">{lead}</p>}
          {children}
        </div>
        <Choices />
      </main>
    </div>
  );
}

/** Typing can begin at once; on a phone it would cover half of the page with a keyboard. */
function focusFirst(card: HTMLElement | null): void {
  const field = matchMedia('(pointer: fine)').matches ? card?.querySelector<HTMLElement>('form input, form button[type=submit]') : null;
  (field ?? card?.querySelector<HTMLElement>('h1'))?.focus();
}

const THEMES: Record<Theme, typeof Sun> = { system: Monitor, light: Sun, dark: Moon };

function Choices() {
  const told = words.value.common;
  const names: Record<Theme, string> = { system: told.themeSystem, light: told.themeLight, dark: told.themeDark };
  return (
    <footer class="porch-choices">
      <div class="row" role="group" aria-label={told.language}>
        {(Object.keys(LANGUAGES) as Language[]).map((one) => (
          <button key={one} type="button" lang={one} aria-pressed={language.value === one} onClick={() => void chooseLanguage(one)}>
            {LANGUAGES[one]}
          </button>
        ))}
      </div>
      <div class="row" role="group" aria-label={told.theme}>
        {(Object.keys(THEMES) as Theme[]).map((one) => {
          const Icon = THEMES[one];
          return (
            <button key={one} type="button" aria-label={names[one]} title={names[one]} aria-pressed={theme.value === one}
              onClick={() => { theme.value = one; }}>
              <Icon />
            </button>
          );
        })}
      </div>
    </footer>
  );
}
