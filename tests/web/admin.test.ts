// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow } from './browser';
import { House } from './house';
import { linkTo, WITH_MAIL } from './letters';
import { newFolder } from './places';

let house: House;
const backups = newFolder('backups');

beforeAll(async () => {
  house = await House.start({ settings: { ...WITH_MAIL, store: { backup_folder: join(backups, 'store') } } });
});

afterAll(() => house.stop());

const openAs = async (path: string) => {
  const page = await newWindow(house.server.url, { as: house.root });
  await page.goto(path);
  return page;
};

test('somebody is invited by a letter, and gets in by its link', async () => {
  const page = await openAs('/admin/people');
  await page.getByRole('button', { name: 'Add a person' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Add a person' });
  await sheet.getByLabel('E-mail address').fill('ivy@example.org');
  await sheet.getByLabel('Name', { exact: true }).fill('Ivy');
  await sheet.getByRole('button', { name: 'Add and send the letter' }).click();
  await page.getByText('ivy@example.org').first().waitFor();

  const link = new URL(await linkTo(house.server, 'ivy@example.org', '/auth/link'));
  const theirs = await newWindow(house.server.url);
  await theirs.goto(link.pathname + link.hash);
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
  await theirs.waitForURL('**/calendar**');
});

test('somebody is deactivated and cannot get in any more', async () => {
  const sue = await house.addPerson('sue@example.org', { name: 'Sue' });
  const page = await openAs('/admin/people');
  await page.getByText('sue@example.org').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('State').selectOption({ label: 'Deactivated' });
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await sue.try('GET', '/api/me')).status).toBe(401);
});

test('a password is set for somebody who has forgotten theirs', async () => {
  const kim = await house.addPerson('kim@example.org', { name: 'Kim' });
  const page = await openAs('/admin/people');
  await page.getByText('kim@example.org').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Set a password' }).click();
  const question = page.getByRole('dialog', { name: 'Set a password' });
  await question.getByLabel('New password').fill('a boat full of pears');
  await question.getByRole('button', { name: 'Set a password' }).click();
  await expect.poll(async () => (await kim.try('GET', '/api/me')).status).toBe(401);
  await expect(house.signIn('kim@example.org')).rejects.toThrow('401');
});

test('an organisation with a host name is made, and a wrong name refused', async () => {
  const page = await openAs('/admin/organisations');
  await page.getByRole('button', { name: 'Add an organisation' }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name', { exact: true }).fill('The Sailors');
  await sheet.getByLabel('Host names').fill('https://sailors.example.org');
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await sheet.getByText('is not a host name').waitFor();
  await sheet.getByLabel('Host names').fill('sailors.example.org');
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('The Sailors').first().waitFor();
  const names = async () => (await house.root.ask('GET', '/api/orgs')).orgs.map((one: { name: string }) => one.name);
  expect(await names()).toContain('The Sailors');
});

test('a job is run, and its history tells', async () => {
  const page = await openAs('/admin/jobs');
  await page.getByRole('button', { name: 'Run now: Empty old trash of calendars' }).click();
  await page.getByText('Begun: Empty old trash of calendars').waitFor();
  await page.getByRole('button', { name: 'History: Empty old trash of calendars' }).click();
  await page.getByRole('dialog').getByText('Succeeded').first().waitFor();
});

test('a backup is made', async () => {
  const page = await openAs('/admin/backups');
  const rows = page.getByRole('row');
  const before = await rows.count();
  await page.getByRole('button', { name: 'Make one now' }).click();
  await page.getByText('The backup is made.').waitFor();
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
});

test('what a clean-up would remove is told before, and the store is verified', async () => {
  const library = await house.root.makeLibrary('Old');
  await house.root.upload(library, '/note.txt', 'Something');
  const page = await openAs('/admin/storage');
  await page.getByRole('button', { name: 'See what would go' }).click();
  await page.getByText(/would be freed|nothing to remove/).waitFor();
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText('All is well.').first().waitFor();
});

test('the audit log is filtered', async () => {
  await house.addPerson('lou@example.org', { name: 'Lou' });
  const page = await openAs('/admin/audit');
  await page.getByLabel('Who', { exact: true }).fill('lou@');
  await expect.poll(async () => (await page.getByRole('row').allInnerTexts()).slice(1).every((text) => text.includes('lou@example.org'))).toBe(true);
  await page.getByText('Signed in').first().waitFor();
});

test('others find no administration, whatever address they enter', async () => {
  const nel = await house.addPerson('nel@example.org');
  const page = await newWindow(house.server.url, { as: nel });
  await page.goto('/admin/people');
  await page.getByText('This is for administrators').waitFor();
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
});
