// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow, tolerate } from './browser';
import { eventually } from './eventually';
import { openFolder, rowOf, transfers } from './files_page';
import { House, type Person } from './house';
import { newFolder } from './places';

const MEBIBYTE = 1024 * 1024;

let house: House;
let ann: Person;
let folder: string;

beforeAll(async () => {
  folder = newFolder('uploads');
  house = await House.start();
  ann = await house.addPerson('ann@example.org', { name: 'Ann' });
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await house.stop();
});

/** A file that no two parts of are alike, and its hash. */
function makeFile(path: string, mebibytes: number): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'w');
  for (let number = 0; number < mebibytes; number += 1) {
    const piece = randomBytes(MEBIBYTE);
    hash.update(piece);
    writeSync(file, piece);
  }
  closeSync(file);
  return hash.digest('hex');
}

async function hashOf(library: string, path: string): Promise<string> {
  return createHash('sha256').update(await ann.download(library, path)).digest('hex');
}

test('an upload of 200 MB goes on where it was after the server was restarted', async () => {
  tolerate(/ERR_|Failed to load resource|WebSocket/);
  const hash = makeFile(join(folder, 'film.bin'), 200);
  const library = await ann.makeLibrary('Films');
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  const arrived = async () => (await ann.ask('GET', `/api2/repos/${library}/file-uploaded-bytes?parent_dir=/&file_name=film.bin`)).uploadedBytes;
  await page.getByLabel('Upload files').setInputFiles(join(folder, 'film.bin'));
  const before = await eventually('some of the file', async () => {
    const bytes = await arrived();
    return bytes > 20 * MEBIBYTE ? bytes : 0;
  }, 60);
  expect(before).toBeLessThan(200 * MEBIBYTE);
  await house.server.halt();
  await transfers(page).getByText('Waiting for the server').waitFor();
  await house.server.start();
  expect(await arrived(), 'what had arrived is kept').toBeGreaterThanOrEqual(before);
  await transfers(page).getByText('1 file uploaded').waitFor({ timeout: 60_000 });
  await rowOf(page, 'film.bin').waitFor();
  expect(await hashOf(library, '/film.bin')).toBe(hash);
});

test('an upload is paused and goes on', async () => {
  // Whoever goes on asks first whether the file is there by now.
  tolerate(/404.*\/file\?p=/);
  const hash = makeFile(join(folder, 'song.bin'), 100);
  const library = await ann.makeLibrary('Songs');
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  await page.getByLabel('Upload files').setInputFiles(join(folder, 'song.bin'));
  await transfers(page).getByRole('button', { name: 'Pause all' }).click();
  await transfers(page).getByText('Uploads are paused').waitFor();
  expect(await ann.tree(library)).toEqual([]);
  await transfers(page).getByRole('button', { name: 'Resume all' }).click();
  await transfers(page).getByText('1 file uploaded').waitFor({ timeout: 60_000 });
  expect(await hashOf(library, '/song.bin')).toBe(hash);
});

test('a whole folder is uploaded as it is', async () => {
  const holiday = join(folder, 'Holiday');
  mkdirSync(join(holiday, 'Day 1', 'Evening'), { recursive: true });
  mkdirSync(join(holiday, 'Day 2'), { recursive: true });
  writeFileSync(join(holiday, 'list.txt'), 'Everything');
  writeFileSync(join(holiday, 'Day 1', 'beach.txt'), 'Sand');
  writeFileSync(join(holiday, 'Day 1', 'Evening', 'düne & meer #1.txt'), 'Stars');
  writeFileSync(join(holiday, 'Day 2', 'empty.txt'), '');
  const library = await ann.makeLibrary('Trips');
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  await page.getByLabel('Upload a folder').setInputFiles(holiday);
  await transfers(page).getByText('4 files uploaded').waitFor();
  expect((await ann.tree(library)).filter((path) => !path.endsWith('/'))).toEqual([
    '/Holiday/Day 1/Evening/düne & meer #1.txt', '/Holiday/Day 1/beach.txt', '/Holiday/Day 2/empty.txt', '/Holiday/list.txt',
  ]);
  await rowOf(page, 'Holiday').waitFor();
});

test('of names that are taken one is asked', async () => {
  const library = await ann.makeLibrary('Notes');
  await ann.upload(library, '/note.txt', 'old');
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('new') };
  await page.getByLabel('Upload files').setInputFiles(note);
  const question = page.getByRole('dialog', { name: 'One name is taken' });
  await question.getByRole('button', { name: /Keep both/ }).click();
  await rowOf(page, 'note (1).txt').waitFor();
  await page.getByLabel('Upload files').setInputFiles(note);
  await question.getByRole('button', { name: /Replace/ }).click();
  await expect.poll(async () => new TextDecoder().decode(await ann.download(library, '/note.txt'))).toBe('new');
});
