// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { me, refreshMe } from '../../shell/session';
import { words } from '../../words';

/** After the server has said yes: finds out who that is, and goes on. */
export async function goIn(go: (path: string, options?: { replace: boolean }) => void, path: string): Promise<void> {
  await refreshMe();
  if (me.value === null) {
    throw new Error(words.value.access.cookies);
  }
  go(path, { replace: true });
}
