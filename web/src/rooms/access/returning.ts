// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ACCESS_PATHS, JOIN_PATH } from '../../shell/accessPaths';

const HOME = '/calendar';

/** Where to go after the sign-in: a page of this server, whatever a link asks for, and never one of these again. */
export function safeReturn(wanted: string | null | undefined, origin: string = location.origin): string {
  if (!wanted?.startsWith('/')) {
    return HOME;
  }
  let url: URL;
  try {
    url = new URL(wanted, origin);
  } catch {
    return HOME;
  }
  // "//host" and "/\host" are other servers; "/.//host" becomes one when it is written down again.
  const isOurs = url.origin === origin && !url.pathname.startsWith('//');
  const isPage = url.pathname !== '/' && (url.pathname === JOIN_PATH || !ACCESS_PATHS.includes(url.pathname));
  return isOurs && isPage ? url.pathname + url.search + url.hash : HOME;
}

export const wantedReturn = (): string => safeReturn(new URLSearchParams(location.search).get('return_to'));
