// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { History, Info, Trash2 } from 'lucide-preact';
import { useLocation } from 'wouter-preact';

import { ApiError } from '../../../api/client';
import { findFile, linkToFile, type Entry } from '../../../api/folders';
import { askUploadLink, sendForm } from '../../../api/uploads';
import { IconButton } from '../../../ui/button';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import type { EntryDeeds } from '../folder/actions';
import { kindOf } from '../kinds';
import { withPassword } from '../passwords';
import { join, pageOf, resolve, type Place } from '../paths';
import { Preview } from './preview';
import type { PreviewItem } from './stage';

interface FolderPreviewProps {
  place: Place;
  entries: readonly Entry[];
  /** The name of the file. */
  shown: string;
  mayWrite: boolean;
  deeds: EntryDeeds;
  changed: () => void;
}

/** A file of a folder, with the others before and after it. */
export function FolderPreview({ place, entries, shown, mayWrite, deeds, changed }: FolderPreviewProps) {
  const [, go] = useLocation();
  const files = useMemo(() => entries.filter(({ type }) => type === 'file'), [entries]);
  const index = files.findIndex(({ name }) => name === shown);
  const entry = files[index];
  const close = () => {
    // Back to where it was opened, if that was here; a link from elsewhere has nothing behind it.
    if (isFromFolder()) history.back();
    else go(pageOf(place), { replace: true });
  };
  useEffect(() => {
    if (entry === undefined) {
      say(words.value.files.preview.missing);
      go(pageOf(place), { replace: true });
    }
  }, [entry === undefined]);
  if (entry === undefined) {
    return null;
  }
  const step = (steps: number) => {
    const next = files[(index + steps + files.length) % files.length]!;
    go(`${pageOf(place)}?file=${encodeURIComponent(next.name)}`, { replace: true, state: history.state as unknown });
  };
  const actions = (leave: (deed: () => void) => void) => {
    const button = (label: string, icon: ComponentChildren, deed: () => void) =>
      <IconButton label={label} onClick={() => leave(() => { close(); deed(); })}>{icon}</IconButton>;
    return (
      <>
        {button(words.value.files.details, <Info />, () => deeds.details(entry))}
        {button(words.value.files.versions, <History />, () => deeds.versions(entry))}
        {mayWrite && button(words.value.files.delete, <Trash2 />, () => deeds.remove([entry]))}
      </>
    );
  };
  return <Preview item={itemOf(place, entry, mayWrite, changed)} onClose={close} actions={actions}
    position={{ index, count: files.length, go: step }} />;
}

interface Visit {
  fromFolder?: boolean;
  edit?: boolean;
}
const visit = (): Visit => (history.state as Visit | null) ?? {};
const isFromFolder = (): boolean => visit().fromFolder === true;

function itemOf({ library, path }: Place, entry: Entry, mayWrite: boolean, changed: () => void): PreviewItem {
  const file = join(path, entry.name);
  return {
    name: entry.name,
    size: entry.size ?? 0,
    id: entry.id,
    // A text that is being changed stays when somebody else changes it, too; storing it then tells.
    key: ['markdown', 'text', 'code'].includes(kindOf(entry.name)) ? file : `${file} ${entry.id}`,
    isNew: visit().edit === true,
    link: (signal) => withPassword(library, () => linkToFile(library, file, signal)),
    neighbour: (relative) => withPassword(library, () => linkToFile(library, resolve(path, relative))),
    ...(mayWrite && {
      place: `${library}${file}`,
      write: async (bytes: Uint8Array, base: string) => {
        const id = await write({ library, path }, entry.name, bytes, base);
        changed();
        return id;
      },
    }),
  };
}

/** What somebody else has written meanwhile is not overwritten unseen. */
async function write({ library, path }: Place, name: string, bytes: Uint8Array, base: string): Promise<string> {
  const file = join(path, name);
  if ((await findFile(library, file)).obj_id !== base) {
    throw new ApiError(412, '');
  }
  const link = await withPassword(library, () => askUploadLink(library, path));
  if (link === null) {
    throw new Error(words.value.files.lockedAgain);
  }
  const form = new FormData();
  form.append('parent_dir', path);
  form.append('replace', '1');
  form.append('file', new Blob([bytes as BlobPart]), name);
  await sendForm(link, form, { signal: new AbortController().signal, progress: () => undefined });
  return (await findFile(library, file)).obj_id;
}
