// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Locator, Page } from 'playwright-core';

/** A Monday far from any change of clocks. */
export const MONDAY = '2027-03-01';
export const TUESDAY = '2027-03-02';
export const WEDNESDAY = '2027-03-03';

/** The entry with this title in the grid. Its times stand before it, or screen readers say them after it. */
export function entryIn(page: Page, title: string, time = ''): Locator {
  return page.getByRole('region', { name: 'Entries' }).getByRole('button', { name: new RegExp(`(^|\\d )${title}\\b`) })
    .filter({ hasText: time });
}

export async function openWeek(page: Page, day = MONDAY): Promise<void> {
  await page.goto(`/calendar/week/${day}`);
  await page.getByRole('region', { name: 'Entries' }).waitFor();
}

/** Where a time of a day is in the week, as a point of the window; brings it into view. */
export async function pointAt(page: Page, day: string, time: string): Promise<{ x: number; y: number }> {
  const slot = page.locator(`td.fc-timegrid-slot-lane[data-time="${time}:00"]`);
  await slot.scrollIntoViewIfNeeded();
  const row = (await slot.boundingBox())!;
  const column = (await page.locator(`.fc-timegrid-col[data-date="${day}"]`).boundingBox())!;
  return { x: column.x + column.width / 2, y: row.y + 4 };
}

/** Presses, moves in steps as a hand does, lets go. */
export async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 6 });
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
}

export async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = (await locator.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
