// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../../../api/client';

/** More than this of a text is not shown: nobody reads it here, and the browser would take its time. */
export const TEXT_BYTES_MAX = 1_000_000;

/** `null`: these are not the bytes of a text. */
export function textOf(bytes: Uint8Array, isCut: boolean): string | null {
  if (bytes.includes(0)) {
    return null;
  }
  const text = new TextDecoder().decode(bytes);
  // A letter may have been cut in the middle; anything more is another encoding, which is shown as far as it goes.
  return isCut ? text.replace(/\uFFFD{1,3}$/, '') : text;
}

export interface ReadText {
  text: string | null;
  isCut: boolean;
}

/** The beginning of a file. */
export async function readText(link: string, size: number, signal: AbortSignal): Promise<ReadText> {
  const isCut = size > TEXT_BYTES_MAX;
  const reply = await fetch(link, { signal, headers: isCut ? { Range: `bytes=0-${TEXT_BYTES_MAX - 1}` } : {} });
  if (!reply.ok) {
    throw new ApiError(reply.status, '');
  }
  return { text: textOf(new Uint8Array(await reply.arrayBuffer()), isCut), isCut };
}
