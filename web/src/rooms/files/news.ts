// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { hearChanges } from '../../api/fileNews';

/** Calls `look` when somebody comes back to the page, and every so often while they look at it. Answers how to end it. */
export function onLook(look: () => void, everyMs: number): () => void {
  let last = Date.now();
  const lookNow = () => { last = Date.now(); look(); };
  const returned = () => { if (document.visibilityState === 'visible' && Date.now() - last > 1000) lookNow(); };
  const timer = window.setInterval(() => { if (document.visibilityState === 'visible') lookNow(); }, everyMs);
  document.addEventListener('visibilitychange', returned);
  window.addEventListener('focus', returned);
  return () => {
    window.clearInterval(timer);
    document.removeEventListener('visibilitychange', returned);
    window.removeEventListener('focus', returned);
  };
}

const POLL_MS = 15_000;
const SETTLE_MS = 300;

/** Calls `changed` whenever a library may have changed since `head`: told by the server, or looked at now and then without it. */
export function watchLibrary(library: string, head: string, changed: () => void): () => void {
  let isTold = false;
  let timer = 0;
  const soon = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(changed, SETTLE_MS);
  };
  const endHearing = hearChanges(library, head, { connected: (yes) => { isTold = yes; }, changed: soon });
  const endLooking = onLook(() => { if (!isTold) soon(); }, POLL_MS);
  return () => {
    endHearing();
    endLooking();
    window.clearTimeout(timer);
  };
}
