// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { isShown, kindOf } from './kinds';

describe('the kind of a file', () => {
  it('is read from its name', () => {
    expect(kindOf('Photo.JPG')).toBe('image');
    expect(kindOf('film.mp4')).toBe('video');
    expect(kindOf('notes.md')).toBe('markdown');
    expect(kindOf('main.cc')).toBe('code');
    expect(kindOf('page.html')).toBe('code');
    expect(kindOf('x.tar.gz')).toBe('archive');
    expect(kindOf('x.tar.lz')).toBe('other');
  });

  it('is text for names that everybody knows', () => {
    expect(kindOf('README')).toBe('text');
    expect(kindOf('.profile')).toBe('text');
    expect(kindOf('core')).toBe('other');
  });

  it('decides whether it is shown', () => {
    expect(isShown('a.pdf')).toBe(true);
    expect(isShown('a.docx')).toBe(false);
  });
});
