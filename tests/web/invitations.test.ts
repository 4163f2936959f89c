// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newWindow, PHONE, tolerate } from './browser';
import { openWeek } from './calendar_page';
import { House, PASSWORD, type Person } from './house';
import { linkTo, WITH_MAIL } from './letters';
import { expectAccessible, expectNoSidewaysScrolling, takePicture } from './looks';

/** Opens the share dialog of a calendar. */
async function openSharing(page: Page, calendar: string): Promise<Locator> {
  await openWeek(page);
  await page.getByRole('button', { name: `More for ${calendar}` }).click();
  await page.getByRole('menuitem', { name: 'Share with people' }).click();
  return page.getByRole('dialog', { name: `Share “${calendar}”` });
}

async function inviteIn(panel: Locator, email: string): Promise<string> {
  await panel.getByLabel('Invite by e-mail').fill(email);
  await panel.getByRole('button', { name: 'Invite', exact: true }).click();
  return panel.getByRole('textbox', { name: 'Link to the invitation' }).inputValue();
}

/** Goes where a link leads, in a window of its own. */
async function follow(house: House, link: string, look: Parameters<typeof newWindow>[1] = {}): Promise<Page> {
  const url = new URL(link);
  const page = await newWindow(house.server.url, look);
  await page.goto(url.pathname + url.hash);
  return page;
}

async function makeAccount(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Make my account' }).click();
}

/** Nobody is told that something was sent. */
async function expectNothingSent(page: Page): Promise<void> {
  expect(await page.locator('body').innerText()).not.toMatch(/\bsent to\b|letter with a link|on its way/i);
}

describe('a server that sends no mail', () => {
  let house: House;
  let ann: Person;

  beforeAll(async () => {
    house = await House.start();
    ann = await house.addPerson('ann@example.org', { name: 'Ann' });
    await house.root.makeCalendar('Garden', '#15803D');
    await ann.makeCalendar('Choir', '#B45309');
  });
  afterAll(() => house.stop());

  test('the share dialog shows a link and a QR code, and the invited person stands in the calendar', async () => {
    const page = await newWindow(house.server.url, { as: house.root });
    const panel = await openSharing(page, 'Garden');
    await panel.getByText('This server sends no mail. You get a link to pass on').waitFor();
    const link = await inviteIn(panel, 'new@example.org');
    await panel.getByText('This server sends no mail, so new@example.org hears nothing from it.').waitFor();
    await panel.getByRole('img', { name: 'The link as a QR code' }).waitFor();
    await panel.getByRole('button', { name: 'Copy' }).waitFor();
    await panel.getByText(/No letter: this server sends no mail/).waitFor();
    await expectNothingSent(page);
    await expectAccessible(page);
    await takePicture(page, 'invitations-share-without-mail');

    const theirs = await follow(house, link, { viewport: PHONE });
    await theirs.getByText('Rut Root (root@example.org) invites you to the calendar “Garden”.').waitFor();
    expect(new URL(theirs.url()).hash).toBe('');
    await expectAccessible(theirs);
    await expectNoSidewaysScrolling(theirs);
    await takePicture(theirs, 'invitations-join-phone');
    await makeAccount(theirs, 'Nell New');
    await theirs.waitForURL('**/calendar**');
    await expect.poll(async () => (await house.root.ask('GET', `/api/calendars/${await calendarOf(house.root, 'Garden')}/members`)).members
      .find((one: { email: string }) => one.email === 'new@example.org').status).toBe('active');
    await takePicture(theirs, 'invitations-joined-phone');

    tolerate(/status of 409/);
    const late = await follow(house, link);
    await late.getByText('It was used already.').waitFor();
    await expectAccessible(late);
    await takePicture(late, 'invitations-used');
  });

  test('whoever a member invites waits for an administrator, and goes in from the same page', async () => {
    const page = await newWindow(house.server.url, { as: ann });
    const panel = await openSharing(page, 'Choir');
    await panel.getByRole('button', { name: 'Make a link for somebody' }).click();
    const link = await panel.getByRole('textbox', { name: 'Link to the invitation' }).inputValue();
    await panel.getByText('Whoever has the link').waitFor();
    const theirs = await follow(house, link);
    await theirs.getByText('An administrator then has to let you in.').waitFor();
    await theirs.getByLabel('E-mail address').fill('carl@example.org');
    await makeAccount(theirs, 'Carl Choir');
    await theirs.getByText('An administrator has to let you in as carl@example.org.').waitFor();
    await expectAccessible(theirs);
    await takePicture(theirs, 'invitations-waiting');

    const admin = await newWindow(house.server.url, { as: house.root });
    await admin.goto('/admin/invitations');
    await admin.getByText('Carl Choir').waitFor();
    await expectAccessible(admin);
    await takePicture(admin, 'invitations-admin');
    await admin.getByRole('button', { name: 'Let in: Carl Choir' }).click();
    await admin.getByText('Carl Choir is in').waitFor();

    await theirs.getByRole('button', { name: 'Go on' }).click();
    await theirs.waitForURL('**/calendar**');
    await theirs.getByText('Choir').first().waitFor();
  });

  test('a link with which too many accounts were asked for says so', async () => {
    const choir = await calendarOf(ann, 'Choir');
    const { invitation } = await ann.ask('POST', `/api/calendars/${choir}/links`, { role: 'reader' });
    const token = new URL(invitation.link).hash.replace('#token=', '');
    const theirs = await follow(house, invitation.link);
    await theirs.getByLabel('E-mail address').fill('gil@example.org');
    const ask = (turn: number) => ann.try('POST', '/api/join', { token, name: 'Gil', email: `gil${turn}@example.org`, password: PASSWORD });
    let turn = 0;
    while ((await ask(turn)).status < 300) turn += 1;
    expect(turn).toBeGreaterThan(0);
    tolerate(/status of 409/);
    await makeAccount(theirs, 'Gil');
    await theirs.getByRole('alert').getByText('Too many accounts were asked for with this link.').waitFor();
    await expectAccessible(theirs);
  });

  test('a link goes with its invitation, and one in its place is announced', async () => {
    const page = await newWindow(house.server.url, { as: ann });
    const panel = await openSharing(page, 'Choir');
    const first = await inviteIn(panel, 'hal@example.org');
    await panel.getByRole('button', { name: 'More for hal@example.org' }).click();
    await panel.getByRole('menuitem', { name: 'Make a new link' }).getByText('A link passed on before no longer works.').waitFor();
    await expectAccessible(page);
    await takePicture(page, 'invitations-new-link');
    await panel.getByRole('menuitem', { name: 'Make a new link' }).click();
    const field = panel.getByRole('textbox', { name: 'Link to the invitation' });
    await expect.poll(() => field.inputValue()).not.toBe(first);
    await panel.getByRole('button', { name: 'More for hal@example.org' }).click();
    await panel.getByRole('menuitem', { name: 'Withdraw the invitation' }).click();
    await page.getByText('The invitation to hal@example.org is withdrawn').waitFor();
    await field.waitFor({ state: 'detached' });
    expect(await panel.getByRole('img', { name: 'The link as a QR code' }).count()).toBe(0);
  });

  test('somebody signed in with another address is told so and can switch', async () => {
    const garden = await calendarOf(house.root, 'Garden');
    await house.addPerson('bob@example.org', { name: 'Bob' });
    const { invitation } = await house.root.ask('POST', `/api/calendars/${garden}/members`, { email: 'bob@example.org', role: 'reader' });
    const theirs = await follow(house, invitation.link, { as: await house.addPerson('eve@example.org', { name: 'Eve' }) });
    await theirs.getByText('The invitation is for bob@example.org, and you are signed in as eve@example.org.').waitFor();
    await expectAccessible(theirs);
    await theirs.getByRole('button', { name: 'Use another account' }).click();
    await theirs.getByText('There is an account for bob@example.org.').waitFor();
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
    await theirs.getByLabel('E-mail address').fill('bob@example.org');
    await theirs.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
    await theirs.getByText('You are signed in as bob@example.org.').waitFor();
    await theirs.getByRole('button', { name: 'Accept the invitation' }).click();
    await theirs.waitForURL('**/calendar**');
    await theirs.getByText('Garden').first().waitFor();
  });

  test('an organisation that lets only administrators invite says so', async () => {
    const page = await newWindow(house.server.url, { as: house.root });
    await page.goto('/admin/invitations');
    await page.getByLabel('Who may invite people without an account').selectOption({ label: 'Administrators only' });
    await page.getByText('Saved').waitFor();
    tolerate(/status of 403/);
    const hers = await newWindow(house.server.url, { as: ann });
    const panel = await openSharing(hers, 'Choir');
    await panel.getByLabel('Invite by e-mail').fill('other@example.org');
    await panel.getByRole('button', { name: 'Invite', exact: true }).click();
    await hers.getByText('Your organisation lets only administrators bring in people').waitFor();
    await page.getByLabel('Who may invite people without an account').selectOption({ label: 'Everybody' });
  });

  test('an administrator invites to the organisation and withdraws it', async () => {
    const page = await newWindow(house.server.url, { as: house.root });
    await page.goto('/admin/invitations');
    await page.getByRole('button', { name: 'Invite somebody' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('guest@example.org');
    await dialog.getByRole('button', { name: 'Invite somebody' }).click();
    await dialog.getByRole('img', { name: 'The link as a QR code' }).waitFor();
    await expectNothingSent(page);
    await expectAccessible(page);
    await takePicture(page, 'invitations-admin-link');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'More for guest@example.org' }).click();
    await page.getByRole('menuitem', { name: 'Withdraw the invitation' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw the invitation' }).click();
    await page.getByText('The invitation for guest@example.org is withdrawn').waitFor();
  });
});

describe('a server that sends mail', () => {
  let house: House;
  let ann: Person;

  beforeAll(async () => {
    house = await House.start({ settings: WITH_MAIL });
    ann = await house.addPerson('ann@example.org', { name: 'Ann' });
    await ann.makeCalendar('Choir', '#B45309');
  });
  afterAll(() => house.stop());

  test('the letter lets its reader in at once, in German too', async () => {
    const page = await newWindow(house.server.url, { as: ann });
    const panel = await openSharing(page, 'Choir');
    await inviteIn(panel, 'new@example.org');
    await panel.getByText('The mail server has taken the letter to new@example.org.').waitFor();
    await panel.getByText(/Letter taken by the mail server/).waitFor();
    await expectAccessible(page);
    await takePicture(page, 'invitations-share-with-mail');

    const theirs = await follow(house, await linkTo(house.server, 'new@example.org', '/join'));
    await theirs.getByRole('button', { name: 'Deutsch' }).click();
    await theirs.getByText('Ann (ann@example.org) lädt dich in den Kalender „Choir“ ein.').waitFor();
    await takePicture(theirs, 'invitations-join-german');
    await theirs.getByLabel('Dein Name').fill('Neu');
    await theirs.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Konto anlegen' }).click();
    await theirs.waitForURL('**/calendar**');
    await theirs.getByText('Choir').first().waitFor();
  });

  test('a letter is asked for again, and waits to be sent', async () => {
    const page = await newWindow(house.server.url, { as: ann });
    const panel = await openSharing(page, 'Choir');
    await inviteIn(panel, 'ida@example.org');
    await panel.getByRole('button', { name: 'More for ida@example.org' }).click();
    await panel.getByRole('menuitem', { name: 'Send the invitation again' }).click();
    await page.getByText('Another letter to ida@example.org is waiting to be sent').waitFor();
  });

  test('a link passed on by hand is proved by a letter, in the same window', async () => {
    const choir = await calendarOf(ann, 'Choir');
    const { invitation } = await ann.ask('POST', `/api/calendars/${choir}/links`, { role: 'reader' });
    const theirs = await follow(house, invitation.link);
    await theirs.getByLabel('E-mail address').fill('dora@example.org');
    await makeAccount(theirs, 'Dora');
    await theirs.getByText('A letter to dora@example.org is waiting to be sent.').waitFor();
    await takePicture(theirs, 'invitations-letter');
    const proof = new URL(await linkTo(house.server, 'dora@example.org', '/join/confirm'));
    await theirs.goto(proof.pathname + proof.hash);
    await expectAccessible(theirs);
    await theirs.getByRole('button', { name: 'Confirm the address' }).click();
    await theirs.waitForURL('**/calendar**');
    await theirs.getByText('Choir').first().waitFor();
  });

  test('and in another browser also by the password', async () => {
    const choir = await calendarOf(ann, 'Choir');
    const { invitation } = await ann.ask('POST', `/api/calendars/${choir}/links`, { role: 'reader' });
    const first = await follow(house, invitation.link);
    await first.getByLabel('E-mail address').fill('emil@example.org');
    await makeAccount(first, 'Emil');
    await first.getByText('A letter to emil@example.org is waiting to be sent.').waitFor();
    tolerate(/status of 401.*\/api\/join\/confirm/);
    const other = await follow(house, await linkTo(house.server, 'emil@example.org', '/join/confirm'));
    await other.getByRole('button', { name: 'Confirm the address' }).click();
    await other.getByText('You are in another browser than before.').waitFor();
    await expectAccessible(other);
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await other.getByRole('button', { name: 'Confirm the address' }).click();
    await other.waitForURL('**/calendar**');
  });
});

async function calendarOf(person: Person, name: string): Promise<string> {
  return (await person.ask('GET', '/api/calendars/me')).find((one: { name: string }) => one.name === name).id as string;
}
