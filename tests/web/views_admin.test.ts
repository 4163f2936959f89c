// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { testViews } from './views';

testViews('admin', [
  { name: 'overview', path: '/admin' },
  { name: 'people', path: '/admin/people' },
  {
    name: 'a person', path: '/admin/people',
    open: async (page) => {
      await page.getByText('Ruth Adler').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'invitations', path: '/admin/invitations' },
  { name: 'organisations', path: '/admin/organisations' },
  { name: 'providers', path: '/admin/providers' },
  { name: 'jobs', path: '/admin/jobs' },
  { name: 'letters', path: '/admin/letters' },
  { name: 'storage', path: '/admin/storage' },
  { name: 'backups', path: '/admin/backups' },
  { name: 'audit', path: '/admin/audit' },
  { name: 'API', path: '/admin/api' },
]);
