// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { LOW, newWindow, PHONE } from './browser';
import { drag, entryIn, middleOf, MONDAY, openWeek, pointAt, TUESDAY, WEDNESDAY } from './calendar_page';
import { House, type Person } from './house';

let house: House;
let ann: Person;
let calendar: string;
let number = 0;

beforeAll(async () => {
  house = await House.start();
});

// Each test has somebody of its own.
beforeEach(async () => {
  number += 1;
  ann = await house.addPerson(`ann${number}@example.org`, { name: 'Ann' });
  calendar = await ann.defaultCalendar();
});

afterAll(() => house.stop());

const timed = (title: string, fields: Record<string, unknown> = {}) => ann.makeEntry(calendar, {
  kind: 'timed', title, startDate: MONDAY, startTime: '09:00', endTime: '10:00', timeZone: 'Europe/Berlin', ...fields,
});

const stored = async (entry: { id: string }) => ann.ask('GET', `/api/entries/${entry.id}`);

test('an entry is drawn over some hours', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await drag(page, await pointAt(page, TUESDAY, '10:00'), await pointAt(page, TUESDAY, '11:30'));
  const sheet = page.getByRole('dialog', { name: 'New entry' });
  await sheet.getByLabel('Title').fill('Piano');
  await sheet.getByLabel('Place').fill('Music school');
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await entryIn(page, 'Piano').waitFor();
  const [entry] = await ann.entriesOf(calendar, MONDAY, '2027-03-07');
  expect(entry).toMatchObject({ title: 'Piano', kind: 'timed', startDate: TUESDAY, startTime: '10:00', location: 'Music school' });
  expect(['11:30', '11:45', '12:00']).toContain(entry.endTime);
});

test('an entry is dragged to another day and time, and back by undo', async () => {
  const entry = await timed('Dentist');
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  const from = await middleOf(entryIn(page, 'Dentist'));
  const [nine, eleven] = [await pointAt(page, WEDNESDAY, '09:00'), await pointAt(page, WEDNESDAY, '11:00')];
  await drag(page, from, { x: nine.x, y: from.y + eleven.y - nine.y });
  await page.getByText('“Dentist” moved').waitFor();
  await expect.poll(() => stored(entry)).toMatchObject({ startDate: WEDNESDAY, startTime: '11:00', endTime: '12:00' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => stored(entry)).toMatchObject({ startDate: MONDAY, startTime: '09:00', endTime: '10:00' });
  await entryIn(page, 'Dentist', '9:00').waitFor();
});

test('an entry is made longer by its edge', async () => {
  const entry = await timed('Workshop');
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await entryIn(page, 'Workshop').hover();
  const box = (await entryIn(page, 'Workshop').boundingBox())!;
  const hour = (await pointAt(page, MONDAY, '11:00')).y - (await pointAt(page, MONDAY, '10:00')).y;
  const edge = { x: box.x + box.width / 2, y: box.y + box.height - 2 };
  await drag(page, edge, { x: edge.x, y: edge.y + hour });
  await expect.poll(() => stored(entry)).toMatchObject({ startTime: '09:00', endTime: '11:00' });
});

test('an entry is changed, deleted and brought back from the trash', async () => {
  const entry = await timed('Meeting');
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await entryIn(page, 'Meeting').click();
  const sheet = page.getByRole('dialog', { name: 'Entry' });
  await sheet.getByLabel('Title').fill('Long meeting');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await entryIn(page, 'Long meeting').click();
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => entryIn(page, 'Long meeting').count()).toBe(0);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Trash' }).click();
  await page.getByRole('button', { name: 'Restore Long meeting' }).click();
  await page.getByText('“Long meeting” is back').waitFor();
  await page.keyboard.press('Escape');
  await entryIn(page, 'Long meeting').waitFor();
  expect((await stored(entry)).title).toBe('Long meeting');
});

/** Opens an entry that was changed once, types something into it if that is wanted, and goes back by its history. */
async function takeBack(page: Page, typed?: string): Promise<Locator> {
  const entry = await timed('Concert', { location: 'Church' });
  await ann.ask('PUT', `/api/entries/${entry.id}`, { location: 'Town hall' });
  await openWeek(page);
  await entryIn(page, 'Concert').click();
  const sheet = page.getByRole('dialog', { name: 'Entry' });
  if (typed !== undefined) await sheet.getByLabel('Title').fill(typed);
  await sheet.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  await page.getByRole('dialog', { name: /History/ }).getByRole('button', { name: /^Back to this/ }).last().click();
  await expect.poll(async () => (await stored(entry)).location).toBe('Church');
  await page.keyboard.press('Escape');
  return sheet;
}

test('the history of an entry leads back to what it was', async () => {
  const sheet = await takeBack(await newWindow(house.server.url, { as: ann }));
  await expect.poll(() => sheet.getByLabel('Place').inputValue()).toBe('Church');
});

test('what is being typed outlives a look at the history', async () => {
  const sheet = await takeBack(await newWindow(house.server.url, { as: ann }), 'Concert with choir');
  await sheet.getByRole('alert').getByText('Church').waitFor();
  expect(await sheet.getByLabel('Title').inputValue()).toBe('Concert with choir');
});

test('a task is checked off where it stands', async () => {
  const task = await ann.makeEntry(calendar, { kind: 'task', title: 'Water the plants', startDate: TUESDAY });
  const page = await newWindow(house.server.url, { as: ann });
  await page.goto(`/calendar/month/${MONDAY}`);
  await page.getByRole('checkbox', { name: 'Check off: Water the plants' }).click();
  await page.getByText('“Water the plants” is done').waitFor();
  expect((await stored(task)).completed).toBe(true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await stored(task)).completed).toBe(false);
});

test('times of another zone are told in both', async () => {
  await timed('Call with Tokyo', { startTime: '17:00', endTime: '18:00', timeZone: 'Asia/Tokyo' });
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  // Nine in Berlin is five in the afternoon there.
  await entryIn(page, 'Call with Tokyo', '9:00').getByText(/17:00.*Tokyo/).waitFor();
});

test('calendars are switched on and off', async () => {
  const choir = await ann.makeCalendar('Choir', '#BE185D');
  await ann.makeEntry(choir, { kind: 'all-day', title: 'Concert day', startDate: WEDNESDAY });
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await entryIn(page, 'Concert day').waitFor();
  await page.getByRole('checkbox', { name: 'Show Choir' }).uncheck();
  await expect.poll(() => entryIn(page, 'Concert day').count()).toBe(0);
  await page.reload();
  await page.getByRole('checkbox', { name: 'Show Choir' }).check();
  await entryIn(page, 'Concert day').waitFor();
});

test('entries are found by a word in them', async () => {
  await timed('Violin lesson', { startDate: '2027-05-12' });
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await page.keyboard.press('/');
  const search = page.getByRole('dialog', { name: 'Search' });
  await search.waitFor();
  // It has the focus.
  await page.keyboard.type('violin');
  await search.getByText('Violin lesson').click();
  await page.waitForURL(/2027-05-1/);
});

test('a file of another program is brought in, with a report', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  // What comes in is shown, also when the calendar was not.
  await page.getByRole('checkbox', { name: /^Show / }).first().uncheck();
  await page.getByRole('button', { name: /^More for/ }).first().click();
  await page.getByRole('menuitem', { name: 'Bring in a file' }).click();
  const panel = page.getByRole('dialog', { name: 'Bring in a file' });
  await panel.locator('input[type=file]').setInputFiles({ name: 'old.ics', mimeType: 'text/calendar', buffer: Buffer.from(ICS) });
  await panel.getByRole('button', { name: 'Bring it in' }).click();
  await panel.getByText('Everything is in').waitFor();
  expect(await panel.innerText()).toMatch(/added\s+2/);
  await page.keyboard.press('Escape');
  await entryIn(page, 'From elsewhere').waitFor();
});

test('a long file comes in while one works on', async () => {
  const page = await newWindow(house.server.url, { as: ann });
  await openWeek(page);
  await page.getByRole('button', { name: /^More for/ }).first().click();
  await page.getByRole('menuitem', { name: 'Bring in a file' }).click();
  const panel = page.getByRole('dialog', { name: 'Bring in a file' });
  await panel.locator('input[type=file]').setInputFiles({ name: 'Years.ics', mimeType: 'text/calendar', buffer: Buffer.from(yearsOf(4000)) });
  await panel.getByLabel('Into which calendar').selectOption('A new calendar');
  await panel.getByRole('button', { name: 'Bring it in' }).click();
  await panel.getByRole('button', { name: 'Stop' }).waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'How it went' }).click();
  expect(await panel.innerText()).toMatch(/added\s+4,000/);
  await page.keyboard.press('Escape');
  await entryIn(page, 'Day 1').waitFor();
});

/** A file with so many entries, the first of them on the Monday of these tests. */
function yearsOf(count: number): string {
  const entry = (number: number): string => {
    const day = new Date(Date.parse(`${MONDAY}T00:00:00Z`) + (number - 1) * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    return `BEGIN:VEVENT\r\nUID:${number}@years\r\nDTSTAMP:20270101T000000Z\r\nDTSTART;VALUE=DATE:${day}\r\nSUMMARY:Day ${number}\r\nEND:VEVENT\r\n`;
  };
  const entries = Array.from({ length: count }, (_, index) => entry(index + 1)).join('');
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n${entries}END:VCALENDAR\r\n`;
}

const ICS = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
BEGIN:VEVENT
UID:one@example.org
DTSTAMP:20270101T000000Z
DTSTART:20270302T080000Z
DTEND:20270302T090000Z
SUMMARY:From elsewhere
END:VEVENT
BEGIN:VEVENT
UID:two@example.org
DTSTAMP:20270101T000000Z
DTSTART;VALUE=DATE:20270303
SUMMARY:A whole day
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n');

test('in a low window a month shows whole entries, and scrolls', async () => {
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await ann.makeEntry(calendar, { title, startDate: TUESDAY });
  await ann.makeEntry(calendar, { title: 'At the end', startDate: '2027-03-31' });
  const page = await newWindow(house.server.url, { as: ann, viewport: LOW });
  await page.goto(`/calendar/month/${MONDAY}`);
  const cell = page.locator(`.fc-daygrid-day[data-date="${TUESDAY}"]`);
  const more = cell.getByRole('button', { name: /3 more/ });
  await more.waitFor();
  const [around, inside] = [(await cell.boundingBox())!, (await more.boundingBox())!];
  expect(inside.y).toBeGreaterThan(around.y);
  expect(inside.y + inside.height).toBeLessThanOrEqual(around.y + around.height);
  expect(await cell.getByRole('button', { name: /^(One|Two|Three|Four|Five)/ }).count()).toBe(2);
  // What is below comes into view by scrolling, and the page itself stays.
  await entryIn(page, 'At the end').scrollIntoViewIfNeeded();
  const last = (await entryIn(page, 'At the end').boundingBox())!;
  expect(last.y + last.height).toBeLessThanOrEqual(LOW.height);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test('on a phone a day of the month opens, and an entry is made there', async () => {
  await timed('Lunch', { startTime: '12:00', endTime: '13:00' });
  const page = await newWindow(house.server.url, { as: ann, viewport: PHONE });
  await page.goto(`/calendar/month/${MONDAY}`);
  await page.getByRole('button', { name: 'New', exact: true }).tap();
  const sheet = page.getByRole('dialog', { name: 'New entry' });
  await sheet.getByLabel('Title').fill('On the way');
  await sheet.getByRole('button', { name: 'Add', exact: true }).tap();
  await expect.poll(async () => (await ann.ask('GET', '/api/search?q=way')).entries.length).toBe(1);
});
