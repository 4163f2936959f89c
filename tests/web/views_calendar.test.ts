// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Page } from 'playwright-core';

import { eventually } from './eventually';
import { testViews } from './views';

/** Something of the menu of the toolbar. */
const tool = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('dialog').waitFor();
};

/** Something of the menu of a calendar, which is in a drawer on phones. */
const ofCalendar = (calendar: string, name: string) => async (page: Page) => {
  const drawer = page.getByRole('button', { name: 'Show the calendars' });
  if (await drawer.count() > 0) {
    await drawer.click();
  }
  await page.getByRole('button', { name: `More for ${calendar}`, exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('dialog').waitFor();
};

const entry = (title: string) => async (page: Page) => {
  const sheet = page.getByRole('dialog');
  // The list moves as long as earlier entries come in above, and a press that ends elsewhere is no click.
  await eventually('the sheet', async () => {
    await page.locator('main').getByText(title).first().click();
    return sheet.waitFor({ timeout: 3000 }).then(() => true, () => false);
  });
};

/** An entry that is not near today on every day of the week. */
const foundEntry = (words: string, rest: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: 'Search entries' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(words);
  await page.getByRole('dialog').getByText(rest).first().click();
  await page.getByRole('dialog').getByLabel('Title').waitFor();
};

/** Entries come after the grid. */
const entries = async (page: Page) => {
  await page.getByRole('region', { name: 'Entries' }).getByText('Stand-up').first().waitFor();
};

testViews('calendar', [
  { name: 'month', path: '/calendar/month', open: entries },
  { name: 'week', path: '/calendar/week', open: entries },
  { name: 'day', path: '/calendar/day' },
  { name: 'list', path: '/calendar/agenda', open: entries },
  { name: 'year', path: '/calendar/year', open: async (page) => { await page.locator('.calendar-full').first().waitFor(); } },
  {
    name: 'side on a phone', path: '/calendar/month',
    open: async (page) => {
      const drawer = page.getByRole('button', { name: 'Show the calendars' });
      if (await drawer.count() > 0) await drawer.click();
    },
  },
  { name: 'new entry', path: '/calendar/week', open: async (page) => { await page.getByRole('button', { name: 'New', exact: true }).click(); } },
  { name: 'entry', path: '/calendar/month', open: foundEntry('Parents', /evening, class 4b/) },
  { name: 'entry of a series', path: '/calendar/agenda', open: entry('Stand-up') },
  { name: 'entry to read', path: '/calendar/agenda', open: entry('Rehearsal') },
  { name: 'search', path: '/calendar/month', open: async (page) => {
    await page.getByRole('button', { name: 'Search entries' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('pavilion');
    await page.getByRole('dialog').getByText(/milestone/).first().waitFor();
  } },
  { name: 'who has time', path: '/calendar/week', open: tool('Who has time') },
  { name: 'trash', path: '/calendar/month', open: tool('Trash') },
  { name: 'keys', path: '/calendar/month', open: tool('Keyboard shortcuts') },
  { name: 'sharing', path: '/calendar/month', open: ofCalendar('Studio', 'Share with people') },
  { name: 'settings', path: '/calendar/month', open: ofCalendar('Family', 'Name, colour, settings') },
  { name: 'links', path: '/calendar/month', open: ofCalendar('Family', 'Secret links') },
  { name: 'import', path: '/calendar/month', open: ofCalendar('Family', 'Bring in a file') },
]);
