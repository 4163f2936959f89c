// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { testViews } from './views';

testViews('access', [
  { name: 'sign-in', path: '/login', outside: true },
  { name: 'forgotten', path: '/auth/forgot', outside: true },
  { name: 'link', path: '/auth/link#token=abcdef', outside: true },
  { name: 'reset', path: '/auth/reset#token=abcdef', outside: true },
  { name: 'confirm', path: '/auth/confirm#token=abcdef', outside: true },
  { name: 'set up already', path: '/setup', outside: true },
]);
