// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';

/** What stands behind `#token=`; null without it. */
export function secretIn(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('token') || null;
}

/** The secret of the link that led here. It lives in this page alone, and is gone when the page is loaded again. */
export const linkSecret = signal<string | null>(null);

function take(): void {
  const secret = secretIn(location.hash);
  if (secret !== null) {
    // Out of the address bar and the history, before anybody looks.
    history.replaceState(history.state, '', location.pathname + location.search);
    linkSecret.value = secret;
  }
}

take();
// A link that is pasted over the page it leads to does not load the page again.
window.addEventListener('hashchange', take);
