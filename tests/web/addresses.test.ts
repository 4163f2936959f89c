// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow, tolerate } from './browser';
import { House, type Person } from './house';
import { expectAccessible } from './looks';

let house: House;
let ann: Person;

beforeAll(async () => {
  house = await House.start();
  ann = await house.addPerson('ann@example.org', { name: 'Ann' });
});

afterAll(() => house.stop());

test('an unknown address is a page with a way home, in the language of the browser', async () => {
  tolerate(/404/);
  const page = await newWindow(house.server.url, { as: ann });
  const reply = await page.goto('/calender/month');
  expect(reply!.status()).toBe(404);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to the calendar' }).click();
  await page.getByRole('region', { name: 'Entries' }).waitFor();

  const german = await newWindow(house.server.url, { language: 'de-DE' });
  expect((await german.goto('/nirgendwo'))!.status()).toBe(404);
  await german.getByRole('heading', { name: 'Diese Seite gibt es nicht' }).waitFor();
  await expectAccessible(german);
  await german.getByRole('link', { name: 'Zum Kalender' }).click();
  await german.getByRole('button', { name: 'Anmelden' }).waitFor();
});

test.each([
  ['/calendar/nonsense', 'There is no such page'],
  ['/calendar/week/2027-13-45', 'There is no such page'],
  ['/calendar/month/2027-03-01/more', 'There is no such page'],
  ['/files/unknown-library', 'This library is not there'],
  ['/files/00000000-0000-4000-8000-000000000000', 'This library is not there'],
  ['/account/nonsense', 'There is no such page'],
])('%s of a room says: %s', async (path, text) => {
  tolerate(/40[04].*\/api/);
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto(path);
  await page.getByRole('heading', { name: text }).waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  await expectAccessible(page);
});

test('an unknown address of administration says so', async () => {
  const page = await newWindow(house.server.url, { as: house.root });
  await page.goto('/admin/nonsense');
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
});
