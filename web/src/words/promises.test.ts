// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { de } from './de';
import { en } from './en';

/** All texts by where they stand; those that are made of something are made of a word. */
function textsIn(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') return [[at, value]];
    if (typeof value === 'function') return [[at, value.toString()]];
    return typeof value === 'object' && value !== null ? textsIn(value, at) : [];
  });
}

describe('a text about a letter', () => {
  it.each([['en', en, /on its way|was sent to|went to/], ['de', de, /(Link|Mail)\b.*\bunterwegs|ging an/]] as const)(
    'in %s does not promise what only waits to be sent', (_, words, promise) => {
      const all = textsIn(words);
      expect(all.length).toBeGreaterThan(500);
      expect(all.filter(([, text]) => promise.test(text)).map(([at]) => at)).toEqual([]);
    });
});

describe('the log', () => {
  it('says no more of a refused link than is known', () => {
    expect(en.admin.audit.actions['link.refused']).toBe('Link refused: no account here that it could let in');
    expect(de.admin.audit.actions['link.refused']).toBe('Link verweigert: kein Konto hier, das er öffnen könnte');
  });

  it('heads those who asked to be let in together with those who were', () => {
    expect([en.admin.audit.groups.applicant, de.admin.audit.groups.applicant]).toEqual(['Requests to be let in', 'Anfragen auf Einlass']);
  });
});
