// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { newWindow, PHONE, tolerate } from './browser';
import { chooseFor, openFolder, rowOf, transfers } from './files_page';
import { House, type Person } from './house';
import { expectAccessible, expectNoSidewaysScrolling, settled } from './looks';

let house: House;
let ann: Person;
let library: string;
let number = 0;

beforeAll(async () => {
  house = await House.start();
});

beforeEach(async () => {
  number += 1;
  ann = await house.addPerson(`ann${number}@example.org`, { name: 'Ann' });
  library = await ann.makeLibrary('Papers');
});

afterAll(() => house.stop());

test('a library is made, files are put into it, a folder too', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto('/files');
  await page.getByRole('button', { name: 'New library' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New library' });
  await dialog.getByLabel('Name', { exact: true }).fill('Recipes');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create library' }).click();
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
  await page.getByText('This folder is empty').waitFor();
  await page.getByLabel('Upload files').setInputFiles([
    { name: 'bread.md', mimeType: 'text/markdown', buffer: Buffer.from('# Bread\n') },
    { name: 'soup.md', mimeType: 'text/markdown', buffer: Buffer.from('# Soup\n') },
  ]);
  await transfers(page).getByText('2 files uploaded').waitFor();
  await rowOf(page, 'bread.md').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New folder' }).click();
  await page.getByLabel('Name of the folder').fill('Cakes');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await rowOf(page, 'Cakes').waitFor();
});

test('files are renamed, moved, copied, deleted and brought back', async () => {
  await ann.upload(library, '/letter.txt', 'Dear all');
  await ann.upload(library, '/Old/first.txt', 'First');
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);

  await chooseFor(page, 'letter.txt', 'Rename');
  await page.getByLabel('New name').fill('letter to all.txt');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await rowOf(page, 'letter to all.txt').waitFor();

  await chooseFor(page, 'letter to all.txt', 'Copy');
  await page.getByRole('dialog').getByText('Old', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy here' }).click();
  await expect.poll(() => ann.tree(library)).toContain('/Old/letter to all.txt');

  await chooseFor(page, 'letter to all.txt', 'Delete');
  await expect.poll(() => rowOf(page, 'letter to all.txt').count()).toBe(0);
  await page.getByRole('status').locator('div', { hasText: 'is in the trash' }).getByRole('button', { name: 'Undo' }).click();
  await rowOf(page, 'letter to all.txt').waitFor();

  await chooseFor(page, 'Old', 'Delete');
  await expect.poll(() => rowOf(page, 'Old').count()).toBe(0);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Trash' }).click();
  await page.getByRole('heading', { name: /Trash of/ }).waitFor();
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: /Bring back/ }).first().click();
  await expect.poll(() => ann.tree(library)).toContain('/Old/first.txt');
});

test('an old version of a file is looked at and restored', async () => {
  for (const text of ['first thoughts', 'second thoughts', 'third thoughts']) {
    await ann.upload(library, '/plan.txt', text);
  }
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  await chooseFor(page, 'plan.txt', 'Versions');
  const sheet = page.getByRole('dialog', { name: 'Versions of “plan.txt”' });
  await expect.poll(() => sheet.getByRole('listitem').count()).toBe(3);
  await expectAccessible(page);
  await sheet.getByRole('listitem').last().getByRole('button', { name: 'View' }).click();
  await page.getByText('first thoughts').waitFor();
  await page.keyboard.press('Escape');
  await sheet.getByRole('listitem').last().getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('dialog', { name: 'Restore this version?' }).getByRole('button', { name: 'Restore' }).click();
  await expect.poll(async () => new TextDecoder().decode(await ann.download(library, '/plan.txt'))).toBe('first thoughts');
  await expect.poll(() => sheet.getByRole('listitem').count()).toBe(4);
});

test('the history of a library leads back to all of it', async () => {
  await ann.upload(library, '/a.txt', 'A');
  await ann.upload(library, '/b.txt', 'B');
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto(`/files/${library}?show=history`);
  await page.getByText('Uploaded “b.txt”').waitFor();
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore the library' }).first().click();
  await page.getByRole('dialog', { name: /Restore the library to/ }).getByRole('button', { name: 'Restore all' }).click();
  await expect.poll(() => ann.tree(library)).toEqual(['/a.txt']);
});

test('pictures, texts and Markdown are shown, and what could harm is not', async () => {
  tolerate(/404.*p=%2Fx/);
  const html = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script><p style="color: red">Red</p>';
  await ann.upload(library, '/note.md', `# Hello\n\nA **strong** word.\n\n${html}\n`);
  await ann.upload(library, '/dot.png', PIXEL);
  await ann.upload(library, '/plain.txt', 'Only words');
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  await rowOf(page, 'note.md').getByRole('link').click();
  await page.getByRole('heading', { name: 'Hello' }).waitFor();
  await expectAccessible(page);
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  await page.getByRole('button', { name: 'Close preview' }).click();
  await rowOf(page, 'dot.png').getByRole('link').click();
  const picture = page.getByRole('img', { name: 'dot.png' });
  await expect.poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1);
  await page.keyboard.press('Escape');
  await rowOf(page, 'plain.txt').getByRole('link').click();
  await page.getByText('Only words').waitFor();
});

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('a file and a folder are saved', async () => {
  await ann.upload(library, '/Photos/one.txt', 'One');
  await ann.upload(library, '/word.txt', 'A word');
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  const [file] = await Promise.all([page.waitForEvent('download'), chooseFor(page, 'word.txt', 'Download')]);
  expect(readFileSync(await file.path(), 'utf8')).toBe('A word');
  const [archive] = await Promise.all([page.waitForEvent('download'), chooseFor(page, 'Photos', 'Download as ZIP')]);
  expect(archive.suggestedFilename()).toMatch(/\.zip$/);
  expect(readFileSync(await archive.path()).subarray(0, 2).toString()).toBe('PK');
});

test('an encrypted library opens with its password', async () => {
  tolerate(/400.*set-password/);
  const secret = (await ann.ask('POST', '/api/v2.1/repos', { name: 'Diary', passwd: 'not for everybody' })).repo_id;
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto(`/files/${secret}`);
  await page.getByLabel('Password of the library').fill('wrong password');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByText('This is not the password of the library.').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Password of the library').fill('not for everybody');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByText('This folder is empty').waitFor();
});

test('files are found by a part of their name', async () => {
  await ann.upload(library, '/Letters/invoice 2027.txt', 'x');
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto('/files/search?q=invoice');
  await page.getByText('invoice 2027.txt').first().waitFor();
  await settled(page);
  await expectAccessible(page);
});

test('on a phone the folder fits, and its files can be reached', async () => {
  await ann.upload(library, '/a rather long name of a file that does not fit into one line of a phone.txt', 'x');
  const page = await newWindow(house.server.url, { as: ann, viewport: PHONE });
  await openFolder(page, library);
  await settled(page);
  await expectNoSidewaysScrolling(page);
  await expectAccessible(page);
});
