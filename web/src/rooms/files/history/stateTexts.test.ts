// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { filesHistory } from '../../../words/en/filesHistory';
import { describeState } from './stateTexts';

const told = (description: string) => describeState(description, filesHistory.deeds);

describe('states', () => {
  it('are told in our words', () => {
    expect(told('Created library')).toBe('Library made');
    expect(told('Added "a.txt".')).toBe('Added “a.txt”');
    expect(told('Added or modified "a.txt" and 2 more files.')).toBe('Uploaded “a.txt” and 2 more');
    expect(told('Added directory "Photos".')).toBe('Added folder “Photos”');
    expect(told('Renamed "a" to "b".')).toBe('Renamed “a” to “b”');
    expect(told('Renamed library to "X"')).toBe('Library renamed to “X”');
    expect(told('Deleted "a" and 9 more files.')).toBe('Deleted “a” and 9 more');
    expect(told('Recovered deleted directory "d" and 1 more.')).toBe('Brought back “d” and 1 more');
    expect(told('Reverted file "a" to status at 2026-01-02 03:04:05.')).toBe('Restored an earlier “a”');
    expect(told('Reverted library to status at 2026-01-02 03:04:05.')).toBe('Restored an earlier state of the library');
  });

  it('may have quotes in names', () => {
    expect(told('Added "a "b".txt".')).toBe('Added “a "b".txt”');
  });

  it('of clients can have several lines', () => {
    expect(told('Added "a".\nModified "b".\n')).toBe('Added “a” · Changed “b”');
  });

  it('that nobody knows stay as they are', () => {
    expect(told('Something else')).toBe('Something else');
    expect(told('')).toBe('');
  });
});
