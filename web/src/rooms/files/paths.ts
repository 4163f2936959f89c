// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Paths within a library begin with a slash; the root is "/", and nothing else ends with one.

export const ROOT = '/';

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

export const join = (folder: string, ...names: string[]): string =>
  `/${[folder, ...names].flatMap(partsOf).join('/')}`;

export const nameOf = (path: string): string => partsOf(path).at(-1) ?? '';

export const parentOf = (path: string): string => `/${partsOf(path).slice(0, -1).join('/')}`;

/** Whether `path` is `folder` or below it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === ROOT || path === folder || path.startsWith(`${folder}/`);

/** Where a path leads that stands in a file of a folder: "../a" and "./a" as they are meant, "/a" from the root. */
export function resolve(folder: string, relative: string): string {
  const parts = relative.startsWith('/') ? [] : partsOf(folder);
  for (const part of partsOf(relative)) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export interface Crumb {
  name: string;
  path: string;
}

/** The folders on the way to a path, without the root. */
export function crumbsOf(path: string): Crumb[] {
  const parts = partsOf(path);
  return parts.map((name, index) => ({ name, path: `/${parts.slice(0, index + 1).join('/')}` }));
}

/** "a", "tar.gz" and "" of "photo.a", "x.tar.gz" and ".profile" or "README". */
export function extensionOf(name: string): string {
  const found = /^.+?((?:\.tar)?\.[^.\s]+)$/.exec(name);
  return found === null ? '' : found[1]!.slice(1).toLowerCase();
}

/** "report", ".pdf" of "report.pdf": what a number goes between. */
export function splitName(name: string): [string, string] {
  const extension = extensionOf(name);
  return extension === '' ? [name, ''] : [name.slice(0, -extension.length - 1), name.slice(-extension.length - 1)];
}

/** As names are compared: however their letters are put together. */
export const sameName = (name: string): string => name.normalize('NFC');

/** The name itself, or with the first number that makes it free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const [stem, ending] = splitName(name);
  let candidate = name;
  for (let number = 1; taken.has(sameName(candidate)); number += 1) {
    candidate = `${stem} (${number})${ending}`;
  }
  return candidate;
}

export type NameFault = 'empty' | 'slash' | 'dots' | 'long';

/** What the server would refuse. */
export function faultOf(name: string): NameFault | null {
  if (name.trim() === '') return 'empty';
  if (name.includes('/')) return 'slash';
  if (name === '.' || name === '..') return 'dots';
  return new TextEncoder().encode(name).length > 255 ? 'long' : null;
}

// ---- Addresses of pages.

export interface Place {
  library: string;
  path: string;
}

/** "/files/{library}/{path}" with every part encoded. */
export const pageOf = ({ library, path }: Place): string =>
  `/files/${library}${path === ROOT ? '' : `/${partsOf(path).map(encodeURIComponent).join('/')}`}`;

const LIBRARY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The place a page is about; null for pages that are about none. `pathname` as the browser has it: still encoded. */
export function placeOf(pathname: string): Place | null {
  const [room, library, ...parts] = pathname.split('/').filter((part) => part !== '');
  if (room !== 'files' || library === undefined || !LIBRARY.test(library)) {
    return null;
  }
  return { library, path: join(ROOT, ...parts.map(decoded)) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Typed by hand: a lone percent sign means itself.
    return part;
  }
}
