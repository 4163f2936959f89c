// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { daysLeft, renderAgo, renderMoment } from './moments';

const now = Date.parse('2026-05-10T12:00:00Z');
const ago = (moment: string, language = 'en') => renderAgo(moment, language, now);

describe('a moment', () => {
  it('is told by how long ago it was', () => {
    expect(ago('2026-05-10T11:59:40Z')).toBe('now');
    expect(ago('2026-05-10T11:59:00Z')).toBe('1 minute ago');
    expect(ago('2026-05-10T09:10:00Z')).toBe('3 hours ago');
    expect(ago('2026-05-09T09:00:00Z')).toBe('yesterday');
    expect(ago('2026-05-09T09:00:00Z', 'de')).toBe('gestern');
  });

  it('may be to come', () => {
    expect(ago('2026-05-10T12:30:00Z')).toBe('in 30 minutes');
  });

  it('is a date when it is far away', () => {
    expect(ago('2026-01-31T12:00:00Z')).toBe('Jan 31, 2026');
  });

  it('is read in a zone', () => {
    expect(renderMoment('2026-05-10T22:30:00Z', 'de', 'Europe/Berlin')).toBe('11.05.2026, 00:30');
  });
});

describe('what is left', () => {
  it('is thirty days at first, none at last', () => {
    expect(daysLeft('2026-05-10T12:00:00Z', now)).toBe(30);
    expect(daysLeft('2026-04-10T12:00:01Z', now)).toBe(1);
    expect(daysLeft('2026-04-10T11:00:00Z', now)).toBe(0);
    expect(daysLeft('2026-01-01T11:00:00Z', now)).toBe(0);
  });
});
