// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Words } from '..';

export const calendarPanels: Words['calendarPanels'] = {
};
