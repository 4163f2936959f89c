// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { findWrongHost, readHosts } from './hosts';

describe('host names', () => {
  it('are read as people type them, each once', () => {
    expect(readHosts('North.example.org\n south.example.org, north.example.org;')).toEqual(['north.example.org', 'south.example.org']);
    expect(readHosts('  \n')).toEqual([]);
  });

  it('are no addresses of pages', () => {
    expect(findWrongHost(['north.example.org', '[::1]', 'a'])).toBeNull();
    expect(findWrongHost(['north.example.org', 'https://south.example.org/'])).toBe('https://south.example.org/');
    expect(findWrongHost(['north.example.org:8080'])).toBe('north.example.org:8080');
  });
});
