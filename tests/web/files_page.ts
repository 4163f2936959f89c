// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Locator, Page } from 'playwright-core';

export async function openFolder(page: Page, library: string, path = ''): Promise<void> {
  await page.goto(`/files/${library}${path}`);
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
}

/** The row of a file or folder. */
export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('button', { name: `Actions for ${name}`, exact: true }) });
}

/** Does what the menu of a file or folder offers. */
export async function chooseFor(page: Page, name: string, deed: string): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: deed, exact: true }).click();
}

export const transfers = (page: Page): Locator => page.getByRole('region', { name: 'Transfers' });
