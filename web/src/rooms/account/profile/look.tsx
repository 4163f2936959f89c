// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

import { theme, type Theme } from '../../../shell/theme';
import { LANGUAGES, chooseLanguage, language, words, type Language } from '../../../words';
import { Section } from '../section';

export function LookSection() {
  const told = words.value;
  const themes: [Theme, string][] = [
    ['system', told.common.themeSystem], ['light', told.common.themeLight], ['dark', told.common.themeDark],
  ];
  return (
    <Section title={told.account.look.title} hint={told.account.look.hint}>
      <Choice label={told.common.language}>
        {(Object.keys(LANGUAGES) as Language[]).map((one) => (
          <button key={one} type="button" lang={one} aria-pressed={language.value === one} onClick={() => void chooseLanguage(one)}>
            {LANGUAGES[one]}
          </button>
        ))}
      </Choice>
      <Choice label={told.common.theme}>
        {themes.map(([one, name]) => (
          <button key={one} type="button" aria-pressed={theme.value === one} onClick={() => { theme.value = one; }}>{name}</button>
        ))}
      </Choice>
    </Section>
  );
}

function Choice({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="account-choice">
      <span aria-hidden="true">{label}</span>
      <div class="segments" role="group" aria-label={label}>{children}</div>
    </div>
  );
}
