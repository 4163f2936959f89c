// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { linkToArchive, linkToFile, type Entry } from '../../api/folders';
import { sayError } from '../../ui/toast';
import { withPassword } from './passwords';
import { join } from './paths';

/** Lets the browser save what a link leads to, without leaving the page. */
export function save(link: string): void {
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.download = '';
  anchor.click();
}

/** A single file as it is; everything else as an archive. */
export async function download(library: string, folder: string, entries: readonly Entry[]): Promise<void> {
  const [first] = entries;
  try {
    const link = await withPassword(library, () => (entries.length === 1 && first!.type === 'file'
      ? linkToFile(library, join(folder, first!.name))
      : linkToArchive(library, folder, entries.map((entry) => entry.name))));
    if (link !== null) {
      save(link);
    }
  } catch (error) {
    sayError(error);
  }
}
