// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError, ProofWanted } from '../api/client';
import { words } from '../words';

/** What to tell a person about a failure. The server's own words win where they name what is wrong with the request. */
export function messageOf(error: unknown): string {
  const told = words.value.common.errors;
  if (!(error instanceof ApiError)) {
    return error instanceof Error && error.message !== '' ? error.message : told.unknown;
  }
  if (error instanceof ProofWanted) {
    return words.value.common.proof.declined;
  }
  switch (error.status) {
    case 0:
      return told.unreachable;
    case 403:
      return error.message || told.denied;
    case 404:
      return told.missing;
    case 412:
      return told.changed;
    case 413:
      return told.tooLarge;
    case 429:
      return told.tooOften(error.retryAfterSeconds ?? 60);
    case 443:
      return told.noSpace;
    default:
      return error.status >= 500 ? withReference(told.server, error) : error.message || told.unknown;
  }
}

function withReference(text: string, error: ApiError): string {
  return error.requestId === '' ? text : `${text} ${words.value.common.errors.reference(error.requestId)}`;
}
