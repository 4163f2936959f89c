// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** What a program says of itself, in plain words. `system` is empty for what is no browser. */
export interface Agent {
  kind: 'computer' | 'phone' | 'program';
  name: string;
  system: string;
}

// The first that fits wins: almost all browsers also claim to be others.
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'], [/OPR\/|Opera/, 'Opera'], [/SamsungBrowser\//, 'Samsung Internet'], [/Vivaldi\//, 'Vivaldi'],
  [/DuckDuckGo\//, 'DuckDuckGo'], [/Thunderbird\//, 'Thunderbird'], [/FxiOS\/|Firefox\//, 'Firefox'], [/Chromium\//, 'Chromium'],
  [/CriOS\/|Chrome\//, 'Chrome'], [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string, Agent['kind']][] = [
  [/iPhone/, 'iPhone', 'phone'], [/iPad/, 'iPad', 'phone'], [/Android/, 'Android', 'phone'], [/Windows/, 'Windows', 'computer'],
  [/Mac OS X|Macintosh/, 'macOS', 'computer'], [/CrOS/, 'ChromeOS', 'computer'], [/Linux|X11/, 'Linux', 'computer'],
];
const NAME_LENGTH_MAX = 40;

export function readAgent(text: string): Agent | null {
  const browser = BROWSERS.find(([pattern]) => pattern.test(text))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(text));
  if (browser !== undefined && text.startsWith('Mozilla/')) {
    return { kind: system?.[2] ?? 'computer', name: browser, system: system?.[1] ?? '' };
  }
  // "curl/7.88.1": the name of the program, before its version.
  const name = text.split(/[/(;]/)[0]!.trim().slice(0, NAME_LENGTH_MAX);
  return name === '' ? null : { kind: 'program', name, system: '' };
}
