// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { House } from './house';
import { testViews } from './views';

/** An invitation by somebody who looks after the server, which makes an account at once. */
async function invitedBy(house: House): Promise<string> {
  const made = await house.root.ask('POST', '/api/admin/invitations', { email: `guest-${Date.now()}@example.org` });
  const link = new URL(made.link);
  return link.pathname + link.hash;
}

testViews('access', [
  { name: 'sign-in', path: '/login', outside: true },
  { name: 'forgotten', path: '/auth/forgot', outside: true },
  { name: 'link', path: '/auth/link#token=abcdef', outside: true },
  { name: 'reset', path: '/auth/reset#token=abcdef', outside: true },
  { name: 'confirm', path: '/auth/confirm#token=abcdef', outside: true },
  { name: 'join', path: invitedBy, outside: true },
  { name: 'join without a link', path: '/join', outside: true },
  { name: 'join confirm', path: '/join/confirm#token=abcdef', outside: true },
  { name: 'set up already', path: '/setup', outside: true },
]);
