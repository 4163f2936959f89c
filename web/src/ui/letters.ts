// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../api/client';
import type { InvitationStatus } from '../api/invitations';
import { words } from '../words';
import { say } from './toast';

const UNAVAILABLE = 503;

/** Says what became of a letter that was asked for once more. */
export const sayLetter = (email: string, { delivery }: InvitationStatus): void => say(words.value.invitations.again[delivery](email));

/** A server without mail refuses letters as it does what it cannot do at the moment. Here that is the reason, and to be told. */
export function explainNoLetter(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== UNAVAILABLE || error.message === '') {
    throw error;
  }
  throw new Error(error.message.includes('sends no mail') ? words.value.invitations.noMail : error.message);
}
