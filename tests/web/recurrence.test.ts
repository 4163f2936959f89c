// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { newWindow } from './browser';
import { drag, entryIn, middleOf, MONDAY, openWeek, pointAt } from './calendar_page';
import { House, type Person } from './house';
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
  await ann.makeEntry(calendar, {
    kind: 'timed', title: 'Training', startDate: MONDAY, startTime: '18:00', endTime: '19:00', timeZone: 'Europe/Berlin',
    recurrence: { rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=5' },
  });
});

afterAll(() => house.stop());

/** What the server has, in order: title, day and start. */
async function series(): Promise<string[]> {
  const entries = await ann.entriesOf(calendar, '2027-02-01', '2027-05-31');
  return entries.map((one) => `${one.title} ${one.startDate.slice(5)} ${one.startTime}`);
}

async function openOccurrence(page: Page, day: string) {
  await openWeek(page, day);
  await entryIn(page, 'Training').click();
  return page.getByRole('dialog', { name: 'Entry' });
}

const scope = (page: Page, name: string) => page.getByRole('dialog', { name: /which ones\?/ }).getByRole('button', { name });

test('one occurrence is changed alone', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  const sheet = await openOccurrence(page, '2027-03-08');
  await sheet.getByLabel('Title').fill('Match');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expectAccessible(page);
  await scope(page, 'Only this one').click();
  await entryIn(page, 'Match').waitFor();
  expect(await series()).toEqual([
    'Training 03-01 18:00', 'Match 03-08 18:00', 'Training 03-15 18:00', 'Training 03-22 18:00', 'Training 03-29 18:00',
  ]);
});

test('this and all after it are changed', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  const sheet = await openOccurrence(page, '2027-03-15');
  await sheet.getByLabel('Start time').fill('20:00');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await scope(page, 'This and all after it').click();
  await entryIn(page, 'Training', '20:00').waitFor();
  expect(await series()).toEqual([
    'Training 03-01 18:00', 'Training 03-08 18:00', 'Training 03-15 20:00', 'Training 03-22 20:00', 'Training 03-29 20:00',
  ]);
});

test('all of them are changed', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  const sheet = await openOccurrence(page, '2027-03-22');
  await sheet.getByLabel('Title').fill('Football');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await scope(page, 'All of them').click();
  await entryIn(page, 'Football').waitFor();
  expect((await series()).every((one) => one.startsWith('Football'))).toBe(true);
});

test('one occurrence is dragged to another day, and the others stay', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page, '2027-03-08');
  const from = await middleOf(entryIn(page, 'Training'));
  const wednesday = await pointAt(page, '2027-03-10', '18:00');
  const now = await middleOf(entryIn(page, 'Training'));
  await drag(page, now, { x: wednesday.x, y: now.y });
  expect(from.x).toBe(now.x);
  await scope(page, 'Only this one').click();
  await expect.poll(series).toContain('Training 03-10 18:00');
  expect(await series()).toHaveLength(5);
  expect(await series()).not.toContain('Training 03-08 18:00');
});

test('a drag that was not meant leaves everything as it was', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page, '2027-03-08');
  const wednesday = await pointAt(page, '2027-03-10', '18:00');
  const from = await middleOf(entryIn(page, 'Training'));
  await drag(page, from, { x: wednesday.x, y: from.y });
  await scope(page, 'Cancel').click();
  await expect.poll(async () => Math.round((await middleOf(entryIn(page, 'Training'))).x)).toBe(Math.round(from.x));
  expect(await series()).toContain('Training 03-08 18:00');
});

test('one occurrence is deleted, then the rest', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  const sheet = await openOccurrence(page, '2027-03-08');
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await scope(page, 'Only this one').click();
  await expect.poll(series).toHaveLength(4);
  await openOccurrence(page, '2027-03-22');
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await scope(page, 'This and all after it').click();
  await expect.poll(series).toEqual(['Training 03-01 18:00', 'Training 03-15 18:00']);
});

test('a repetition is made in plain words, with the next dates to see', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto(`/calendar/month/${MONDAY}`);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New entry' });
  await sheet.getByLabel('Title').fill('House meeting');
  await sheet.getByRole('button', { name: 'All day', exact: true }).click();
  await sheet.getByLabel('Day', { exact: true }).fill('2027-04-06');
  await sheet.getByLabel('Repeats').selectOption({ label: 'Every month' });
  await sheet.getByLabel('On which day').selectOption({ label: 'on the first Tuesday' });
  await sheet.getByLabel('Ends').selectOption({ label: 'After some times' });
  await sheet.getByLabel('How often').fill('3');
  await sheet.getByText('Every month on the first Tuesday, 3 times').waitFor();
  await sheet.getByText(/4 May/).first().waitFor();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(async () => (await ann.entriesOf(calendar, '2027-04-01', '2027-12-31'))
    .filter((one) => one.title === 'House meeting').map((one) => one.startDate)).toEqual(['2027-04-06', '2027-05-04', '2027-06-01']);
});
