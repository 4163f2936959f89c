// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Makes the pictures of the README out of what ./run --demo furnishes, into docs/pictures.
//
//   npm run pictures
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { House } from './house';
import { CHECKOUT } from './places';
import { launch, type Look, openWindow, PHONE } from './windows';

const FOLDER = join(CHECKOUT, 'docs/pictures');
const BYTES_MAX = 200_000;
const WINDOW = { width: 1366, height: 768 };

interface Picture {
  look: Look;
  path: string;
  open?: (page: Page) => Promise<void>;
}

async function entriesThere(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Entries' }).getByText('Stand-up').first().waitFor();
}

async function libraryOf(house: House, name: string): Promise<string> {
  const { repos } = await house.root.ask('GET', '/api/v2.1/repos');
  return `/files/${repos.find((one: { repo_name: string }) => one.repo_name === name).repo_id}`;
}

async function pictures(house: House): Promise<Record<string, Picture>> {
  const studio = await libraryOf(house, 'Studio');
  const wide = { as: house.root, viewport: WINDOW } as const;
  return {
    'calendar-month': { look: wide, path: '/calendar/month', open: entriesThere },
    'calendar-week-dark': { look: { ...wide, theme: 'dark' }, path: '/calendar/week', open: entriesThere },
    'calendar-entry': {
      look: wide, path: '/calendar/week',
      open: async (page) => {
        await page.getByRole('button', { name: /Design review/ }).first().click();
        await page.getByRole('dialog', { name: 'Entry' }).waitFor();
      },
    },
    'calendar-phone': { look: { as: house.root, viewport: PHONE }, path: '/calendar/agenda', open: entriesThere },
    'files-folder': { look: wide, path: `${studio}/Harbour%20pavilion` },
    'files-preview-dark': { look: { ...wide, theme: 'dark' }, path: `${studio}/Harbour%20pavilion?file=Brief.md` },
    'administration': { look: wide, path: '/admin', open: async (page) => { await page.locator('canvas').first().waitFor(); } },
  };
}

async function take(page: Page, name: string, { path, open }: Picture): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() => document.querySelector('main h1, main h2') !== null && document.querySelector('[aria-busy=true]') === null);
  await open?.(page);
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
  const file = join(FOLDER, `${name}.png`);
  await page.screenshot({ path: file });
  const { size } = statSync(file);
  console.log(`${name}.png: ${Math.round(size / 1000)} KB`);
  if (size > BYTES_MAX) {
    throw new Error(`${name}.png is larger than ${BYTES_MAX / 1000} KB`);
  }
}

mkdirSync(FOLDER, { recursive: true });
const house = await House.furnished();
const browser = await launch();
try {
  for (const [name, picture] of Object.entries(await pictures(house))) {
    const context = await openWindow(browser, house.server.url, picture.look);
    await take(await context.newPage(), name, picture);
    await context.close();
  }
} finally {
  await browser.close();
  await house.stop();
}
