// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** One thing that can be asked of the server. */
export interface ApiRoute {
  method: string;
  path: string;
  summary: string;
  access: string;
  rate: string;
  /** Of the body it takes; 0: none. */
  bodyBytesMax: number;
}

interface Operation {
  summary?: string;
  'x-access'?: string;
  'x-rate'?: string;
  'x-body-bytes-max'?: number;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

export function routesOf(document: ApiDocument): ApiRoute[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      summary: operation.summary ?? '',
      access: operation['x-access'] ?? '',
      rate: operation['x-rate'] ?? '',
      bodyBytesMax: operation['x-body-bytes-max'] ?? 0,
    })));
}

/** By the first word of the path behind /api; what belongs to no such group comes together at the end. */
export function groupsOf(routes: readonly ApiRoute[]): [string, ApiRoute[]][] {
  const groups = new Map<string, ApiRoute[]>();
  for (const route of routes) {
    const name = groupOf(route.path);
    groups.set(name, [...(groups.get(name) ?? []), route]);
  }
  return [...groups].sort(([one], [other]) => Number(one === '') - Number(other === '') || one.localeCompare(other));
}

function groupOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  if (parts[0] === 'api2' || parts[0] === 'seafhttp') {
    return parts[0];
  }
  if (parts[0] !== 'api' || parts[1] === undefined) {
    return '';
  }
  return parts[1] === 'v2.1' ? 'api/v2.1' : parts[1];
}

/** Every word typed must be found somewhere: method, path, summary or rule. */
export function findRoutes(routes: readonly ApiRoute[], typed: string): ApiRoute[] {
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return routes.filter((route) => {
    const text = `${route.method} ${route.path} ${route.summary} ${route.access}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
