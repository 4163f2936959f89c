// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Entry } from '../../api/entries';

/** An entry for tests: what a test does not name does not matter to it. */
export const sampleEntry = (fields: Partial<Entry>): Entry => ({
  id: 'e', calendarId: 'c', kind: 'timed', completed: false, title: 'Something', startDate: '2026-11-17', endDate: '2026-11-17', reminders: [],
  transparent: false, uid: '', sequence: 0, createdAt: '', updatedAt: '', ...fields,
});
