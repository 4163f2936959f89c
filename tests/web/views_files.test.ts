// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Page } from 'playwright-core';

import { chooseFor } from './files_page';
import type { House } from './house';
import { testViews } from './views';

/** The address of a place in a library. */
const within = (library: string, rest = '') => async (house: House) => {
  const { repos } = await house.root.ask('GET', '/api/v2.1/repos');
  const { repo_id: id } = repos.find((one: { repo_name: string }) => one.repo_name === library);
  return `/files/${id}${rest}`;
};

const deed = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('dialog').waitFor();
};

const PAVILION = '/Harbour%20pavilion';

testViews('files', [
  { name: 'libraries', path: '/files' },
  { name: 'new library', path: '/files', open: async (page) => { await page.getByRole('button', { name: 'New library' }).first().click(); } },
  { name: 'deleted libraries', path: '/files/deleted' },
  { name: 'folder', path: within('Studio', PAVILION) },
  { name: 'pictures', path: within('Family', '/Photos'), open: async (page) => { await page.getByRole('button', { name: 'Pictures' }).click(); } },
  {
    name: 'selection', path: within('Studio', PAVILION),
    open: async (page) => { await page.getByRole('checkbox', { name: 'Select Brief.md' }).click(); },
  },
  { name: 'empty folder', path: within('Studio', '/Archive') },
  { name: 'Markdown', path: within('Studio', `${PAVILION}?file=Brief.md`) },
  { name: 'picture', path: within('Family', '/Photos?file=Evening%20on%20the%20quay.png') },
  { name: 'table', path: within('Studio', `${PAVILION}?file=Budget.csv`) },
  { name: 'PDF', path: within('Studio', `${PAVILION}?file=Invoice%20timber.pdf`) },
  { name: 'sound', path: within('Family', '/Music?file=Lullaby.wav') },
  { name: 'versions', path: within('Studio', PAVILION), open: (page) => chooseFor(page, 'Budget.csv', 'Versions') },
  { name: 'details', path: within('Studio', PAVILION), open: (page) => chooseFor(page, 'Budget.csv', 'Details') },
  { name: 'moving', path: within('Studio', PAVILION), open: (page) => chooseFor(page, 'Budget.csv', 'Move') },
  { name: 'history', path: within('Studio', '?show=history') },
  { name: 'trash', path: within('Studio', '?show=trash') },
  { name: 'connecting', path: within('Studio'), open: deed('Connect a computer') },
  { name: 'settings of a library', path: within('Studio'), open: deed('Library settings') },
  { name: 'encrypted', path: within('Papers') },
  { name: 'search', path: '/files/search?q=budget' },
]);
