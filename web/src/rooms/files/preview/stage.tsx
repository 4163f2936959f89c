// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useState, type MutableRef } from 'preact/hooks';
import { FileX } from 'lucide-preact';

import { Button } from '../../../ui/button';
import { useLoaded } from '../../../ui/loaded';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { words } from '../../../words';
import { EntryIcon } from '../icons';
import { isShown, kindOf, type FileKind } from '../kinds';
import { TextStage } from './textStage';

/** A file that is shown, as it is now or as it was. */
export interface PreviewItem {
  name: string;
  size: number;
  /** The id of its content. */
  id: string;
  /** Another one for what is to be drawn anew: another file, or another content of the same. */
  key: string;
  /** Beside the size: which version it is. */
  note?: string;
  /** Where its content is; null when it is locked and stays so. */
  link: (signal: AbortSignal) => Promise<string | null>;
  /** Where the content of a file beside it is, for the pictures of a text. */
  neighbour?: (path: string) => Promise<string | null>;
  /** Under which name an unsaved text is kept; where it can be changed. */
  place?: string;
  /** Stores another content on top of the one of this id, and answers the id of the new one. Absent where it cannot be changed. */
  write?: (bytes: Uint8Array, base: string) => Promise<string>;
  /** The text is opened to be changed. */
  isNew?: boolean;
}

/** Asked before a file is left; null when there is nothing to lose. */
export type Guard = MutableRef<(() => Promise<boolean>) | null>;

/** What a file looks like. Made anew for every file. */
export function Stage({ item, download, guard }: { item: PreviewItem; download: () => void; guard: Guard }) {
  const told = words.value.files.preview;
  const wanted = isShown(item.name);
  const link = useLoaded((signal) => (wanted ? item.link(signal) : Promise.resolve(null)), [item.key]);
  const [isBroken, setBroken] = useState(false);
  const offer = <Button tone="primary" onClick={download}>{words.value.files.download}</Button>;
  if (!wanted) {
    return <EmptyState icon={<EntryIcon name={item.name} isFolder={false} />} title={told.none} action={offer}><p>{told.noneHint}</p></EmptyState>;
  }
  if (isBroken) {
    return <EmptyState icon={<FileX />} title={item.name} action={offer}><p>{told.broken}</p></EmptyState>;
  }
  if (link.value === undefined) {
    return link.error === null ? <div class="files-stage-loading"><Skeleton lines={6} /></div> : <Failure error={link.error} retry={link.reload} />;
  }
  if (link.value === null) {
    return <Failure error={new Error(words.value.files.lockedAgain)} retry={link.reload} />;
  }
  return <Shown kind={kindOf(item.name)} item={item} link={link.value} broken={() => setBroken(true)} offer={offer} guard={guard} />;
}

function Shown({ kind, item, link, broken, offer, guard }: {
  kind: FileKind; item: PreviewItem; link: string; broken: () => void; offer: ComponentChildren; guard: Guard;
}) {
  const told = words.value.files.preview;
  const view = `${link}?op=view`;
  switch (kind) {
    case 'image':
      return <img class="files-stage-image" src={view} alt={item.name} onError={broken} />;
    case 'video':
      return <video class="files-stage-video" src={view} controls autoPlay playsInline aria-label={item.name} onError={broken} />;
    case 'audio':
      return (
        <div class="files-stage-audio">
          <EntryIcon name={item.name} isFolder={false} />
          <audio src={view} controls autoPlay aria-label={item.name} onError={broken} />
        </div>
      );
    case 'pdf':
      return navigator.pdfViewerEnabled === false
        ? <EmptyState icon={<FileX />} title={told.noPdf} action={offer} />
        : <iframe class="files-stage-page" src={view} title={item.name} />;
    default:
      return <TextStage item={item} link={link} isMarkdown={kind === 'markdown'} guard={guard} />;
  }
}
