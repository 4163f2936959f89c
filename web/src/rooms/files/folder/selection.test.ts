// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { all, checked, clicked, kept, moved, movedTo, none, NOTHING, only, typed } from './selection';

const NAMES = ['apple', 'banana', 'cherry', 'date', 'elder'];
const SHIFT = { range: true, toggle: false };
const CONTROL = { range: false, toggle: true };
const BOTH = { range: true, toggle: true };
const chosenOf = (selection: { chosen: ReadonlySet<string> }): string[] => [...selection.chosen].sort();

describe('a click', () => {
  it('chooses one alone', () => {
    expect(chosenOf(clicked(NAMES, all(NAMES, NOTHING), 'date'))).toEqual(['date']);
  });

  it('with control adds and takes away', () => {
    const two = clicked(NAMES, only('apple'), 'cherry', CONTROL);
    expect(chosenOf(two)).toEqual(['apple', 'cherry']);
    expect(chosenOf(clicked(NAMES, two, 'apple', CONTROL))).toEqual(['cherry']);
  });

  it('with shift chooses everything between, in either direction', () => {
    const range = clicked(NAMES, only('date'), 'banana', SHIFT);
    expect(chosenOf(range)).toEqual(['banana', 'cherry', 'date']);
    expect(chosenOf(clicked(NAMES, range, 'elder', SHIFT))).toEqual(['date', 'elder']);
  });

  it('with both keeps what was chosen', () => {
    const before = clicked(NAMES, only('apple'), 'cherry', CONTROL);
    expect(chosenOf(clicked(NAMES, before, 'date', BOTH))).toEqual(['apple', 'cherry', 'date']);
  });

  it('with shift and nothing to begin from chooses one', () => {
    expect(chosenOf(clicked(NAMES, NOTHING, 'date', SHIFT))).toEqual(['date']);
  });
});

describe('a check box', () => {
  it('leaves the others alone', () => {
    expect(chosenOf(checked(NAMES, only('apple'), 'date', false))).toEqual(['apple', 'date']);
    expect(chosenOf(checked(NAMES, only('apple'), 'cherry', true))).toEqual(['apple', 'banana', 'cherry']);
  });
});

describe('an arrow key', () => {
  it('begins at the top, or at the end', () => {
    expect(moved(NAMES, NOTHING, 1).focus).toBe('apple');
    expect(moved(NAMES, NOTHING, -1).focus).toBe('elder');
  });

  it('goes to either end', () => {
    expect(movedTo(NAMES, NOTHING, 0).focus).toBe('apple');
    expect(chosenOf(movedTo(NAMES, only('cherry'), 4, SHIFT))).toEqual(['cherry', 'date', 'elder']);
  });

  it('stays within the list', () => {
    expect(moved(NAMES, only('elder'), 1).focus).toBe('elder');
    expect(moved(NAMES, only('banana'), -10).focus).toBe('apple');
    expect(moved([], NOTHING, 1)).toBe(NOTHING);
  });

  it('with shift makes the range larger and smaller', () => {
    const two = moved(NAMES, only('cherry'), 1, SHIFT);
    expect(chosenOf(two)).toEqual(['cherry', 'date']);
    expect(chosenOf(moved(NAMES, two, -1, SHIFT))).toEqual(['cherry']);
    expect(chosenOf(moved(NAMES, moved(NAMES, two, -1, SHIFT), -1, SHIFT))).toEqual(['banana', 'cherry']);
  });

  it('with control moves without choosing', () => {
    const walked = moved(NAMES, only('apple'), 1, CONTROL);
    expect(walked.focus).toBe('banana');
    expect(chosenOf(walked)).toEqual(['apple']);
  });
});

describe('a list that changed', () => {
  it('keeps what is still there', () => {
    const before = clicked(NAMES, only('apple'), 'cherry', CONTROL);
    const after = kept(new Set(['apple', 'date']), before);
    expect(chosenOf(after)).toEqual(['apple']);
    expect(after.focus).toBeNull();
  });

  it('can be left with nothing chosen, and the keyboard where it is', () => {
    expect(none(only('date'))).toEqual({ chosen: new Set(), anchor: null, focus: 'date' });
  });
});

describe('letters', () => {
  it('lead to the next name that begins with them', () => {
    expect(typed(NAMES, NOTHING, 'c').focus).toBe('cherry');
    expect(typed(['ab', 'ac', 'ad'], only('ab'), 'a').focus).toBe('ac');
    expect(typed(['ab', 'ac', 'ad'], only('ad'), 'a').focus).toBe('ab');
    expect(typed(['ab', 'ac', 'ad'], only('ab'), 'ac').focus).toBe('ac');
    expect(typed(['ab', 'ac', 'ad'], only('ac'), 'aa').focus).toBe('ad');
    expect(typed(NAMES, only('date'), 'x').focus).toBe('date');
  });
});
