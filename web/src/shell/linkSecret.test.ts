// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { linkSecret, secretIn } from './linkSecret';

describe('linkSecret', () => {
  it('is what stands behind the mark', () => {
    expect(secretIn('#token=atu_a-b_c')).toBe('atu_a-b_c');
    expect(secretIn('token=x&more=1')).toBe('x');
    expect(secretIn('#')).toBeNull();
    expect(secretIn('#token=')).toBeNull();
    expect(secretIn('#top')).toBeNull();
  });

  it('leaves the address bar at once, also when it is pasted over the page', () => {
    history.replaceState(null, '', '/setup?a=b#token=later');
    window.dispatchEvent(new HashChangeEvent('hashchange'));
    expect(linkSecret.value).toBe('later');
    expect(location.pathname + location.search + location.hash).toBe('/setup?a=b');
  });
});
