// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { allZones, findZones, zoneOffset, zonePlace } from './zones';

const ZONES = ['America/Argentina/Buenos_Aires', 'America/New_York', 'Asia/Yekaterinburg', 'Europe/Berlin', 'Europe/London', 'UTC'];

describe('findZones', () => {
  it('finds a place before a region, and a region before what is inside a word', () => {
    expect(findZones('ber', ZONES, 9)).toEqual(['Europe/Berlin']);
    expect(findZones('europe', ZONES, 9)).toEqual(['Europe/Berlin', 'Europe/London']);
    expect(findZones('york', ZONES, 9)).toEqual(['America/New_York']);
    expect(findZones('yo', ['Asia/Tokyo', 'America/New_York'], 9)).toEqual(['America/New_York', 'Asia/Tokyo']);
  });

  it('takes spaces, slashes and accents as people type them', () => {
    expect(findZones('Buenos aires', ZONES, 9)).toEqual(['America/Argentina/Buenos_Aires']);
    expect(findZones('america/new_y', ZONES, 9)).toEqual(['America/New_York']);
    expect(findZones('Bérlin', ZONES, 9)).toEqual(['Europe/Berlin']);
  });

  it('shows all for nothing typed, and nothing for nonsense, up to a limit', () => {
    expect(findZones('', ZONES, 9)).toEqual(ZONES);
    expect(findZones('', ZONES, 2)).toHaveLength(2);
    expect(findZones('atlantis', ZONES, 9)).toEqual([]);
  });
});

describe('zones', () => {
  it('are taken apart into place and region', () => {
    expect(zonePlace('America/Argentina/Buenos_Aires')).toEqual({ place: 'Buenos Aires', region: 'America, Argentina' });
    expect(zonePlace('UTC')).toEqual({ place: 'UTC', region: '' });
  });

  it('have an offset that depends on the day', () => {
    expect(zoneOffset('Europe/Berlin', new Date('2027-01-15T12:00:00Z'), 'en')).toBe('GMT+1');
    expect(zoneOffset('Europe/Berlin', new Date('2027-07-15T12:00:00Z'), 'en')).toBe('GMT+2');
    expect(zoneOffset('Europe/Atlantis', new Date(), 'en')).toBe('');
  });

  it('include UTC', () => {
    expect(allZones()).toContain('UTC');
    expect(allZones()).toContain('Europe/Berlin');
  });
});
