// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

import type { Person } from './house';
import { CHROMIUM } from './places';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** A phone on its side, and a desk at 200 % zoom. */
export const LOW = { width: 720, height: 450 };

const SWITCHES = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

export interface Look {
  viewport?: { width: number; height: number };
  theme?: 'light' | 'dark';
  /** Who is signed in from the start. */
  as?: Person;
  language?: string;
  zone?: string;
}

export const launch = (...more: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...SWITCHES, ...more] });

/** A window that shares nothing with others. */
export async function openWindow(browser: Browser, base: string, look: Look = {}): Promise<BrowserContext> {
  const phone = look.viewport !== undefined && look.viewport.width < 600;
  const context = await browser.newContext({
    baseURL: base, viewport: look.viewport ?? DESKTOP, colorScheme: look.theme ?? 'light', locale: look.language ?? 'en-GB',
    timezoneId: look.zone ?? 'Europe/Berlin', reducedMotion: 'reduce', hasTouch: phone, isMobile: phone, acceptDownloads: true,
  });
  if (look.as !== undefined) {
    await context.addCookies([{ name: 'session', value: look.as.session, url: base, httpOnly: true, sameSite: 'Lax' }]);
  }
  context.setDefaultTimeout(20_000);
  return context;
}
