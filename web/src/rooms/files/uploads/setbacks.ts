// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../../../api/client';
import { PASSWORD_NEEDED } from '../../../api/files';

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;
const ATTEMPTS = 6;

// The server is on its way down or up, or the line is: however long that takes, it is not the fault of the file.
const AWAY = [0, 502, 503, 504];
// The piece did not fit what the server has, the link has ended, or there were too many requests: asked again, it goes on.
const PASSING = [401, 408, 409, 425, 429, 500];

/** What to do after an error, when so many attempts before have brought nothing forward. */
export function whatAfter(error: unknown, attempts: number): 'retry' | 'unlock' | 'fail' {
  if (!(error instanceof ApiError)) {
    return 'fail';
  }
  if (error.status === PASSWORD_NEEDED) {
    return 'unlock';
  }
  return AWAY.includes(error.status) || (PASSING.includes(error.status) && attempts < ATTEMPTS) ? 'retry' : 'fail';
}

/** Longer each time. A server that says when wins. */
export function retryDelay(attempts: number, error: unknown): number {
  if (error instanceof ApiError && error.retryAfterSeconds !== null) {
    return error.retryAfterSeconds * 1000;
  }
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempts);
}
