// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';

import { DESKTOP, LOW, newWindow, PHONE } from './browser';
import { House, type Person } from './house';
import { expectAccessible, expectNoSidewaysScrolling, settled, takePicture } from './looks';

/** A page, or what opens on it. */
export interface View {
  name: string;
  path: string | ((house: House) => Promise<string>);
  /** What makes it appear once the page is there. */
  open?: (page: Page) => Promise<void>;
  /** Nobody is signed in. */
  outside?: boolean;
  /** Only where there is room for it. */
  wideOnly?: boolean;
}

const SIZES = { desktop: DESKTOP, phone: PHONE, low: LOW };
// Six looks at one view.
const VIEW_MS = 180_000;
const THEMES = ['light', 'dark'] as const;

/** Each view in light and dark, on a desk, on a phone, and where there is little height: it is accessible, it fits, and its picture is kept. */
export function testViews(room: string, views: readonly View[]): void {
  let house: House;
  beforeAll(async () => {
    house = await House.furnished();
  });
  afterAll(() => house.stop());

  for (const view of views) {
    test(`${room}: ${view.name}`, async () => {
      const path = typeof view.path === 'string' ? view.path : await view.path(house);
      for (const [size, viewport] of Object.entries(SIZES)) {
        if (view.wideOnly && size !== 'desktop') {
          continue;
        }
        const person: { as?: Person } = view.outside ? {} : { as: house.root };
        const page = await newWindow(house.server.url, { viewport, ...person });
        await page.goto(path);
        await settled(page);
        await view.open?.(page);
        await settled(page);
        for (const theme of THEMES) {
          await page.emulateMedia({ colorScheme: theme });
          await takePicture(page, `${room} ${view.name} ${size} ${theme}`.replace(/\W+/g, '-'));
          await expectAccessible(page);
        }
        await expectNoSidewaysScrolling(page);
      }
    }, VIEW_MS);
  }
}
