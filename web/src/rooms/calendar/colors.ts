// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { contrast } from './panels/palette';

const BLACK = '#000000';
const WHITE = '#ffffff';
const known = new Map<string, string>();

/** Black or white, whichever is easier to read on a colour. One of them always reaches 4.5. */
export function textOn(color: string): string {
  let text = known.get(color);
  if (text === undefined) {
    // White wins ties by far: on middling colours people find it easier to read than the ratio says.
    text = contrast(color, WHITE) >= 4.5 || contrast(color, WHITE) > contrast(color, BLACK) ? WHITE : BLACK;
    known.set(color, text);
  }
  return text;
}
