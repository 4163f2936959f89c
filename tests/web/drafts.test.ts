// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { newWindow, tolerate } from './browser';
import { entryIn, MONDAY, openWeek } from './calendar_page';
import { openFolder, rowOf } from './files_page';
import { House, PASSWORD, type Person } from './house';
import { expectAccessible } from './looks';

let house: House;
let ann: Person;
let calendar: string;
let number = 0;

beforeAll(async () => {
  house = await House.start();
});

beforeEach(async () => {
  number += 1;
  ann = await house.addPerson(`ann${number}@example.org`, { name: 'Ann' });
  calendar = await ann.defaultCalendar();
});

afterAll(() => house.stop());

const RESTORED = 'Restored what you had typed';

async function enter(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Types a new entry, and does not save it. */
async function beginEntry(page: Page, title: string): Promise<Locator> {
  await openWeek(page);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New entry' });
  await sheet.getByLabel('Title').fill(title);
  await sheet.getByLabel('Notes').fill('Bring the\nscores');
  return sheet;
}

/** A page that is left before it has rendered what was typed has kept nothing yet. */
async function untilKept(page: Page, typed: string): Promise<void> {
  await page.waitForFunction((text) => Object.values(localStorage).some((kept) => String(kept).includes(text)), typed);
}

test('a new entry outlives a session that is ended elsewhere', async () => {
  tolerate(/401/);
  const page = await newWindow(house.server.url, { as: ann });
  const sheet = await beginEntry(page, 'Choir');
  const elsewhere = await house.signIn(ann.email);
  await elsewhere.ask('POST', '/api/auth/logout-all');
  // The page may notice by itself before the button is pressed.
  await sheet.getByRole('button', { name: 'Add', exact: true }).click({ timeout: 3000 }).catch(() => undefined);
  await page.waitForURL('**/login?return_to=*');
  await enter(page, ann.email);
  await sheet.getByText(RESTORED).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/calendar/week/${MONDAY}`);
  expect(await sheet.getByLabel('Title').inputValue()).toBe('Choir');
  expect(await sheet.getByLabel('Notes').inputValue()).toBe('Bring the\nscores');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(async () => (await (await house.signIn(ann.email)).ask('GET', '/api/search?q=Choir')).entries.length).toBe(1);
  await page.reload();
  await page.getByRole('region', { name: 'Entries' }).waitFor();
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('atrium.draft')))).toEqual([]);
});

test('an entry that is being changed outlives a reload, and can be discarded', async () => {
  const entry = await ann.makeEntry(calendar, { title: 'Picnic', startDate: MONDAY });
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await entryIn(page, 'Picnic').click();
  const sheet = page.getByRole('dialog', { name: 'Entry' });
  await sheet.getByLabel('Title').fill('Picnic in the park');
  await untilKept(page, 'Picnic in the park');
  await page.reload();
  await sheet.getByText(RESTORED).waitFor();
  expect(await sheet.getByLabel('Title').inputValue()).toBe('Picnic in the park');
  await sheet.getByRole('button', { name: 'Discard it' }).click();
  await expect.poll(() => sheet.getByLabel('Title').inputValue()).toBe('Picnic');
  await page.reload();
  await sheet.getByLabel('Title').waitFor();
  expect(await sheet.getByText(RESTORED).count()).toBe(0);
  expect((await ann.ask('GET', `/api/entries/${entry.id}`)).title).toBe('Picnic');
});

test('what somebody else changed in between is shown beside what was typed', async () => {
  const entry = await ann.makeEntry(calendar, { title: 'Picnic', startDate: MONDAY });
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto(`/calendar/week/${MONDAY}?entry=${entry.id}`);
  const sheet = page.getByRole('dialog', { name: 'Entry' });
  await sheet.getByLabel('Title').fill('Picnic in the park');
  await untilKept(page, 'Picnic in the park');
  await page.goto('about:blank');
  await ann.ask('PUT', `/api/entries/${entry.id}`, { location: 'Lake' });
  await page.goto(`/calendar/week/${MONDAY}?entry=${entry.id}`);
  await sheet.getByRole('alert').getByText('Lake').waitFor();
  expect(await sheet.getByLabel('Title').inputValue()).toBe('Picnic in the park');
  await sheet.getByRole('button', { name: 'Save mine over it' }).click();
  await expect.poll(async () => (await ann.ask('GET', `/api/entries/${entry.id}`)).title).toBe('Picnic in the park');
  expect((await ann.ask('GET', `/api/entries/${entry.id}`)).location).toBe('Lake');
});

test('a closed tab loses nothing, and one that is open keeps what is its own', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  const sheet = await beginEntry(page, 'Rehearsal');
  const other = await page.context().newPage();
  await openWeek(other);
  await other.getByRole('button', { name: 'New', exact: true }).click();
  expect(await other.getByRole('dialog', { name: 'New entry' }).getByLabel('Title').inputValue()).toBe('');
  await other.close();
  expect(await sheet.getByLabel('Title').inputValue()).toBe('Rehearsal');
  const context = page.context();
  const third = await context.newPage();
  await page.close();
  await openWeek(third);
  const again = third.getByRole('dialog', { name: 'New entry' });
  await again.getByText(RESTORED).waitFor();
  expect(await again.getByLabel('Title').inputValue()).toBe('Rehearsal');
});

test('nobody else who signs in here is shown it', async () => {
  const bob = await house.addPerson(`bob${number}@example.org`, { name: 'Bob' });
  const page = await newWindow(house.server.url, { as: ann });
  await beginEntry(page, 'Surprise for Bob');
  await page.context().clearCookies();
  await page.goto('/login');
  await enter(page, bob.email);
  await page.getByRole('region', { name: 'Entries' }).waitFor();
  await page.getByRole('checkbox', { name: /^Show / }).first().waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.context().clearCookies();
  await page.goto('/login');
  await enter(page, ann.email);
  await page.getByRole('dialog', { name: 'New entry' }).getByText(RESTORED).waitFor();
});

test('nor who signs in where it was restored, in a window that is not loaded again', async () => {
  tolerate(/40[14]/);
  const bob = await house.addPerson(`bob${number}@example.org`, { name: 'Bob' });
  const page = await newWindow(house.server.url, { as: ann });
  const sheet = await beginEntry(page, 'Surprise for Bob');
  await page.reload();
  await sheet.getByText(RESTORED).waitFor();
  await (await house.signIn(ann.email)).ask('POST', '/api/auth/logout-all');
  await sheet.getByRole('button', { name: 'Add', exact: true }).click({ timeout: 3000 }).catch(() => undefined);
  await page.waitForURL('**/login?return_to=*');
  const { user: { id } } = await bob.ask('GET', '/api/me');
  // Whatever is shown for a moment counts as well.
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => document.querySelectorAll('[role=dialog], dialog').forEach((one) => seen.push(one.textContent ?? '')))
      .observe(document.body, { childList: true, subtree: true });
  });
  await enter(page, bob.email);
  await page.getByRole('region', { name: 'Entries' }).waitFor();
  await page.getByRole('checkbox', { name: /^Show / }).first().waitFor();
  const keys = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('atrium.draft')));
  expect((await keys()).filter((key) => key.includes(id as string))).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
  await page.reload();
  await page.getByRole('checkbox', { name: /^Show / }).first().waitFor();
  expect(await page.getByText(RESTORED).count()).toBe(0);
  // What she typed still waits for her.
  expect(await keys()).toHaveLength(1);
});

test('a text that is being edited outlives the end of the session and of the tab', async () => {
  tolerate(/401/);
  const library = await ann.makeLibrary('Papers');
  await ann.upload(library, '/plan 100%.txt', 'One\r\n');
  const page = await newWindow(house.server.url, { as: ann });
  await openFolder(page, library);
  await rowOf(page, 'plan 100%.txt').getByRole('link').click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const field = (where: Page) => where.getByRole('textbox', { name: 'Text of plan 100%.txt' });
  await field(page).fill('One\nTwo\n');
  await (await house.signIn(ann.email)).ask('POST', '/api/auth/logout-all');
  await page.getByRole('button', { name: 'Save', exact: true }).click({ timeout: 3000 }).catch(() => undefined);
  await page.waitForURL('**/login?return_to=*');
  await enter(page, ann.email);
  await page.getByText(RESTORED).waitFor();
  expect(await field(page).inputValue()).toBe('One\nTwo\n');
  await expectAccessible(page);
  const address = page.url();
  const other = await page.context().newPage();
  await page.close();
  await other.goto(address);
  await other.getByText(RESTORED).waitFor();
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await other.getByText('Saved', { exact: true }).waitFor();
  const again = await house.signIn(ann.email);
  expect(Buffer.from(await again.download(library, '/plan 100%.txt')).toString()).toBe('One\r\nTwo\r\n');
});
