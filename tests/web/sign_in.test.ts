// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow, PHONE, tolerate } from './browser';
import { House, PASSWORD } from './house';
import { linkTo, WITH_MAIL } from './letters';
import { expectAccessible } from './looks';
import { oneTimeCode } from './one_time_codes';
import { Provider } from './provider';

let house: House;

beforeAll(async () => {
  house = await House.start({ settings: { ...WITH_MAIL, egress: { allowed_networks: ['127.0.0.0/8'] } } });
});

afterAll(() => house.stop());

async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function expectInside(page: Page, path = '/calendar'): Promise<void> {
  await page.waitForURL((url) => url.pathname.startsWith(path));
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

test('with a password, after a wrong one, to where one wanted to go', async () => {
  tolerate(/401.*\/api\/auth\/login/);
  await house.addPerson('pat@example.org', { name: 'Pat Password' });
  const page = await newWindow(house.server.url);
  await page.goto('/files');
  await page.waitForURL('**/login?return_to=*');
  await enter(page, 'pat@example.org', 'not the right one');
  await page.getByText('E-mail address and password do not belong together.').waitFor();
  await expectAccessible(page);
  await enter(page, 'pat@example.org', PASSWORD);
  await expectInside(page, '/files');
});

test('nobody is led to another site after signing in', async () => {
  await house.addPerson('nick@example.org');
  const page = await newWindow(house.server.url);
  await page.goto('/login?return_to=https%3A%2F%2Fexample.com%2F');
  await enter(page, 'nick@example.org', PASSWORD);
  await expectInside(page);
});

test('with a mailed link, which works once', async () => {
  tolerate(/401.*\/api\/auth\/consume-link/);
  await house.addPerson('lin@example.org');
  const page = await newWindow(house.server.url, { viewport: PHONE });
  await page.goto('/login');
  await page.getByLabel('E-mail address').fill('lin@example.org');
  await page.getByRole('button', { name: 'Mail me a link' }).click();
  await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
  await expectAccessible(page);
  const link = new URL(await linkTo(house.server, 'lin@example.org', '/auth/link'));
  await page.goto(link.pathname + link.hash);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectInside(page);

  const other = await newWindow(house.server.url);
  await other.goto(link.pathname + link.hash);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  await expectAccessible(other);
});

test('with a new password, when the old one is forgotten', async () => {
  await house.addPerson('flo@example.org');
  const page = await newWindow(house.server.url);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgotten your password?' }).click();
  await page.getByLabel('E-mail address').fill('flo@example.org');
  await page.getByRole('button', { name: 'Mail me a link' }).click();
  await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
  const link = new URL(await linkTo(house.server, 'flo@example.org', '/auth/reset'));
  await page.goto(link.pathname + link.hash);
  await page.getByLabel('New password').fill('an anchor under the bed');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Choose this password' }).click();
  await expectInside(page);
});

test('with a second factor, and with a recovery code when the telephone is gone', async () => {
  tolerate(/401.*\/api\/auth\/login/);
  const tom = await house.addPerson('tom@example.org');
  const { secret } = await tom.ask('POST', '/api/me/second-factor');
  const { recovery_codes: recovery } = await tom.ask('POST', '/api/me/second-factor/confirm', { otp: oneTimeCode(secret) });

  const page = await newWindow(house.server.url);
  await page.goto('/login');
  await enter(page, 'tom@example.org', PASSWORD);
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The code is wrong, or was used before.').waitFor();
  // The code of this step is used up.
  await page.getByLabel('Code').fill(oneTimeCode(secret, 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectInside(page);

  const other = await newWindow(house.server.url);
  await other.goto('/login');
  await enter(other, 'tom@example.org', PASSWORD);
  await other.getByRole('button', { name: 'Use a recovery code' }).click();
  await other.getByLabel('Recovery code').fill(recovery[0]);
  await other.getByRole('button', { name: 'Continue' }).click();
  await expectInside(other);
});

test('through a provider that is trusted, and not with an account that it does not open', async () => {
  // Pages of the provider are not ours.
  tolerate(/fonts\.googleapis|ERR_|\/interaction\/|favicon/);
  const provider = await Provider.start(`${house.server.url}/auth/home/callback`);
  try {
    await house.root.ask('PUT', '/api/providers/home', {
      name: 'Our club', issuer: provider.issuer, client_id: 'atrium', client_secret: 'atrium-secret', trusted: true, creates_users: false,
    });
    await house.addPerson('ann@example.org', { name: 'Ann' });
    const page = await newWindow(house.server.url);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Sign in with Our club' }).click();
    await signInAt(page, 'ann');
    await expectInside(page);

    const other = await newWindow(house.server.url);
    await other.goto('/login');
    await other.getByRole('link', { name: 'Sign in with Our club' }).click();
    await signInAt(other, 'bob');
    await other.getByText('Your account elsewhere does not open one here.').waitFor();
    await expectAccessible(other);
  } finally {
    await house.root.ask('DELETE', '/api/providers/home');
    provider.stop();
  }
});

async function signInAt(page: Page, account: string): Promise<void> {
  await page.locator('input[name=login]').fill(account);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('whoever signs out is out, in other windows too', async () => {
  tolerate(/401/);
  const eve = await house.addPerson('eve@example.org');
  const page = await newWindow(house.server.url, { as: eve });
  await page.goto('/calendar');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto('/calendar');
  await page.waitForURL('**/login**');
  expect((await eve.try('GET', '/api/me')).status).toBe(401);
});
