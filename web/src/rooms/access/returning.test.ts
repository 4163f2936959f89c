// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { safeReturn } from './returning';

const from = (wanted: string | null): string => safeReturn(wanted, 'https://atrium.example.org');

describe('safeReturn', () => {
  it('goes to pages of this server', () => {
    expect(from('/files/abc?sort=name#top')).toBe('/files/abc?sort=name#top');
    expect(from('/files/Übersicht der Räume')).toBe('/files/%C3%9Cbersicht%20der%20R%C3%A4ume');
    expect(from('/admin')).toBe('/admin');
  });

  it.each(['//evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example', '/\n/evil.example', '/.//evil.example',
    '/x/..//evil.example', 'https://evil.example/', 'javascript:alert(1)', 'evil.example', '///evil.example', ' //evil.example',
    '/%2e//evil.example', '//atrium.example.org@evil.example'])(
    'never leaves this server for %j', (wanted) => {
      expect(from(wanted)).toBe('/calendar');
    });

  it('goes home from nowhere, and from the pages that lead in', () => {
    for (const wanted of [null, '', '/', '/?a=b', '/login?return_to=/login', '/setup']) {
      expect(from(wanted)).toBe('/calendar');
    }
  });
});
