// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from 'preact';
import {
  File, FileArchive, FileAudio, FileCode, FileImage, FileSpreadsheet, FileText, FileType, FileVideo, Folder, Presentation,
} from 'lucide-preact';

import { kindOf, type FileKind } from './kinds';

const ICONS: Record<FileKind, ComponentType> = {
  image: FileImage, video: FileVideo, audio: FileAudio, pdf: FileType, markdown: FileText, text: FileText, code: FileCode,
  document: FileText, sheet: FileSpreadsheet, slides: Presentation, archive: FileArchive, other: File,
};

/** What an entry is, as a picture beside its name. */
export function EntryIcon({ name, isFolder }: { name: string; isFolder: boolean }) {
  const Icon = isFolder ? Folder : ICONS[kindOf(name)];
  return <span class={`files-icon files-icon-${isFolder ? 'folder' : kindOf(name)}`} aria-hidden="true"><Icon /></span>;
}
