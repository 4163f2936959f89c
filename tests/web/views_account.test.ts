// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Page } from 'playwright-core';

import { testViews } from './views';

const press = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('dialog').waitFor();
};

testViews('account', [
  { name: 'profile', path: '/account' },
  { name: 'security', path: '/account/security' },
  { name: 'second factor', path: '/account/security', open: press('Set up a second factor') },
  { name: 'devices', path: '/account/sessions' },
  { name: 'tokens', path: '/account/tokens' },
  { name: 'new token', path: '/account/tokens', open: press('New') },
]);
