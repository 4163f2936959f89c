// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import qrcode from 'qrcode-generator';

// The standard asks for four empty modules on each side.
const QUIET = 4;

/** The dark modules of the code as one path, row by row: "M5 4h3v1h-3z". */
export function qrPath(text: string): { path: string; side: number } {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      const from = column;
      while (column < count && code.isDark(row, column)) column += 1;
      if (column > from) path += `M${from + QUIET} ${row + QUIET}h${column - from}v1h-${column - from}z`;
    }
  }
  return { path, side: count + 2 * QUIET };
}

/** Dark on light in every theme: many cameras do not read it the other way round. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, side } = useMemo(() => qrPath(text), [text]);
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
