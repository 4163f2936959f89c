// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// What ./bench web asks for: prints one line of JSON for each measurement, {"name", "unit", "values"}.
//
//   npx vite-node measure.ts -- ROUNDS
import { launch as launchChrome } from 'chrome-launcher';
import lighthouse, { desktopConfig, type Result as LighthouseResult } from 'lighthouse';
import type { Browser, Page } from 'playwright-core';

import { firstLoad } from './first_load';
import { House, type Person } from './house';
import { CHROMIUM } from './places';
import { launch, openWindow } from './windows';

const ROUNDS = Number(process.argv.at(-1)) || 3;
const ENTRIES = 5000;
const BATCH = 10;
const YEAR = 2027;

function tell(name: string, unit: string, values: number[]): void {
  console.log(JSON.stringify({ name, unit, values }));
}

async function repeated(run: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    values.push(await run());
  }
  return values;
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices'];

/** What Lighthouse says of a page, by category. */
async function scoresOf(name: string, url: string, cookie: string, config: typeof desktopConfig | undefined): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each time a browser that has seen nothing: which view somebody likes is remembered.
    const chrome = await launchChrome({
      chromePath: CHROMIUM, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    const extraHeaders: Record<string, string> = cookie === '' ? {} : { Cookie: cookie };
    const result = await lighthouse(url, { port: chrome.port, logLevel: 'error', onlyCategories: CATEGORIES, extraHeaders }, config);
    chrome.kill();
    for (const category of Object.values(result!.lhr.categories)) {
      (found[category.id] ??= []).push(100 * (category.score ?? 0));
    }
    complain(name, result!.lhr);
  }
  return found;
}

async function scores(house: House): Promise<void> {
  for (const [page, path, cookie] of [['sign-in', '/login', ''], ['calendar', '/calendar', `session=${house.root.session}`]] as const) {
    for (const [form, config] of [['desktop', desktopConfig], ['phone', undefined]] as const) {
      const name = `${page}, ${form}`;
      for (const [category, values] of Object.entries(await scoresOf(name, house.server.url + path, cookie, config))) {
        tell(`${name}: ${category}`, 'points', values);
      }
    }
  }
}

/** What cost points, for who wants to do something about it. */
function complain(page: string, { categories, audits }: LighthouseResult): void {
  for (const { id, weight } of Object.values(categories).flatMap((category) => category.auditRefs)) {
    const audit = audits[id]!;
    if (weight > 0 && audit.score !== null && audit.score < 0.9) {
      console.error(`${page}: ${audit.title} (${audit.displayValue ?? audit.score})`);
    }
  }
}

/** Opens a page in a window of its own and closes it again. */
async function inWindow<T>(browser: Browser, house: House, person: Person | null, run: (page: Page) => Promise<T>): Promise<T> {
  const context = await openWindow(browser, house.server.url, person === null ? {} : { as: person });
  try {
    return await run(await context.newPage());
  } finally {
    await context.close();
  }
}

async function sizes(browser: Browser, house: House): Promise<void> {
  for (const [name, path, person] of [['sign-in', '/login', null], ['calendar', '/calendar', house.root]] as const) {
    const load = await inWindow(browser, house, person, (page) => firstLoad(page, path));
    tell(`${name}: the app`, 'KB', [load.appBytes / 1000]);
    tell(`${name}: what it asks for`, 'KB', [load.askedBytes / 1000]);
  }
}

async function firstEntry(browser: Browser, house: House): Promise<void> {
  const values = await repeated(() => inWindow(browser, house, house.root, async (page) => {
    await page.goto('/calendar/month', { waitUntil: 'commit' });
    const shown = await page.waitForFunction(() => document.querySelector('.calendar-event') !== null && performance.now());
    return (await shown.jsonValue()) as number;
  }));
  tell('month: the first entry is there', 'ms', values);
}

/** Somebody with thousands of entries in one year. */
async function busyPerson(house: House): Promise<Person> {
  const person = await house.addPerson('busy@example.org', { name: 'Busy' });
  const calendar = await person.makeCalendar('Everything');
  const kinds = ['timed', 'all-day', 'task'];
  for (let first = 0; first < ENTRIES; first += BATCH) {
    const changes = Array.from({ length: BATCH }, (_, index) => {
      const number = first + index;
      const day = new Date(Date.UTC(YEAR, 0, 1 + (number % 365))).toISOString().slice(0, 10);
      const hour = String(7 + (number % 12)).padStart(2, '0');
      const times = number % 3 === 0 ? { startTime: `${hour}:00`, endTime: `${hour}:45`, timeZone: 'Europe/Berlin' } : {};
      return { deed: 'create', entry: { calendarId: calendar, kind: kinds[number % 3], title: `Entry ${number}`, startDate: day, ...times } };
    });
    await person.ask('POST', '/api/entries/batch', { changes });
  }
  return person;
}

/** The longest task while the page is scrolled from its beginning to its end. */
async function longestTask(page: Page, path: string, scrolled: string): Promise<number> {
  await page.goto(path);
  await page.waitForFunction(() => document.querySelector('#app > *') !== null && document.querySelector('[aria-busy=true]') === null);
  const box = page.locator(scrolled);
  await box.waitFor();
  await page.evaluate(() => {
    const kept = window as unknown as { longest: number };
    kept.longest = 0;
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) kept.longest = Math.max(kept.longest, task.duration);
    }).observe({ type: 'longtask' });
  });
  await box.hover();
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(0, 200);
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)));
  }
  // Tasks are told after they are over.
  await page.evaluate(() => new Promise((next) => setTimeout(next, 300)));
  return page.evaluate(() => (window as unknown as { longest: number }).longest);
}

async function scrolling(browser: Browser, house: House): Promise<void> {
  const person = await busyPerson(house);
  for (const [name, path, box] of [['year', 'year', '.calendar-year'], ['list', 'agenda', '.calendar-agenda']] as const) {
    const values = await repeated(() => inWindow(browser, house, person, (page) => longestTask(page, `/calendar/${path}/${YEAR}-01-01`, box)));
    tell(`${name}, ${ENTRIES} entries: longest task`, 'ms', values);
  }
}

const house = await House.furnished();
const browser = await launch();
try {
  await sizes(browser, house);
  await firstEntry(browser, house);
  await scrolling(browser, house);
  await browser.close();
  await scores(house);
} finally {
  await browser.close();
  await house.stop();
}
