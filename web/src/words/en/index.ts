// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { access } from './access';
import { account } from './account';
import { admin } from './admin';
import { calendar } from './calendar';
import { calendarPanels } from './calendarPanels';
import { common } from './common';
import { files } from './files';
import { invitations } from './invitations';

export const en = { access, account, admin, calendar, calendarPanels, common, files, invitations };
