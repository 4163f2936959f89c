// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { readAgent } from './agents';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

describe('readAgent', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'computer', 'Firefox', 'Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'computer', 'Chrome', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/131.0.0.0`, 'computer', 'Edge', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} OPR/116.0.0.0`, 'computer', 'Opera', 'Windows'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'computer',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'phone',
      'Safari',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1',
      'phone',
      'Chrome',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
      'phone',
      'Chrome',
      'Android',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'computer', 'Chrome', 'ChromeOS'],
  ])('knows %s', (text, kind, name, system) => {
    expect(readAgent(text)).toEqual({ kind, name, system });
  });

  it('calls programs by their name', () => {
    expect(readAgent('curl/7.88.1')).toEqual({ kind: 'program', name: 'curl', system: '' });
    expect(readAgent('rclone/v1.60.1-DEV')).toEqual({ kind: 'program', name: 'rclone', system: '' });
    expect(readAgent('Seafile/9.0.1 (Linux)')).toEqual({ kind: 'program', name: 'Seafile', system: '' });
    expect(readAgent('a'.repeat(100))?.name).toHaveLength(40);
  });

  it('says nothing about nothing', () => {
    expect(readAgent('')).toBeNull();
    expect(readAgent('/1.0')).toBeNull();
  });
});
