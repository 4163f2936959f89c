// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';

import type { Locator, Page } from 'playwright-core';
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

/** Opens the editor of a text file. */
async function edit(page: Page, name: string): Promise<Locator> {
  await openFolder(page, library);
  await rowOf(page, name).getByRole('link').click();
  await page.getByRole('button', { name: 'Edit' }).click();
  return page.getByRole('textbox', { name: `Text of ${name}` });
}

const latin = (text: string) => [...Buffer.from(text, 'latin1')];
const storedBytes = async (name: string) => [...await ann.download(library, `/${name}`)];

test('a Latin-1 text with CRLF keeps its encoding and its line ends', async () => {
  await ann.upload(library, '/old.txt', Buffer.from('Grüße\r\naus Köln\r\n', 'latin1'));
  const page = await newWindow(house.server.url, { as: ann });
  const field = await edit(page, 'old.txt');
  expect(await field.inputValue()).toBe('Grüße\naus Köln\n');
  await page.getByText('Windows-1252 · CRLF').waitFor();
  await expectAccessible(page);
  await field.fill('Grüße\naus Köln\nund Züri\n');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await storedBytes('old.txt')).toEqual(latin('Grüße\r\naus Köln\r\nund Züri\r\n'));
});

test('what an encoding cannot hold is not saved before somebody decides', async () => {
  const before = latin('Fünf Euro\r\n');
  await ann.upload(library, '/price.txt', Uint8Array.from(before));
  const page = await newWindow(house.server.url, { as: ann });
  const field = await edit(page, 'price.txt');
  await field.fill('Fünf Euro → teuer\n');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('Windows-1252 does not have this character: →').waitFor();
  await expectAccessible(page);
  expect(await storedBytes('price.txt')).toEqual(before);
  await page.getByRole('button', { name: 'Save as UTF-8' }).click();
  await page.getByText('UTF-8 · CRLF').waitFor();
  expect(await storedBytes('price.txt')).toEqual([...Buffer.from('Fünf Euro → teuer\r\n')]);
});

test.each<[string, number[]]>([
  ['utf-16.txt', [0xff, 0xfe, ...Buffer.from('Grüße\r\n😀\n', 'utf16le')]],
  ['bom.txt', [0xef, 0xbb, 0xbf, ...Buffer.from('Grüße\rmixed\r\n\n')]],
])('%s that is typed in, taken back and saved is byte for byte what it was', async (name, before) => {
  await ann.upload(library, `/${name}`, Uint8Array.from(before));
  const page = await newWindow(house.server.url, { as: ann });
  const field = await edit(page, name);
  await field.press('End');
  await field.pressSequentially('xy');
  await field.press('Backspace');
  await field.press('Backspace');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await storedBytes(name)).toEqual(before);
});

test('what is no text, or of an unknown encoding, cannot be edited', async () => {
  await ann.upload(library, '/odd.txt', Uint8Array.from([...latin('Stra'), 0x81, ...latin('e')]));
  await ann.upload(library, '/zeros.txt', Uint8Array.from([0x50, 0x4b, 0, 4]));
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  await rowOf(page, 'odd.txt').getByRole('link').click();
  await page.getByText('Unknown encoding').waitFor();
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Close preview' }).click();
  await rowOf(page, 'zeros.txt').getByRole('link').click();
  await page.getByText('This does not look like text').waitFor();
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
});

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
