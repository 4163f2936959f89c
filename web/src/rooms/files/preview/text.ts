// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../../../api/client';
import { decode, type DecodedText } from './encoding';

/** More than this of a text is not shown: nobody reads it here, and the browser would take its time. */
export const TEXT_BYTES_MAX = 1_000_000;

export interface ReadText {
  /** Null: this is no text. */
  read: DecodedText | null;
  isCut: boolean;
}

/** The beginning of a file. */
export async function readText(link: string, size: number, signal: AbortSignal): Promise<ReadText> {
  const isCut = size > TEXT_BYTES_MAX;
  const reply = await fetch(link, { signal, headers: isCut ? { Range: `bytes=0-${TEXT_BYTES_MAX - 1}` } : {} });
  if (!reply.ok) {
    throw new ApiError(reply.status, '');
  }
  return { read: decode(new Uint8Array(await reply.arrayBuffer()), isCut), isCut };
}
