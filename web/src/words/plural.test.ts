// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it, vi } from 'vitest';

const asked = vi.hoisted(() => [] as { count: number; text: string }[]);

vi.mock('./plural', async (original) => {
  const { countingIn } = await original<typeof import('./plural')>();
  return {
    countingIn: (language: string) => {
      const { plural, figure } = countingIn(language);
      const watched: typeof plural = (count, forms) => {
        const text = plural(count, forms);
        asked.push({ count, text });
        return text;
      };
      return { plural: watched, figure };
    },
  };
});

const { de } = await import('./de');
const { en } = await import('./en');

type Text = (...given: unknown[]) => unknown;

/** All texts that are made of something, by where they stand. */
function textsIn(words: object, path = ''): [string, Text][] {
  return Object.entries(words).flatMap(([name, value]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'function') return [[at, value as Text]] as [string, Text][];
    return typeof value === 'object' && value !== null ? textsIn(value, at) : [];
  });
}

/** What the parameters of a text are given when it is about so many: numbers, and words where those are wanted. */
function givenTo(text: Text, count: number): unknown[] {
  const parameters = /^\(?([^)=]*)\)?\s*=>|^function \w*\(([^)]*)\)/.exec(text.toString());
  const names = (parameters?.[1] ?? parameters?.[2] ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '');
  return names.map((name) => (WORDS.has(name) ? `[${name}]` : name === 'more' && names[0] !== 'name' ? false : count));
}

const WORDS = new Set(['name', 'folder', 'size', 'day', 'characters', 'encoding']);
const COUNTS = [0, 1, 2, 5, 21];

/** What a text says of so many, and the forms that it took from the rules of its language. */
function told(text: Text, count: number): { said: string; forms: typeof asked } {
  asked.length = 0;
  return { said: String(text(...givenTo(text, count))), forms: [...asked] };
}

const isPlural = (text: Text): boolean => {
  // The unit of a reminder depends on its minutes; one of these numbers has any.
  try {
    return [...COUNTS, 60, 1440].some((count) => told(text, count).forms.length > 0);
  } catch {
    return false;
  }
};

beforeEach(() => { asked.length = 0; });

describe.each([['en', en], ['de', de]] as const)('a text in %s that says how many', (language, words) => {
  const rules = new Intl.PluralRules(language);
  const all = textsIn(words);

  it('takes its form from the rules of the language, and from nowhere else', () => {
    for (const [at, text] of all) {
      expect(text.toString(), at).not.toMatch(/[=!]==? ?1\b|\b[<>]=? ?1\b/);
    }
    expect(all.filter(([, text]) => isPlural(text)).length).toBeGreaterThan(50);
  });

  it.each(all.filter(([, text]) => isPlural(text)))('%s', (at, text) => {
    for (const count of COUNTS) {
      const { said, forms } = told(text, count);
      expect(said, `${at}(${count})`).not.toMatch(/undefined|NaN|\b1 (eine?|one|a|the)\b/);
      for (const form of forms) {
        expect(said, `${at}(${count})`).toContain(form.text);
        if (rules.select(form.count) === 'other') {
          expect(form.text, `${at}(${count})`).not.toMatch(/\b1\b/);
        } else {
          expect(form.text, `${at}(${count})`).not.toMatch(/\b(0|2|5|21)\b/);
        }
      }
    }
    // One is said otherwise than several; what is not needs no forms.
    const [one, several] = [told(text, 1), told(text, 2)].map(({ forms }) => forms.map((form) => form.text.replace(/\d+/g, '#')));
    if (one!.length > 0 && several!.length > 0) {
      expect(one, at).not.toEqual(several);
    }
  });
});

describe('one is said as people say it', () => {
  it('in both languages', () => {
    expect(de.calendarPanels.calendar.deleteText(1)).toContain('auch für eine weitere Person.');
    expect(de.calendarPanels.calendar.deleteText(2)).toContain('auch für 2 weitere Personen.');
    expect(en.calendarPanels.calendar.deleteText(1)).toContain('also for the other person who shares it.');
    expect(de.calendar.more(1)).toBe('1 weiterer');
    expect(de.calendar.rule.every.daily(1)).toBe('Jeden Tag');
    expect(en.admin.overview.pieces(12_000)).toBe('In 12,000 pieces');
    expect(de.admin.overview.pieces(12_000)).toBe('In 12.000 Stücken');
  });
});
