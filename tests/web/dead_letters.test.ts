// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow } from './browser';
import { House } from './house';
import { expectAccessible } from './looks';
import { RefusingMail } from './refusingMail';

let mail: RefusingMail;
let house: House;

beforeAll(async () => {
  mail = await RefusingMail.start();
  house = await House.start({ settings: mail.settings });
});

afterAll(async () => {
  await house.stop();
  mail.stop();
});

test('a letter that nobody took is sent again, and dropped', async () => {
  await house.root.ask('POST', '/api/admin/invitations', { email: 'new@example.org' });
  await expect.poll(async () => (await house.root.ask('GET', '/api/admin/letters')).letters.length).toBe(1);
  const page = await newWindow(house.server.url, { as: house.root });
  await page.goto('/admin/letters');
  await page.getByText('550 No such mailbox').waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Send again: letter to new@example.org' }).click();
  await page.getByText('The letter to new@example.org is waiting to be sent again.').waitFor();
  await expect.poll(async () => (await house.root.ask('GET', '/api/admin/letters')).letters.length).toBe(1);

  await page.goto('/admin/letters');
  await page.getByRole('button', { name: 'Drop: letter to new@example.org' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click();
  await page.getByText('The letter to new@example.org is dropped.').waitFor();
  await page.getByText('There are none').waitFor();
});
