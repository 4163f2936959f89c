// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';
import { describe, expect, it } from 'vitest';

import type { Entry } from '../../../api/entries';
import { sampleEntry } from '../sampleEntry';
import { Invited, webAddress } from './invited';
import { personText } from './person';

function shown(fields: Partial<Entry>): HTMLElement {
  const place = document.createElement('div');
  render(<Invited entry={sampleEntry(fields)} />, place);
  return place;
}

describe('what the sheet shows of an entry from elsewhere', () => {
  it('is nothing when there is nothing', () => {
    expect(shown({}).textContent).toBe('');
    expect(shown({ url: null, organizer: null, attendees: [] }).textContent).toBe('');
  });

  it('is a link that opens elsewhere', () => {
    const link = shown({ url: 'https://example.org/agenda' }).querySelector('a')!;
    expect([link.getAttribute('href'), link.target, link.rel]).toEqual(['https://example.org/agenda', '_blank', 'noopener noreferrer']);
  });

  it('is no link where a page must not lead', () => {
    const place = shown({ url: 'javascript:alert(1)' });
    expect(place.querySelector('a')).toBeNull();
    expect(place.textContent).toContain('javascript:alert(1)');
  });

  it('is who invited whom, and what they answered', () => {
    const place = shown({
      organizer: { address: 'ann@example.org', name: 'Ann' },
      attendees: [
        { address: 'ben@example.org', status: 'accepted', role: 'chair' },
        { address: 'room4@example.org', name: 'Room 4', kind: 'room' },
        { address: 'eve@example.org', name: '<b>Eve</b>', status: 'declined', role: 'req-participant' },
      ],
    });
    expect(place.textContent).toContain('Ann (ann@example.org)');
    expect([...place.querySelectorAll('li')].map((one) => one.textContent)).toEqual([
      'ben@example.org · accepted, chair', 'Room 4 (room4@example.org) · not answered yet, room', '<b>Eve</b> (eve@example.org) · declined']);
    expect(place.querySelector('input, button, b')).toBeNull();
  });
});

describe('addresses', () => {
  it('of the web are those of two schemes', () => {
    expect(webAddress('HTTPS://example.org/a b')).toBe('https://example.org/a%20b');
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', '//example.org', 'example.org', '', null, undefined]) {
      expect(webAddress(bad)).toBeNull();
    }
  });

  it('stand for people without a name', () => {
    expect(personText({ address: 'ann@example.org' })).toBe('ann@example.org');
    expect(personText({ address: 'ann@example.org', name: 'ann@example.org' })).toBe('ann@example.org');
  });
});
