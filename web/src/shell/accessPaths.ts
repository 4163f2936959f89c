// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** The pages for who is not known yet: those of the room `access`. */
export const ACCESS_PATHS = ['/setup', '/login', '/auth/link', '/auth/reset', '/auth/confirm', '/auth/forgot'];
