// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from './eventually';
import type { RunningServer, Settings } from './server';

/** Letters become files. */
export const WITH_MAIL: Settings = { mail: { transport: 'file', from: 'atrium@example.org' } };

/** The link in the newest letter to somebody that leads to this page; waits for the letter. */
export function linkTo(server: RunningServer, email: string, page: string): Promise<string> {
  const folder = join(server.data, 'mail');
  return eventually(`a letter to ${email}`, () => {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')).sort() : [];
    const texts = names.map((name) => decoded(readFileSync(join(folder, name), 'utf8'))).filter((text) => text.includes(email));
    return texts.map((text) => new RegExp(`http\\S*${page}#token=[\\w-]+`).exec(text)?.[0]).filter(Boolean).at(-1) ?? '';
  });
}

/** Quoted-printable, as far as links need it. */
function decoded(letter: string): string {
  return letter.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
