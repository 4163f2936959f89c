// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow, tolerate } from './browser';
import { House, PASSWORD } from './house';
import { linkTo, WITH_MAIL } from './letters';
import { expectAccessible } from './looks';

let house: House;

beforeAll(async () => {
  house = await House.start({ settings: { ...WITH_MAIL, store: { backup_folder: 'backups' } } });
});

afterAll(() => house.stop());

async function openAdmin(path: string): Promise<Page> {
  const page = await newWindow(house.server.url, { as: house.root });
  await page.goto(path);
  return page;
}

const userWith = async (email: string): Promise<any> =>
  (await house.root.ask('GET', `/api/users?email=${encodeURIComponent(email)}`)).users[0];

test('the overview shows how the server is, with charts and their numbers', async () => {
  const page = await openAdmin('/admin');
  await page.getByText('No failures').waitFor();
  await page.getByText('Takes changes').waitFor();
  await page.getByText('Show as a table').click();
  await page.getByRole('columnheader', { name: 'Requests' }).waitFor();
  await page.locator('.admin-plot canvas').first().waitFor();
  await page.getByRole('button', { name: 'Year' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Year' }).getAttribute('aria-pressed')).toBe('true');
  await expectAccessible(page);
});

test('somebody is invited, changed and deleted', async () => {
  const page = await openAdmin('/admin/people');
  await page.getByRole('button', { name: 'Add a person' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('E-mail address').fill('ivy@example.org');
  await sheet.getByLabel('Name', { exact: true }).fill('Ivy Ames');
  await sheet.getByRole('button', { name: 'Add and send the letter' }).click();
  await page.getByText('A letter to ivy@example.org is waiting to be sent.').waitFor();
  await linkTo(house.server, 'ivy@example.org', '/auth/link');

  await page.getByLabel('Search by address').fill('iv');
  await page.getByRole('button', { name: /Ivy Ames/ }).click();
  await sheet.getByText('Has no password').waitFor();
  await sheet.getByLabel('Role').selectOption('readonly');
  await sheet.getByLabel('Space for files').fill('2.5');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await userWith('ivy@example.org')).role).toBe('readonly');
  expect((await userWith('ivy@example.org')).quota_bytes).toBe(2_500_000_000);

  await sheet.getByRole('button', { name: 'Delete the account' }).click();
  const question = page.getByRole('dialog', { name: /Delete the account of/ });
  const deed = question.getByRole('button', { name: 'Delete the account' });
  expect(await deed.isDisabled()).toBe(true);
  await question.getByLabel(/Type/).fill('ivy@example.org');
  await deed.click();
  await expect.poll(() => userWith('ivy@example.org')).toBeUndefined();
});

test('a change that meets another one is told', async () => {
  tolerate(/412.*\/api\/users\//);
  await house.addPerson('uma@example.org', { name: 'Uma' });
  const page = await openAdmin('/admin/people');
  await page.getByRole('button', { name: /Uma/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name', { exact: true }).fill('Uma Two');
  await house.root.ask('PATCH', `/api/users/${(await userWith('uma@example.org')).id}`, { name: 'Uma Three' });
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByText('Somebody else changed this meanwhile.').waitFor();
  await sheet.getByRole('button', { name: 'Show the new state' }).click();
  await expect.poll(() => sheet.getByLabel('Name', { exact: true }).inputValue()).toBe('Uma Three');
});

test('a password is set, and everything else of that person ends', async () => {
  const vic = await house.addPerson('vic@example.org', { name: 'Vic' });
  const page = await openAdmin('/admin/people');
  await page.getByRole('button', { name: /Vic/ }).click();
  await page.getByRole('button', { name: 'Set a password' }).click();
  const question = page.getByRole('dialog', { name: 'Set a password' });
  await question.getByLabel('New password').fill('a lantern in the attic');
  await question.getByRole('button', { name: 'Set a password' }).click();
  await page.getByText('The password is set.').waitFor();
  expect((await vic.try('GET', '/api/me')).status).toBe(401);
});

test('an organisation is added with its host names', async () => {
  const page = await openAdmin('/admin/organisations');
  await page.getByRole('button', { name: 'Add an organisation' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name', { exact: true }).fill('North Pier');
  await sheet.getByLabel('Host names').fill('https://north.example.org');
  await sheet.getByText('is not a host name').waitFor();
  await sheet.getByLabel('Host names').fill('north.example.org');
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: /North Pier/ }).waitFor();
  const { orgs } = await house.root.ask('GET', '/api/orgs');
  expect(orgs.map((org: { hosts: string[] }) => org.hosts)).toContainEqual(['north.example.org']);
  await house.root.ask('DELETE', `/api/orgs/${orgs.find((org: { name: string }) => org.name === 'North Pier').id}`);
});

test('a provider is added, and offered at the sign-in', async () => {
  const page = await openAdmin('/admin/providers');
  await page.getByRole('button', { name: 'Add a provider' }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name', { exact: true }).fill('Harbour Id');
  await sheet.getByLabel('Short name').fill('harbour');
  await sheet.getByLabel('Issuer').fill('https://id.example.org');
  await sheet.getByLabel('Client id').fill('atrium');
  await sheet.getByText('/auth/harbour/callback').waitFor();
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: /Harbour Id/ }).waitFor();
  const offered = await (await fetch(`${house.server.url}/api/auth/providers`)).json();
  expect(offered.providers.map((one: { id: string }) => one.id)).toEqual(['harbour']);
  await page.getByRole('button', { name: /Harbour Id/ }).click();
  await sheet.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog', { name: 'Remove Harbour Id?' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No provider yet').waitFor();
});

test('a job runs when asked, and its run is in the history', async () => {
  const page = await openAdmin('/admin/jobs');
  await page.getByRole('button', { name: 'Run now: Empty old trash of calendars' }).click();
  await page.getByText('Begun: Empty old trash of calendars').waitFor();
  await page.getByRole('button', { name: 'History: Empty old trash of calendars' }).click();
  await page.getByRole('dialog').getByText('Succeeded').first().waitFor();
});

test('the store is verified, garbage is looked at and removed', async () => {
  const page = await openAdmin('/admin/storage');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText(/All is well. .* rows were looked at./).waitFor();
  await page.getByRole('button', { name: 'See what would go' }).click();
  await page.getByText('There is nothing to remove.').waitFor();
  await page.getByRole('button', { name: 'Clean up now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clean up now' }).click();
  await expect.poll(async () => (await house.root.ask('GET', '/api/admin/files/task')).task.dry_run).toBe(false);
  await page.getByText('There is nothing to remove.').waitFor();
});

test('a backup is made and listed', async () => {
  const page = await openAdmin('/admin/backups');
  await page.getByRole('button', { name: 'Make one now' }).click();
  await page.getByText(/The backup is made./).waitFor();
  const { backups } = await house.root.ask('GET', '/api/admin/backups');
  await page.getByRole('cell', { name: String(backups.at(-1).number), exact: true }).waitFor();
  await page.getByText('atrium store restore --replace').waitFor();
});

test('the audit log is filtered, the filter is in the address, and what is found can be taken along', async () => {
  await house.addPerson('wes@example.org', { name: 'Wes' });
  const page = await openAdmin('/admin/audit');
  await page.getByLabel('What', { exact: true }).selectOption({ label: 'Accounts' });
  await page.getByLabel('Who', { exact: true }).fill('root@');
  await expect.poll(() => new URL(page.url()).search).toBe('?actor=root%40&action=user.');
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Signed in' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show details' }).first().click();
  await page.getByText('user.created').first().waitFor();
  await page.getByRole('button', { name: 'Only what happened to this' }).click();
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Account' }).count()).toBe(1);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^audit-.*\.jsonl$/);
});

test('administrators of an organisation see its people, providers and log, and nothing of the server', async () => {
  await house.addPerson('max@example.org', { name: 'Max', role: 'admin' });
  const page = await newWindow(house.server.url, { as: await house.signIn('max@example.org') });
  await page.goto('/admin');
  await page.getByRole('heading', { name: 'People' }).waitFor();
  expect(await page.locator('.admin-nav a').allInnerTexts()).toEqual(['People', 'Invitations', 'Sign-in providers', 'Audit log']);
  // Who looks after the server is not looked after by them.
  await page.getByText('Rut Root').waitFor();
  expect(await page.getByRole('button', { name: /Rut Root/ }).count()).toBe(0);
  await page.goto('/admin/storage');
  await page.getByRole('heading', { name: 'People' }).waitFor();
});

test('others are told that this is not for them', async () => {
  const zoe = await house.addPerson('zoe@example.org', { password: PASSWORD });
  const page = await newWindow(house.server.url, { as: zoe });
  await page.goto('/admin');
  await page.getByText('This is for administrators').waitFor();
});

test('routes are found by a word', async () => {
  const page = await openAdmin('/admin/api');
  await page.getByLabel('Search', { exact: true }).fill('post backup');
  await page.getByText('/api/admin/store/backup').waitFor();
  await page.getByText('1 route', { exact: true }).waitFor();
});

test('somebody is invited by a letter, and gets in by its link', async () => {
  const page = await openAdmin('/admin/people');
  await page.getByRole('button', { name: 'Add a person' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Add a person' });
  await sheet.getByLabel('E-mail address').fill('joy@example.org');
  await sheet.getByLabel('Name', { exact: true }).fill('Joy');
  await sheet.getByRole('button', { name: 'Add and send the letter' }).click();
  await page.getByText('joy@example.org').first().waitFor();

  const link = new URL(await linkTo(house.server, 'joy@example.org', '/auth/link'));
  const theirs = await newWindow(house.server.url);
  await theirs.goto(link.pathname + link.hash);
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
  await theirs.waitForURL('**/calendar**');
});

test('somebody is deactivated and cannot get in any more', async () => {
  const sue = await house.addPerson('sue@example.org', { name: 'Sue' });
  const page = await openAdmin('/admin/people');
  await page.getByText('sue@example.org').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('State').selectOption({ label: 'Deactivated' });
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await sue.try('GET', '/api/me')).status).toBe(401);
});
