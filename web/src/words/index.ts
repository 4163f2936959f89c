// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from '@preact/signals';

import { en } from './en';

/** All texts that people read. A language is a module of this shape; the compiler sees what is missing. */
export type Words = typeof en;
export type Language = 'en' | 'de';

export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch' };
const KEY = 'atrium.language';

export const language = signal<Language>('en');
export const words = signal<Words>(en);

/** The language that was chosen, in the country of the browser where that fits: en-GB writes dates otherwise than en-US. */
export const locale = computed<string>(() => navigator.languages.find((tag) => tag.slice(0, 2) === language.value) ?? language.value);

function wanted(): Language {
  const kept = localStorage.getItem(KEY);
  const all = [...(kept === null ? [] : [kept]), ...navigator.languages].map((tag) => tag.slice(0, 2));
  return all.find((tag): tag is Language => tag in LANGUAGES) ?? 'en';
}

async function load(next: Language): Promise<Words> {
  return next === 'de' ? (await import('./de')).de : en;
}

async function speak(next: Language): Promise<void> {
  words.value = await load(next);
  language.value = next;
  document.documentElement.lang = next;
}

/** The language that was chosen here, or that the browser asks for. */
export const speakAsWanted = (): Promise<void> => speak(wanted());

export async function chooseLanguage(next: Language): Promise<void> {
  localStorage.setItem(KEY, next);
  await speak(next);
}
