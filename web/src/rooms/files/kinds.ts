// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { extensionOf } from './paths';

export type FileKind = 'image' | 'video' | 'audio' | 'pdf' | 'markdown' | 'text' | 'code' | 'document' | 'sheet' | 'slides' | 'archive' | 'other';

const EXTENSIONS: Record<Exclude<FileKind, 'other'>, string> = {
  // What browsers draw. Others are files like any other.
  image: 'avif bmp gif ico jpeg jpg png webp',
  video: 'm4v mov mp4 webm',
  audio: 'aac flac m4a mp3 ogg opus wav',
  pdf: 'pdf',
  markdown: 'markdown md',
  text: 'bib csv eml ics log nfo org rst srt tex text tsv txt vcf vtt',
  code: 'bash bat c cc cfg clj cmake conf cpp cs css cxx dart diff el env ex fish gitignore go gradle graphql groovy h hh hpp hs htm html hxx ini '
    + 'java js json jsonl jsx kt less lisp lua m mjs mk ml nix patch php pl plist properties proto ps1 py r rb rs sass scala scss sh sql svelte svg '
    + 'swift tf toml ts tsx vim vue xml yaml yml zig zsh',
  document: 'doc docx epub odt pages rtf',
  sheet: 'numbers ods xls xlsx',
  slides: 'key odp ppt pptx',
  archive: '7z bz2 gz jar rar tar tar.bz2 tar.gz tar.xz tgz xz zip zst',
};

const KINDS = new Map(Object.entries(EXTENSIONS).flatMap(([kind, all]) => all.split(' ').map((one) => [one, kind as FileKind])));
const TEXTS_WITHOUT_EXTENSION = new Set(['authors', 'changelog', 'copying', 'dockerfile', 'license', 'makefile', 'readme', 'todo']);

export function kindOf(name: string): FileKind {
  const extension = extensionOf(name);
  if (extension === '') {
    return TEXTS_WITHOUT_EXTENSION.has(name.toLowerCase()) || name.startsWith('.') ? 'text' : 'other';
  }
  return KINDS.get(extension) ?? KINDS.get(extension.split('.').at(-1)!) ?? 'other';
}

/** Whether more than its name and size can be shown. */
export const isShown = (name: string): boolean => !['document', 'sheet', 'slides', 'archive', 'other'].includes(kindOf(name));
