// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { say } from '../ui/toast';
import { words } from '../words';
import { refreshMe } from './session';

/** Whether the server answers. Rooms that notice first may say so; the banner goes when it is reached again. */
export const connected = signal(navigator.onLine);

const PROBE_MS = 5000;

async function probe(): Promise<void> {
  try {
    const reply = await fetch('/api/health', { cache: 'no-store' });
    if (!reply.ok) return;
    await refreshMe();
    connected.value = true;
    say(words.value.common.backOnline);
  } catch {
    // Still gone: the next probe tells.
  }
}

export function Connectivity() {
  useEffect(() => {
    const gone = () => { connected.value = false; };
    const back = () => void probe();
    window.addEventListener('offline', gone);
    window.addEventListener('online', back);
    return () => {
      window.removeEventListener('offline', gone);
      window.removeEventListener('online', back);
    };
  }, []);
  useEffect(() => {
    if (connected.value) return;
    const timer = window.setInterval(() => void probe(), PROBE_MS);
    return () => window.clearInterval(timer);
  }, [connected.value]);
  return connected.value ? null : <div class="offline" role="alert">{words.value.common.offline}</div>;
}
