// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { h, render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';

import type { Me } from '../api/me';
import { draftPlaces, dropDraft, findDraft, removeOldDrafts, useKeptDraft, type DraftKeeping } from './drafts';
import { me } from './session';

const isText = (typed: unknown): typed is string => typeof typed === 'string';
const signIn = (id: string | null): void => { me.value = id === null ? null : ({ user: { id } } as Me); };

/** A form that is open at a place. */
class Form {
  private readonly at = document.createElement('div');
  private keeping: DraftKeeping | null = null;

  constructor(private readonly place: string, private readonly isRestored = false) {}

  private readonly Shown = ({ typed, isDirty }: { typed: string; isDirty: boolean }) => {
    this.keeping = useKeptDraft(this.place, typed, { isDirty, isRestored: this.isRestored });
    return null;
  };

  type(typed: string, isDirty = true): void {
    void act(() => render(h(this.Shown, { typed, isDirty }), this.at));
  }

  save(): void {
    this.keeping!.forget();
    this.close();
  }

  close(): void {
    void act(() => render(null, this.at));
  }
}

beforeEach(() => {
  localStorage.clear();
  signIn('ann');
});

describe('what was typed and not saved', () => {
  it('is there again after a reload', async () => {
    const form = new Form('note/1');
    form.type('Dear');
    form.type('Dear all');
    form.close();
    expect(await findDraft('note/1', isText)).toBe('Dear all');
    expect(draftPlaces('note/')).toEqual(['note/1']);
  });

  it('outlives the session in which it was typed, and is shown to nobody else', async () => {
    const form = new Form('note/1');
    form.type('A secret');
    signIn(null);
    form.close();
    signIn('bob');
    expect(await findDraft('note/1', isText)).toBeNull();
    expect(draftPlaces('note/')).toEqual([]);
    signIn('ann');
    expect(await findDraft('note/1', isText)).toBe('A secret');
  });

  it('is not shown to somebody else who comes while it is looked for', async () => {
    const form = new Form('note/1');
    form.type('A secret');
    form.close();
    const looked = findDraft('note/1', isText);
    signIn('bob');
    expect(await looked).toBeNull();
  });

  it('is removed where it has another shape than what is typed there now', async () => {
    const form = new Form('note/1');
    form.type('x');
    form.close();
    expect(await findDraft('note/1', (typed): typed is object => typeof typed === 'object')).toBeNull();
    expect(draftPlaces('note/')).toEqual([]);
  });

  it('is gone once it is saved, or is as before', async () => {
    const saved = new Form('note/1');
    saved.type('x');
    saved.save();
    const undone = new Form('note/2');
    undone.type('x');
    undone.type('', false);
    undone.close();
    expect(draftPlaces('note/')).toEqual([]);
  });

  it('is not removed by a form that is merely opened', async () => {
    const form = new Form('note/1');
    form.type('x');
    form.close();
    const other = new Form('note/1');
    other.type('', false);
    other.close();
    expect(await findDraft('note/1', isText)).toBe('x');
    dropDraft('note/1');
    expect(await findDraft('note/1', isText)).toBeNull();
  });

  it('is removed after two weeks, whosever it is', () => {
    const form = new Form('note/1');
    form.type('x');
    form.close();
    localStorage.setItem('atrium.draft bob note/2', 'damaged');
    localStorage.setItem('atrium.language', 'de');
    removeOldDrafts(Date.now() + 13 * 86_400_000);
    expect(draftPlaces('note/')).toEqual(['note/1']);
    removeOldDrafts(Date.now() + 15 * 86_400_000);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('atrium.draft'))).toEqual([]);
    expect(localStorage.getItem('atrium.language')).toBe('de');
  });
});
