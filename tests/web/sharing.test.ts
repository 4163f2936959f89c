// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow } from './browser';
import { entryIn, openWeek, TUESDAY } from './calendar_page';
import { House, type Person } from './house';
import { expectAccessible } from './looks';

let house: House;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  house = await House.start();
  ann = await house.addPerson('ann@example.org', { name: 'Ann' });
  bob = await house.addPerson('bob@example.org', { name: 'Bob' });
});

afterAll(() => house.stop());

test('a calendar is shared, the invitation accepted, the role changed', async () => {
  const calendar = await ann.makeCalendar('Garden', '#15803D');
  await ann.makeEntry(calendar, { kind: 'all-day', title: 'Plant the tree', startDate: TUESDAY });
  const [hers, his] = [await newWindow(house.server.url, { as: ann }), await newWindow(house.server.url, { as: bob })];
  await Promise.all([openWeek(hers), openWeek(his)]);

  await hers.getByRole('button', { name: 'More for Garden' }).click();
  await hers.getByRole('menuitem', { name: 'Share with people' }).click();
  const panel = hers.getByRole('dialog', { name: 'Share “Garden”' });
  await panel.getByLabel('Invite by e-mail').fill('bob@example.org');
  await panel.getByLabel('What they may do').selectOption({ label: 'Can see' });
  await panel.getByRole('button', { name: 'Invite', exact: true }).click();
  await panel.getByText(/not accepted yet/).waitFor();
  await expectAccessible(hers);

  await his.getByRole('button', { name: /Accept.*Garden/ }).click();
  await entryIn(his, 'Plant the tree').waitFor();
  await expectAccessible(his);
  await entryIn(his, 'Plant the tree').click();
  await his.getByText('You can see this entry, not change it.').waitFor();
  await his.keyboard.press('Escape');

  await panel.getByLabel('What Bob may do').selectOption({ label: 'Can change' });
  await expect.poll(async () => (await bob.ask('GET', '/api/calendars/me'))
    .find((one: { name: string }) => one.name === 'Garden').role).toBe('writer');
});

test('an invitation is declined', async () => {
  const calendar = await ann.makeCalendar('Opera');
  await ann.ask('POST', `/api/calendars/${calendar}/members`, { email: 'bob@example.org', role: 'reader' });
  const page = await newWindow(house.server.url, { as: bob });
  await openWeek(page);
  await page.getByRole('button', { name: /Decline.*Opera/ }).click();
  const sure = page.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true });
  await sure.click();
  await expect.poll(async () => (await bob.ask('GET', '/api/invitations')).invitations).toEqual([]);
});

test('a link for other programs is made, works without an account, and is closed', async () => {
  const calendar = await ann.makeCalendar('Matches');
  await ann.makeEntry(calendar, { kind: 'all-day', title: 'Final', startDate: TUESDAY });
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await page.getByRole('button', { name: 'More for Matches' }).click();
  await page.getByRole('menuitem', { name: 'Secret links' }).click();
  const panel = page.getByRole('dialog', { name: /Secret links/ });
  await panel.getByLabel('What it is for').fill('Website');
  await panel.getByRole('button', { name: 'Make a link' }).click();
  await expectAccessible(page);
  const address = new URL(await panel.getByLabel('Address').inputValue());
  const feed = () => fetch(house.server.url + address.pathname);
  expect(await (await feed()).text()).toContain('SUMMARY:Final');
  await panel.getByRole('button', { name: 'I have it' }).click();
  await panel.getByRole('button', { name: 'Close the link Website' }).click();
  await page.getByRole('dialog', { name: /Close the link/ }).getByRole('button', { name: 'Close link' }).click();
  await expect.poll(async () => (await feed()).status).toBe(404);
});
