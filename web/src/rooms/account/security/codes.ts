// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../../../api/client';
import { words } from '../../../words';

/** A refused code of the second factor, in our words. */
export const explainCode = (error: unknown): string | null =>
  error instanceof ApiError && error.status === 403 ? words.value.account.wrongCode : null;

/** As people read a secret off a screen: in groups of four. */
export const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');
