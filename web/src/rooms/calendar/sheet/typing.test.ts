// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { newDraft } from './draft';
import { entryAt, isKeptEntry, placeOfEntry, placeOfNew } from './typing';

const draft = newDraft({ title: 'Tea' }, 'Europe/Berlin', '2026-11-17');

describe('the draft of an entry that is kept', () => {
  it('is known by its shape', () => {
    expect(isKeptEntry({ base: draft, draft, etag: null })).toBe(true);
    expect(isKeptEntry({ base: draft, draft: { ...draft, reminders: undefined }, etag: '"1"' })).toBe(false);
    expect(isKeptEntry({ base: draft, etag: null })).toBe(false);
    expect(isKeptEntry(null)).toBe(false);
  });

  it('is found again by the entry it belongs to', () => {
    expect(entryAt(placeOfEntry('abc', '2027-03-01T09:00'))).toEqual({ id: 'abc', occurrence: '2027-03-01T09:00' });
    expect(entryAt(placeOfEntry('abc', null))).toEqual({ id: 'abc', occurrence: null });
    expect(entryAt(placeOfNew())).toBeNull();
  });
});
