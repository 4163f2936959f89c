// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { UploadItem } from './item';

/** Files that are longer come in pieces of this size. */
export const PIECE_BYTES = 8 * 1024 * 1024;
const BATCH_FILES = 50;

/**
 * What is sent next: the first that waits, and with a small one others that go the same way. One request for many makes
 * a folder of small files arrive quickly, and as few states of the library.
 */
export function nextBatch(items: readonly UploadItem[]): UploadItem[] {
  const first = items.find((item) => item.state === 'waiting');
  if (first === undefined || first.alone || first.content.size > PIECE_BYTES) {
    return first === undefined ? [] : [first];
  }
  const batch: UploadItem[] = [];
  let bytes = 0;
  for (const item of items) {
    if (item.state !== 'waiting' || item.alone || !goTogether(first, item) || bytes + item.content.size > PIECE_BYTES) {
      continue;
    }
    batch.push(item);
    bytes += item.content.size;
    if (batch.length === BATCH_FILES) {
      break;
    }
  }
  return batch;
}

function goTogether({ target: a }: UploadItem, { target: b }: UploadItem): boolean {
  return a.library === b.library && a.folder === b.folder && a.relative === b.relative && a.replace === b.replace;
}
