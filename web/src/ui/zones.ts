// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** All zones this browser knows, UTC among them. */
export function allZones(): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return known.includes('UTC') ? known : [...known, 'UTC'];
}

/** "America/Argentina/Buenos_Aires": Buenos Aires, in America, Argentina. */
export function zonePlace(zone: string): { place: string; region: string } {
  const parts = zone.replaceAll('_', ' ').split('/');
  return { place: parts[parts.length - 1]!, region: parts.slice(0, -1).join(', ') };
}

/** "GMT+2"; empty for a zone that this browser does not know. */
export function zoneOffset(zone: string, at: Date, language: string): string {
  try {
    const parts = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(at);
    return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  } catch {
    return '';
  }
}

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[_/,-]+/g, ' ').trim();

/** Lower is better; null: not what was looked for. */
function rank(zone: string, query: string): number | null {
  const name = plain(zone);
  const place = plain(zonePlace(zone).place);
  if (place.startsWith(query)) return 0;
  if (name.startsWith(query)) return 1;
  if (name.includes(` ${query}`)) return 2;
  return name.includes(query) ? 3 : null;
}

/** Those that a few typed letters may mean, the likeliest first. Nothing typed: all of them. */
export function findZones(typed: string, zones: readonly string[], limit: number): string[] {
  const query = plain(typed);
  const ranked = zones.flatMap((zone) => {
    const place = query === '' ? 0 : rank(zone, query);
    return place === null ? [] : [{ zone, place }];
  });
  return ranked.sort((one, other) => one.place - other.place).slice(0, limit).map(({ zone }) => zone);
}
