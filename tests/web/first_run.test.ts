// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow, PHONE, tolerate } from './browser';
import { expectAccessible } from './looks';
import { PASSWORD } from './house';
import { RunningServer } from './server';

let server: RunningServer;

beforeAll(async () => {
  server = await RunningServer.start();
});

afterAll(() => server.stop());

test('the pages of a server that nobody has set up lead to the set-up', async () => {
  const page = await newWindow(server.url);
  await page.goto('/');
  await page.getByRole('button', { name: 'Set it up' }).click();
  await page.getByRole('heading', { name: 'Open the set-up link' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Set-up link').fill('http://127.0.0.1/setup');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('There is no secret in this link.').waitFor();
});

test('a set-up link of an earlier start is refused with a way on', async () => {
  tolerate(/401.*\/api\/setup/);
  const page = await newWindow(server.url);
  await page.goto(`/setup#token=atu_${'A'.repeat(43)}`);
  await fillFirstSteps(page);
  await page.getByRole('button', { name: 'Set up the server' }).click();
  await page.getByText('This is not the link of the last start.').waitFor();
});

test('from the set-up link to the first entry', async () => {
  const link = new URL(String((await server.waitForLog('set up this server'))['url']));
  const page = await newWindow(server.url);
  const started = Date.now();
  await page.goto(`/setup${link.hash}`);
  expect(new URL(page.url()).hash, 'the secret leaves the address bar').toBe('');
  await fillFirstSteps(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set up the server' }).click();

  await page.waitForURL('**/calendar**');
  await page.getByText('This is your calendar').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add an entry' }).click();
  const sheet = page.getByRole('dialog', { name: 'New entry' });
  await sheet.getByLabel('Title').fill('Breakfast with everybody');
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('main').getByText('Breakfast with everybody').first().waitFor();
  await expect.poll(() => page.getByText('This is your calendar').count()).toBe(0);
  expect(Date.now() - started, 'under a minute').toBeLessThan(60_000);

  await page.reload();
  await page.getByRole('main').getByText('Breakfast with everybody').first().waitFor();
});

test('afterwards the set-up page leads to the sign-in, on a phone, too', async () => {
  const page = await newWindow(server.url, { viewport: PHONE });
  await page.goto('/setup');
  await page.getByRole('button', { name: 'Go to sign-in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectAccessible(page);
});

async function fillFirstSteps(page: Awaited<ReturnType<typeof newWindow>>): Promise<void> {
  await page.getByLabel('Your name').fill('Rut Root');
  await page.getByLabel('E-mail address').fill('root@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Name of the group').fill('The Hikers');
}
