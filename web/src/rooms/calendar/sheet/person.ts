// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Organizer } from '../../../api/entries';

/** "Ann (ann@example.org)", or the address alone. */
export const personText = ({ name, address }: Organizer): string =>
  (name && name !== address ? `${name} (${address})` : address);
