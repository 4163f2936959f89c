// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { crumbsOf, extensionOf, faultOf, freeName, isWithin, join, nameOf, pageOf, parentOf, placeOf, resolve, splitName } from './paths';

const LIBRARY = '0b1c2d3e-0000-4000-8000-000000000001';

describe('paths', () => {
  it('are joined without slashes too many', () => {
    expect(join('/', 'a')).toBe('/a');
    expect(join('/a/', '/b/', 'c')).toBe('/a/b/c');
    expect(join('/', '')).toBe('/');
  });

  it('know their parent and their name', () => {
    expect(parentOf('/a/b')).toBe('/a');
    expect(parentOf('/a')).toBe('/');
    expect(parentOf('/')).toBe('/');
    expect(nameOf('/a/b.txt')).toBe('b.txt');
    expect(nameOf('/')).toBe('');
  });

  it('are within a folder only as a whole name', () => {
    expect(isWithin('/a/b', '/a')).toBe(true);
    expect(isWithin('/a', '/a')).toBe(true);
    expect(isWithin('/ab', '/a')).toBe(false);
    expect(isWithin('/x', '/')).toBe(true);
  });

  it('are resolved from where they stand', () => {
    expect(resolve('/a/b', 'c.png')).toBe('/a/b/c.png');
    expect(resolve('/a/b', './x/../../c.png')).toBe('/a/c.png');
    expect(resolve('/', '../c.png')).toBe('/c.png');
    expect(resolve('/a', '/c.png')).toBe('/c.png');
  });

  it('lead from the root step by step', () => {
    expect(crumbsOf('/a/b')).toEqual([{ name: 'a', path: '/a' }, { name: 'b', path: '/a/b' }]);
    expect(crumbsOf('/')).toEqual([]);
  });
});

describe('names', () => {
  it('have an extension, or none', () => {
    expect(extensionOf('photo.JPG')).toBe('jpg');
    expect(extensionOf('x.tar.gz')).toBe('tar.gz');
    expect(extensionOf('.profile')).toBe('');
    expect(extensionOf('README')).toBe('');
    expect(extensionOf('what. not')).toBe('');
  });

  it('are split where a number goes', () => {
    expect(splitName('a.b.txt')).toEqual(['a.b', '.txt']);
    expect(splitName('.profile')).toEqual(['.profile', '']);
  });

  it('that are taken get the first free number', () => {
    expect(freeName('a.txt', new Set())).toBe('a.txt');
    expect(freeName('a.txt', new Set(['a.txt', 'a (1).txt']))).toBe('a (2).txt');
    expect(freeName('x.tar.gz', new Set(['x.tar.gz']))).toBe('x (1).tar.gz');
    // The same letters, put together differently.
    expect(freeName('u\u0308.txt', new Set(['\u00fc.txt']))).toBe('u\u0308 (1).txt');
  });

  it('that the server would refuse are told', () => {
    expect(faultOf('  ')).toBe('empty');
    expect(faultOf('a/b')).toBe('slash');
    expect(faultOf('..')).toBe('dots');
    expect(faultOf('ä'.repeat(128))).toBe('long');
    expect(faultOf('ä'.repeat(127))).toBeNull();
  });
});

describe('addresses of pages', () => {
  it('come back as what they were made of', () => {
    for (const path of ['/', '/a', '/100% sure?/#1 & more/ü', '/a%2Fb']) {
      const place = { library: LIBRARY, path };
      expect(placeOf(pageOf(place))).toEqual(place);
    }
  });

  it('of other pages are no place', () => {
    expect(placeOf('/files')).toBeNull();
    expect(placeOf('/files/deleted')).toBeNull();
    expect(placeOf(`/calendar/${LIBRARY}`)).toBeNull();
  });

  it('take a lone percent sign as it is', () => {
    expect(placeOf(`/files/${LIBRARY}/100%`)).toEqual({ library: LIBRARY, path: '/100%' });
  });
});
