// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { newWindow, tolerate } from './browser';
import { entryIn, MONDAY, openWeek, TUESDAY } from './calendar_page';
import { House, type Person } from './house';

let house: House;
let ann: Person;
let bob: Person;
let calendar: string;
let number = 0;

beforeAll(async () => {
  house = await House.start();
});

beforeEach(async () => {
  number += 1;
  ann = await house.addPerson(`ann${number}@example.org`, { name: 'Ann' });
  bob = await house.addPerson(`bob${number}@example.org`, { name: 'Bob' });
  calendar = await ann.makeCalendar('Together');
  await ann.shareWith(bob, calendar);
});

afterAll(() => house.stop());

test('two people see what the other does, without reloading', async () => {
  await ann.makeEntry(calendar, {
    kind: 'timed', title: 'Lunch', startDate: MONDAY, startTime: '12:00', endTime: '13:00', timeZone: 'Europe/Berlin',
  });
  const [hers, his] = [await newWindow(house.server.url, { as: ann }), await newWindow(house.server.url, { as: bob })];
  await Promise.all([openWeek(hers), openWeek(his)]);
  await entryIn(hers, 'Lunch').click();
  const sheet = hers.getByRole('dialog', { name: 'Entry' });
  await sheet.getByLabel('Title').fill('Late lunch');
  await sheet.getByLabel('Start time').fill('14:00');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await entryIn(his, 'Late lunch', '14:00').waitFor();

  await entryIn(his, 'Late lunch').click();
  await his.getByRole('dialog', { name: 'Entry' }).getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => entryIn(hers, 'Late lunch').count()).toBe(0);
});

test('of two who change the same entry the second is asked', async () => {
  tolerate(/412/);
  await ann.makeEntry(calendar, { kind: 'all-day', title: 'Picnic', startDate: TUESDAY, location: 'Park' });
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await entryIn(page, 'Picnic').click();
  const sheet = page.getByRole('dialog', { name: 'Entry' });
  await sheet.getByLabel('Title').fill('Big picnic');
  const entry = (await bob.entriesOf(calendar, MONDAY, '2027-03-07'))[0];
  await bob.ask('PUT', `/api/entries/${entry.id}`, { location: 'Lake' });
  await sheet.getByText('Somebody else changed this entry').waitFor();
  await sheet.getByRole('button', { name: 'Save mine over it' }).click();
  await expect.poll(async () => (await bob.ask('GET', `/api/entries/${entry.id}`)).title).toBe('Big picnic');
});

test('what happened while the server was gone is there when it is back', async () => {
  tolerate(/ERR_|Failed to load resource|EventSource|net::/);
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await entryIn(page, 'Nothing').count();
  await house.server.halt();
  await page.getByText('No connection.').waitFor();
  await house.server.start();
  await bob.makeEntry(calendar, { kind: 'all-day', title: 'News', startDate: TUESDAY });
  await entryIn(page, 'News').waitFor();
  await expect.poll(() => page.getByText('No connection.').count()).toBe(0);
});

test('somebody who is taken out of a calendar does not see it any more', async () => {
  await ann.makeEntry(calendar, { kind: 'all-day', title: 'Secret plan', startDate: TUESDAY });
  const page = await newWindow(house.server.url, { as: bob });
  await openWeek(page);
  await entryIn(page, 'Secret plan').waitFor();
  const { user } = await bob.ask('GET', '/api/me');
  await ann.ask('DELETE', `/api/calendars/${calendar}/members/${user.id}`);
  await expect.poll(() => entryIn(page, 'Secret plan').count()).toBe(0);
});
