// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** The pages for who is not known yet: those of the room `access`. */
export const ACCESS_PATHS = [
  '/setup', '/login', '/auth/link', '/auth/reset', '/auth/confirm', '/auth/forgot', '/join', '/join/confirm', '/join/waiting',
];

/** The one of them that people come back to: an invitation is accepted after the sign-in. */
export const JOIN_PATH = '/join';
