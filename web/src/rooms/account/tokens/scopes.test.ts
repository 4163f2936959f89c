// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { de } from '../../../words/de';
import { en } from '../../../words/en';
import { USUAL, describeScopes, scopesOf } from './scopes';

const inEnglish = (...scopes: string[]) => describeScopes(scopes, en.account.token, 'en');

describe('scopes', () => {
  it('are written as the server reads them', () => {
    expect(scopesOf(USUAL.app_password)).toEqual(['account:read', 'calendars:write', 'files:write']);
    expect(scopesOf({ account: 'none', calendars: 'none', groups: 'none', files: 'none', admin: 'none' })).toEqual([]);
  });

  it('are told in plain words', () => {
    expect(inEnglish('account:read', 'calendars:write', 'files:write')).toBe('changes calendars and files, reads your account');
    expect(inEnglish('files:read')).toBe('reads files');
    expect(inEnglish('*')).toBe('may do everything you may');
    expect(inEnglish()).toBe('may do nothing');
  });

  it('are told in German, where nouns stay tall', () => {
    expect(describeScopes(['account:read', 'calendars:write'], de.account.token, 'de')).toBe('ändert Kalender, liest dein Konto');
  });
});
