// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { findRoutes, groupsOf, routesOf } from './openapi';

const DOCUMENT = {
  paths: {
    '/livez': { get: { summary: 'Whether the process is alive', 'x-access': 'anyone', 'x-rate': 'unlimited', 'x-body-bytes-max': 0 } },
    '/api/users': {
      get: { summary: 'The people of an organisation', 'x-access': 'admin' },
      post: { summary: 'Make an account', 'x-access': 'admin', 'x-body-bytes-max': 65536 },
    },
    '/api/calendars': { get: { summary: 'All calendars', 'x-access': 'member' } },
  },
};

describe('the list of routes', () => {
  const routes = routesOf(DOCUMENT);

  it('has a line for each method', () => {
    expect(routes.map((route) => `${route.method} ${route.path}`)).toEqual(['GET /livez', 'GET /api/users', 'POST /api/users', 'GET /api/calendars']);
    expect(routes[2]).toMatchObject({ bodyBytesMax: 65536, access: 'admin' });
  });

  it('is grouped by what the routes are about', () => {
    expect(groupsOf(routes).map(([name, group]) => [name, group.length])).toEqual([['calendars', 1], ['users', 2], ['', 1]]);
  });

  it('is searched by words in any order', () => {
    expect(findRoutes(routes, 'account post').map((route) => route.path)).toEqual(['/api/users']);
    expect(findRoutes(routes, 'member')).toHaveLength(1);
    expect(findRoutes(routes, '')).toHaveLength(4);
    expect(findRoutes(routes, 'nothing')).toEqual([]);
  });
});
