// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';

import { RESULTS } from './places';
import { launch, type Look, openWindow } from './windows';

export { DESKTOP, LOW, PHONE } from './windows';

// Whoever comes without a session is told so when the page asks who is here, and browsers write that down.
const USUAL = /status of (401|503).*\/api\/me\b/;

let running: Promise<Browser> | null = null;
const contexts: BrowserContext[] = [];
const complaints: string[] = [];
const tolerated: RegExp[] = [];

/** What a page may complain of in this test: a refusal that is provoked, a server that is gone. */
export function tolerate(...complaint: RegExp[]): void {
  tolerated.push(...complaint);
}

/** A new window of the one browser that all tests of a file share. Errors in its console fail the test. */
export async function newWindow(base: string, look: Look = {}): Promise<Page> {
  running ??= launch();
  const context = await openWindow(await running, base, look);
  contexts.push(context);
  const page = await context.newPage();
  watch(page);
  return page;
}

function watch(page: Page): void {
  page.on('console', (message) => {
    const text = saidOf(message);
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(text);
    }
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.stack ?? error.message}`));
}

/** With where it comes from: for what could not be loaded, that is the address. */
function saidOf(message: ConsoleMessage): string {
  const { url } = message.location();
  return `${message.type()}: ${message.text()}${url ? ` (${url})` : ''}`;
}

async function keepPicturesOf(test: string): Promise<void> {
  const folder = join(RESULTS, 'failures');
  mkdirSync(folder, { recursive: true });
  const name = test.replace(/\W+/g, '-').slice(0, 80);
  for (const [number, page] of contexts.flatMap((context) => context.pages()).entries()) {
    await page.screenshot({ path: join(folder, `${name}-${number}.png`) }).catch(() => undefined);
  }
}

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    await keepPicturesOf(task.name);
  }
  const told = complaints.filter((text) => ![USUAL, ...tolerated].some((pattern) => pattern.test(text)));
  complaints.length = 0;
  tolerated.length = 0;
  for (const context of contexts.splice(0)) {
    await context.close();
  }
  expect(told, 'what pages complained of').toEqual([]);
});

afterAll(async () => {
  await (await running)?.close();
  running = null;
});
