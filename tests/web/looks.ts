// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { RESULTS } from './places';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  impact: string;
  help: string;
  nodes: { target: unknown[]; failureSummary: string }[];
}

/** Waits until nothing is being loaded any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#app > *').first().waitFor();
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
}

/** Nothing serious or critical, in the words of axe, is in the way of people who see or move differently. */
export async function expectAccessible(page: Page): Promise<void> {
  await drawn(page);
  // Not as a script of the page, which its content security policy would refuse.
  await page.evaluate(AXE);
  const findings: Finding[] = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Finding[] }> } };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  const grave = findings.filter((one) => one.impact === 'serious' || one.impact === 'critical');
  expect(grave.map(described).join('\n'), `what axe finds at ${new URL(page.url()).pathname}`).toBe('');
}

/** Waits until what was typed last is on the screen, with its effects: what changes while axe looks has two looks at once. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)));
  }));
}

function described(finding: Finding): string {
  const places = finding.nodes.slice(0, 5).map((node) => `${node.target.join(' ')}: ${node.failureSummary}`);
  return `${finding.id}: ${finding.help}\n  ${places.join('\n  ')}`;
}

/** Nothing is wider than the window. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, `width of ${new URL(page.url()).pathname}`).toBeLessThanOrEqual(window!);
}

/** Leaves a picture in the results of this run. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = join(RESULTS, 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
