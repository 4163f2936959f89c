// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { renderAgo, renderDay } from './ago';

const NOW = Date.parse('2027-01-15T12:00:00Z');
const ago = (instant: string, language = 'en') => renderAgo(instant, language, NOW);

describe('renderAgo', () => {
  it('takes the greatest unit that fits', () => {
    expect(ago('2027-01-15T11:59:30Z')).toBe('now');
    expect(ago('2027-01-15T11:55:01Z')).toBe('4 minutes ago');
    expect(ago('2027-01-15T09:00:00Z')).toBe('3 hours ago');
    expect(ago('2027-01-14T11:00:00Z')).toBe('yesterday');
    expect(ago('2026-12-30T12:00:00Z')).toBe('2 weeks ago');
    expect(ago('2025-01-01T12:00:00Z')).toBe('2 years ago');
  });

  it('speaks other languages, and takes a clock that is ahead for now', () => {
    expect(ago('2027-01-15T11:55:00Z', 'de')).toBe('vor 5 Minuten');
    expect(ago('2027-01-15T12:00:09Z')).toBe('now');
  });
});

describe('renderDay', () => {
  it('is the day in the zone of the reader', () => {
    expect(renderDay('2027-01-15T23:30:00Z', 'en-GB', 'Europe/Berlin')).toBe('16 Jan 2027');
  });
});
