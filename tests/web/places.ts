// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where things are: the checkout, the programs under test, and where a run leaves what it made. */
export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const BUILD = process.env['ATRIUM_BUILD'] ?? join(CHECKOUT, 'build/dev');
export const RESULTS = process.env['ATRIUM_RESULTS'] ?? join(CHECKOUT, 'build/results/web');
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** A folder of its own, which stays when a test failed: its path is in the report. */
export function newFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `atrium-web-${name}-`));
}
