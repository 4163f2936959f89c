// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { middleSquare } from './photo';

describe('middleSquare', () => {
  it('is cut out of the longer side', () => {
    expect(middleSquare(400, 200)).toEqual({ x: 100, y: 0, side: 200 });
    expect(middleSquare(200, 401)).toEqual({ x: 0, y: 100, side: 200 });
    expect(middleSquare(64, 64)).toEqual({ x: 0, y: 0, side: 64 });
  });
});
