// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { actionWords, readTarget, shortId } from './actions';

describe('a line of the log', () => {
  it('names its action in words, or as it is', () => {
    expect(actionWords('user.created')).toBe('Account made');
    expect(actionWords('moon.landed')).toBe('moon.landed');
  });

  it('names what it is about', () => {
    expect(readTarget('user:0192-44')).toEqual({ kind: 'user', id: '0192-44' });
    expect(readTarget('identity:https://id.example.org')).toEqual({ kind: 'identity', id: 'https://id.example.org' });
    expect(readTarget('server')).toEqual({ kind: 'server', id: '' });
    expect(shortId('00000000-0000-4000-8000-00000000dead')).toBe('…0000dead');
    expect(shortId('store.backup')).toBe('store.backup');
  });
});
