// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal } from '@preact/signals';

import { ApiError, onSignedOut } from '../api/client';
import { loadMe, type Me } from '../api/me';

/** Who is here: undefined until it is known, null for nobody. */
export const me = signal<Me | null | undefined>(undefined);
/** Whether whoever is here has asked for an account and waits to be let in. */
export const isWaiting = signal(false);
export const isAdministrator = computed(() => me.value?.role === 'admin' || me.value?.role === 'superadmin');
export const isSuperadministrator = computed(() => me.value?.role === 'superadmin');

/** The zone in which this person reads times: the one of the account, else the one of the browser. */
export const homeZone = computed(
  () => me.value?.user?.time_zone || Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');

/** Asks the server who is here. Throws when the server cannot be reached. */
export async function refreshMe(): Promise<void> {
  try {
    const found = await loadMe();
    isWaiting.value = found.credential === 'provisional';
    me.value = isWaiting.value ? null : found;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403 || error.status === 503)) {
      me.value = null;
      return;
    }
    throw error;
  }
}

onSignedOut(() => {
  me.value = null;
});

const KEY = 'atrium.known';

/** Whether somebody was signed in here lately. Where people come in, nobody else needs to be asked for. */
export const wasSignedIn = (): boolean => localStorage.getItem(KEY) !== null;

effect(() => {
  if (me.value === null) {
    localStorage.removeItem(KEY);
  } else if (me.value !== undefined) {
    localStorage.setItem(KEY, '1');
  }
});
