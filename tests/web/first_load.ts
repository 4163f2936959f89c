// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Page, Request, Response } from 'playwright-core';

/** What a page fetched until nothing was fetched any more. */
export interface FirstLoad {
  /** The app itself, as it came over the line: compressed, with the heads of replies. */
  appBytes: number;
  /** What it then asked for, which depends on how much there is. */
  askedBytes: number;
  responses: Response[];
}

/** Opens a page in a window that has seen nothing yet. */
export async function firstLoad(page: Page, path: string): Promise<FirstLoad> {
  const finished: Request[] = [];
  page.on('requestfinished', (request) => finished.push(request));
  // A stream of events never ends, so that there is no idle network; nothing is being loaded once skeletons are gone.
  await page.goto(path);
  await page.waitForFunction(() => document.querySelector('#app > *') !== null && document.querySelector('[aria-busy=true]') === null);
  let [appBytes, askedBytes] = [0, 0];
  const responses: Response[] = [];
  for (const request of finished) {
    const sizes = await request.sizes();
    const bytes = sizes.responseBodySize + sizes.responseHeadersSize;
    if (new URL(request.url()).pathname.startsWith('/api')) {
      askedBytes += bytes;
    } else {
      appBytes += bytes;
    }
    responses.push((await request.response())!);
  }
  return { appBytes, askedBytes, responses };
}
