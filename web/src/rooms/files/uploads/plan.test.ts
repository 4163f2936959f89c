// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { pickedFromDrop, pickedFromInput, type PickedFile } from './picked';
import { conflictsOf, firstFolders, planUploads, type TakenNames } from './plan';

const picked = (name: string, relative = ''): PickedFile => ({ file: new File(['x'], name), relative });
const PLACE = { library: 'l', folder: '/docs' };
const files = (...names: string[]) => new Map(names.map((name) => [name, 'file' as const]));
const TAKEN: TakenNames = new Map([['/docs', files('a.txt', 'a (1).txt')], ['/docs/sub', files('b.txt')]]);
const FILES = [picked('a.txt'), picked('b.txt'), picked('b.txt', 'sub'), picked('c.txt', 'sub/deep')];

const pathsOf = (planned: ReturnType<typeof planUploads>): string[] =>
  planned.map(({ target }) => `${target.relative}/${target.name}${target.replace ? ' replaces' : ''}`);

describe('conflicts', () => {
  it('are names that are taken in the very folder', () => {
    expect(conflictsOf('/docs', FILES, TAKEN)).toEqual([FILES[0], FILES[2]]);
  });

  it('see through the spelling of letters', () => {
    expect(conflictsOf('/', [picked('u\u0308.txt')], new Map([['/', files('\u00fc.txt')]]))).toHaveLength(1);
  });
});

describe('a plan', () => {
  it('replaces what is taken and nothing else', () => {
    expect(pathsOf(planUploads(PLACE, FILES, TAKEN, 'replace')))
      .toEqual(['/a.txt replaces', '/b.txt', 'sub/b.txt replaces', 'sub/deep/c.txt']);
  });

  it('keeps both under free names', () => {
    expect(pathsOf(planUploads(PLACE, FILES, TAKEN, 'keepBoth'))).toEqual(['/a (2).txt', '/b.txt', 'sub/b (1).txt', 'sub/deep/c.txt']);
  });

  it('puts a file beside a folder of its name, and never in its place', () => {
    const folder: TakenNames = new Map([['/docs', new Map([['a.txt', 'dir' as const]])]]);
    expect(pathsOf(planUploads(PLACE, [picked('a.txt')], folder, 'replace'))).toEqual(['/a (1).txt']);
  });

  it('skips', () => {
    expect(pathsOf(planUploads(PLACE, FILES, TAKEN, 'skip'))).toEqual(['/b.txt', 'sub/deep/c.txt']);
  });

  it('does not let two new files take the same name', () => {
    expect(pathsOf(planUploads(PLACE, [picked('n'), picked('n')], new Map(), 'replace'))).toEqual(['/n', '/n (1)']);
  });

  it('looks at the first folders of what comes', () => {
    expect(firstFolders(FILES)).toEqual(['sub']);
  });
});

describe('what somebody picked', () => {
  it('keeps the folders of a folder, without what systems leave there', () => {
    const inFolder = (name: string, path: string) => Object.defineProperty(new File([], name), 'webkitRelativePath', { value: path });
    const { files } = pickedFromInput([inFolder('a', 'top/sub/a'), inFolder('.DS_Store', 'top/.DS_Store'), new File([], 'loose')]);
    expect(files.map(({ file, relative }) => [relative, file.name])).toEqual([['top/sub', 'a'], ['', 'loose']]);
  });

  it('is read from a drop, with folders that are empty', async () => {
    const file = (name: string) => ({ isFile: true, name, file: (done: (f: File) => void) => done(new File([], name)) });
    const folder = (name: string, children: unknown[]) => {
      const batches = [children.slice(0, 1), children.slice(1)].filter((some) => some.length > 0);
      return { isFile: false, name, createReader: () => ({ readEntries: (done: (e: unknown[]) => void) => done(batches.shift() ?? []) }) };
    };
    const items = [file('x'), folder('top', [file('a'), folder('none', []), file('b')])]
      .map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry }));
    const { files, emptyFolders } = await pickedFromDrop(items as unknown as DataTransferItemList);
    expect(files.map((one) => `${one.relative}/${one.file.name}`)).toEqual(['/x', 'top/a', 'top/b']);
    expect(emptyFolders).toEqual(['top/none']);
  });
});
