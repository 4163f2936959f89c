// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newWindow } from './browser';
import { firstLoad } from './first_load';
import { House } from './house';

const BYTES_MAX = 200_000;

let house: House;

beforeAll(async () => {
  house = await House.furnished();
});

afterAll(() => house.stop());

test('the sign-in loads quickly', async () => {
  const page = await newWindow(house.server.url);
  const { appBytes } = await firstLoad(page, '/login');
  expect(appBytes).toBeLessThan(BYTES_MAX);
});

test('the calendar loads quickly', async () => {
  const page = await newWindow(house.server.url, { as: house.root });
  const { appBytes } = await firstLoad(page, '/calendar');
  expect(appBytes).toBeLessThan(BYTES_MAX);
});

test('files of the pages are compressed, kept for ever, and from this server alone', async () => {
  const page = await newWindow(house.server.url, { as: house.root });
  const { responses } = await firstLoad(page, '/calendar');
  const assets = responses.filter((one) => new URL(one.url()).pathname.startsWith('/assets/'));
  expect(assets.length).toBeGreaterThan(2);
  for (const asset of assets) {
    const headers = await asset.allHeaders();
    expect(headers['cache-control'], asset.url()).toContain('immutable');
    expect(headers['content-encoding'] ?? Number(headers['content-length']) < 1000, asset.url()).toBeTruthy();
  }
  expect(responses.filter((one) => !one.url().startsWith(house.server.url)).map((one) => one.url())).toEqual([]);
  const document = responses.find((one) => one.request().resourceType() === 'document')!;
  const policy = (await document.allHeaders())['content-security-policy']!;
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test('nothing of the app is fetched twice', async () => {
  const page = await newWindow(house.server.url, { as: house.root });
  await firstLoad(page, '/calendar');
  const { responses } = await firstLoad(page, '/calendar');
  const assets = responses.filter((one) => one.url().includes('/assets/'));
  const sizes = await Promise.all(assets.map(async (one) => (await one.request().sizes()).responseBodySize));
  expect(sizes.filter((bytes) => bytes > 0)).toEqual([]);
});
