// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { words } from '../../../words';
import type { Encoding } from './encoding';
import { lineEndsOf } from './lineEnds';

/** How a text lies in its file: by which encoding, and by what its lines end. */
export function TextForm({ text, encoding }: { text: string; encoding: Encoding | null }) {
  const told = words.value.files.preview;
  const ends = told.lineEnds[lineEndsOf(text)];
  return (
    <span class="muted files-text-form" title={told.textForm}>
      <span class="visually-hidden">{told.textForm}: </span>
      {encoding === null ? told.unknownEncoding : told.encodings[encoding]}{ends !== '' && ` · ${ends}`}
    </span>
  );
}
