// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { TokenType } from '../../../api/account';
import type { Words } from '../../../words';

export const AREAS = ['account', 'calendars', 'groups', 'files', 'admin'] as const;
export type Area = (typeof AREAS)[number];
export type Right = 'none' | 'read' | 'write';
export type Rights = Record<Area, Right>;

const NOTHING: Rights = { account: 'none', calendars: 'none', groups: 'none', files: 'none', admin: 'none' };

/** What a token of each type is usually made for: where the choice begins. */
export const USUAL: Record<TokenType, Rights> = {
  app_password: { ...NOTHING, account: 'read', calendars: 'write', files: 'write' },
  personal: { ...NOTHING, account: 'read', calendars: 'read', files: 'read' },
  api: { ...NOTHING, account: 'read', files: 'write' },
};

/** As the server spells them; who may change may also read. */
export const scopesOf = (rights: Rights): string[] =>
  AREAS.filter((area) => rights[area] !== 'none').map((area) => `${area}:${rights[area]}`);

/** "changes calendars and files, reads your account" */
export function describeScopes(scopes: readonly string[], told: Words['account']['token'], language: string): string {
  if (scopes.includes('*')) {
    return told.everything;
  }
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  const areasWith = (right: string): string[] =>
    AREAS.filter((area) => scopes.includes(`${area}:${right}`)).map((area) => inSentence(told.areas[area], language));
  const [changes, reads] = [areasWith('write'), areasWith('read')];
  const parts = [
    ...(changes.length > 0 ? [told.changes(list.format(changes))] : []), ...(reads.length > 0 ? [told.readOnly(list.format(reads))] : []),
  ];
  return parts.length === 0 ? told.nothing : parts.join(', ');
}

/** German keeps its nouns in capitals, but not "Dein". */
function inSentence(text: string, language: string): string {
  return language === 'de' ? text.replace(/^Dein/, 'dein') : text.toLowerCase();
}
