// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { newWindow, tolerate } from './browser';
import { House, PASSWORD, type Person } from './house';
import { linkTo, WITH_MAIL } from './letters';
import { expectAccessible } from './looks';
import { oneTimeCode } from './one_time_codes';

let house: House;
let ann: Person;
let number = 0;

beforeAll(async () => {
  house = await House.start({ settings: WITH_MAIL });
});

beforeEach(async () => {
  number += 1;
  ann = await house.addPerson(`ann${number}@example.org`, { name: 'Ann' });
});

afterAll(() => house.stop());

test('name, time zone and photo are changed', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto('/account');
  await page.getByLabel('Name', { exact: true }).fill('Ann Archer');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect.poll(async () => (await ann.ask('GET', '/api/me')).user.name).toBe('Ann Archer');
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PICTURE });
  await page.getByRole('dialog', { name: 'Your photo' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await expect.poll(async () => Boolean((await ann.ask('GET', '/api/me')).user.photo)).toBe(true);
});

const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('a new address is confirmed from its mailbox', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto('/account');
  await page.getByLabel('New address').fill(`new${number}@example.org`);
  await page.getByRole('button', { name: 'Change the address' }).click();
  await page.getByText(`A letter to new${number}@example.org is waiting to be sent.`).waitFor();
  const link = new URL(await linkTo(house.server, `new${number}@example.org`, '/auth/confirm'));
  await page.goto(link.pathname + link.hash);
  await page.getByRole('button', { name: 'Confirm the address' }).click();
  await page.getByRole('heading', { name: 'The address is yours' }).waitFor();
  expect((await ann.ask('GET', '/api/me')).user.email).toBe(`new${number}@example.org`);
});

test('a new password ends everything else', async () => {
  tolerate(/40[13].*\/api\/me\/password/);
  const other = await house.signIn(ann.email);
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto('/account/security');
  await page.getByLabel('Current password').fill('not this one');
  await page.getByLabel('New password').fill('a lantern in the attic');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('That is not your password.').waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('The password is changed.').waitFor();
  expect((await other.try('GET', '/api/me')).status).toBe(401);
  await page.reload();
  await page.getByLabel('Current password').waitFor();
});

test('a second factor is set up, and turned off', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.locator('code').first().innerText()).replace(/\s/g, '');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByLabel('Code that the app shows now').fill(oneTimeCode(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText('Keep these recovery codes').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect.poll(async () => (await ann.ask('GET', '/api/me')).second_factor).toBe(true);
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(oneTimeCode(secret, 1));
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await expect.poll(async () => (await ann.ask('GET', '/api/me')).second_factor).toBe(false);
});

test('other devices are signed out', async () => {
  const other = await house.signIn(ann.email);
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto('/account/sessions');
  await page.getByText('this device').waitFor();
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click();
  await page.getByText('You are signed in nowhere else.').waitFor();
  expect((await other.try('GET', '/api/me')).status).toBe(401);
  expect((await ann.try('GET', '/api/me')).status).toBe(200);
});

test('an app password is made, works, and is deleted', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto('/account/tokens');
  await page.getByRole('button', { name: 'New', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('App password', { exact: true }).click();
  await dialog.getByLabel('Name').fill('Telephone');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Copy it now').waitFor();
  await expectAccessible(page);
  const secret = await dialog.getByRole('textbox', { name: 'App password' }).inputValue();
  const basic = `Basic ${Buffer.from(`${ann.email}:${secret}`).toString('base64')}`;
  const status = async () => (await fetch(`${house.server.url}/api/me`, { headers: { Authorization: basic } })).status;
  expect(await status()).toBe(200);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Delete Telephone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(status).toBe(401);
});

test('a change of how one gets in asks who it is, when that was proved long ago', async () => {
  tolerate(/403.*\/api\/(tokens|auth\/proof)/);
  const lab = await House.start({ program: 'atrium_lab' });
  try {
    const eve = await lab.addPerson('eve@example.org');
    await eve.ask('POST', '/lab/own/proof-age', { minutes: 60 });
    const page = await newWindow(lab.server.url, { as: eve });
    await page.goto('/account/tokens');
    await page.getByRole('button', { name: 'New', exact: true }).first().click();
    const form = page.getByRole('dialog', { name: 'New app password or token' });
    await form.getByLabel('Name').fill('Telephone');
    await form.getByRole('button', { name: 'Create' }).click();
    const question = page.getByRole('dialog', { name: 'Is it still you?' });
    await question.getByLabel('Your password').fill('not this one');
    await question.getByRole('button', { name: 'Continue' }).click();
    await question.getByText('That is not your password.').waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await form.getByText('Nothing was changed: this needs your confirmation first.').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('Telephone');
    expect((await eve.ask('GET', '/api/tokens')).tokens).toEqual([]);
    await form.getByRole('button', { name: 'Create' }).click();
    await question.getByLabel('Your password').fill(PASSWORD);
    await question.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog').getByText('Copy it now').waitFor();
    expect((await eve.ask('GET', '/api/tokens')).tokens).toMatchObject([{ name: 'Telephone' }]);
  } finally {
    await lab.stop();
  }
});

test('language and appearance stay as they were chosen', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto('/account');
  await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Konto' }).first().waitFor();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: 'Dunkel' }).click();
  await expect.poll(ground).not.toBe(light);
  await page.reload();
  await page.getByRole('heading', { name: 'Konto' }).first().waitFor();
  expect(await ground()).not.toBe(light);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
});

test('a browser that asks for German gets it', async () => {
  const page = await newWindow(house.server.url, { language: 'de-DE' });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Anmelden' }).waitFor();
  await expectAccessible(page);
});
