// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from 'vitest';

import type { Entry } from '../../../api/folders';
import { DEFAULT_SORTING, rememberedSorting, rememberSorting, sortedBy, sortEntries } from './sorting';

const file = (name: string, size = 0, mtime = 0): Entry => ({ type: 'file', id: name, name, size, mtime });
const folder = (name: string, mtime = 0): Entry => ({ type: 'dir', id: name, name, mtime });
const namesOf = (entries: Entry[]): string[] => entries.map((entry) => entry.name);

describe('entries', () => {
  it('go by name as people count', () => {
    const entries = [file('Img 10.png'), file('img 2.png'), file('Img 1.png')];
    expect(namesOf(sortEntries(entries, DEFAULT_SORTING, 'en'))).toEqual(['Img 1.png', 'img 2.png', 'Img 10.png']);
  });

  it('put accents beside their letters', () => {
    expect(namesOf(sortEntries([file('Zoo'), file('Äpfel'), file('Birne')], DEFAULT_SORTING, 'de'))).toEqual(['Äpfel', 'Birne', 'Zoo']);
  });

  it('have folders first in either direction', () => {
    const entries = [file('a'), folder('b'), file('c'), folder('d')];
    expect(namesOf(sortEntries(entries, { by: 'name', down: false }, 'en'))).toEqual(['b', 'd', 'a', 'c']);
    expect(namesOf(sortEntries(entries, { by: 'name', down: true }, 'en'))).toEqual(['d', 'b', 'c', 'a']);
  });

  it('that are equal go by name, upwards', () => {
    const entries = [file('b', 5, 1), file('a', 5, 1), file('c', 9, 2)];
    expect(namesOf(sortEntries(entries, { by: 'size', down: true }, 'en'))).toEqual(['c', 'a', 'b']);
    expect(namesOf(sortEntries(entries, { by: 'date', down: false }, 'en'))).toEqual(['a', 'b', 'c']);
  });

  it('keep an order that does not depend on where they came from', () => {
    expect(namesOf(sortEntries([file('a'), file('A')], DEFAULT_SORTING, 'en')))
      .toEqual(namesOf(sortEntries([file('A'), file('a')], DEFAULT_SORTING, 'en')));
  });
});

describe('the sorting', () => {
  beforeEach(() => localStorage.clear());

  it('turns around, or begins with what is largest or newest', () => {
    expect(sortedBy({ by: 'name', down: false }, 'name')).toEqual({ by: 'name', down: true });
    expect(sortedBy({ by: 'name', down: true }, 'size')).toEqual({ by: 'size', down: true });
    expect(sortedBy({ by: 'size', down: true }, 'name')).toEqual({ by: 'name', down: false });
  });

  it('is remembered', () => {
    expect(rememberedSorting()).toEqual(DEFAULT_SORTING);
    rememberSorting({ by: 'date', down: true });
    expect(rememberedSorting()).toEqual({ by: 'date', down: true });
  });

  it('that is not known is forgotten', () => {
    localStorage.setItem('atrium.files.sorting', 'colour down');
    expect(rememberedSorting()).toEqual(DEFAULT_SORTING);
  });
});
