// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { linkSecret } from '../../shell/linkSecret';

const KEY = 'atrium.join';

/** The secret of the invitation that led here, also after a sign-in on the way. Kept by this tab alone, and only until it was used. */
export function joinToken(): string | null {
  return linkSecret.value ?? sessionStorage.getItem(KEY);
}

/** Before the page is left for a sign-in. */
export function keepJoinToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function forgetJoinToken(): void {
  sessionStorage.removeItem(KEY);
  linkSecret.value = null;
}
