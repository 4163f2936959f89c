// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Dialog } from '../../../ui/dialog';
import type { Library } from '../../../api/files';
import { words } from '../../../words';
import { nameOf } from '../paths';
import { Versions } from './versions';

/** The versions of a file, at the side. */
export function VersionsSheet({ library, path, onClose, changed }: { library: Library; path: string; onClose: () => void; changed: () => void }) {
  return (
    <Dialog title={words.value.files.history.versionsOf(nameOf(path))} shape="sheet" onClose={onClose}>
      <Versions library={library} path={path} changed={changed} />
    </Dialog>
  );
}
