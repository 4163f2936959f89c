// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow } from './browser';
import { entryIn, MONDAY } from './calendar_page';
import { openFolder, rowOf } from './files_page';
import { House, type Person } from './house';

let house: House;
let ann: Person;

beforeAll(async () => {
  house = await House.start();
  ann = await house.addPerson('ann@example.org', { name: 'Ann' });
});

afterAll(() => house.stop());

async function openMonth(): Promise<Page> {
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto(`/calendar/month/${MONDAY}`);
  await page.getByRole('heading', { name: 'March 2027' }).first().waitFor();
  // Nothing can be made before it is known where.
  await page.getByRole('button', { name: 'New', exact: true }).waitFor();
  return page;
}

test('the first stop of the page leads past the navigation', async () => {
  const page = await openMonth();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
});

test('an entry is made, opened and deleted without a mouse', async () => {
  const page = await openMonth();
  await page.keyboard.press('n');
  const sheet = page.getByRole('dialog', { name: 'New entry' });
  await sheet.waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName), 'the title has the focus').toBe('INPUT');
  await page.keyboard.type('Typed');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await ann.ask('GET', '/api/search?q=typed')).entries.length).toBe(1);
  await sheet.waitFor({ state: 'detached' });

  await entryIn(page, 'Typed').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Entry' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Entry' }).waitFor({ state: 'detached' });
});

test('arrows and letters lead through time', async () => {
  const page = await openMonth();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: 'April 2027' }).first().waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('heading', { name: 'February 2027' }).first().waitFor();
  await page.keyboard.press('t');
  const today = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'Europe/Berlin' }).format(new Date());
  await page.getByRole('heading', { name: today }).first().waitFor();
  await page.keyboard.press('2');
  await page.getByRole('button', { name: 'Week', exact: true, pressed: true }).waitFor();
});

test('keys are explained, and searching begins with one', async () => {
  const page = await openMonth();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  // What is typed there is no shortcut.
  await page.keyboard.type('n');
  expect(await page.getByRole('dialog', { name: 'New entry' }).count()).toBe(0);
});

test('a dialog keeps the focus, and gives it back', async () => {
  const page = await openMonth();
  const button = page.getByRole('button', { name: 'New', exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'New entry' });
  await sheet.waitFor();
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Tab');
    const inside = await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null);
    expect(inside).toBe(true);
  }
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('files are chosen, opened and deleted with keys', async () => {
  const library = await ann.makeLibrary('Papers');
  await ann.upload(library, '/a.txt', 'A');
  await ann.upload(library, '/b.txt', 'B');
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  await rowOf(page, 'b.txt').waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('B', { exact: true }).last().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => ann.tree(library)).toHaveLength(1);
});
