// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { renderDuration, secondsLeft, Speedometer } from './speed';

describe('the speed', () => {
  it('is not known at once', () => {
    const speed = new Speedometer();
    expect(speed.perSecond(0)).toBeNull();
    speed.note(0, 0);
    speed.note(500, 1000);
    expect(speed.perSecond(500)).toBeNull();
  });

  it('is that of the last seconds', () => {
    const speed = new Speedometer();
    speed.note(0, 0);
    speed.note(2000, 4000);
    expect(speed.perSecond(2000)).toBe(2000);
    speed.note(20_000, 4000);
    speed.note(24_000, 8000);
    expect(speed.perSecond(24_000)).toBe(1000);
  });

  it('falls while nothing goes', () => {
    const speed = new Speedometer();
    speed.note(0, 0);
    speed.note(1000, 4000);
    expect(speed.perSecond(4000)).toBe(1000);
  });

  it('begins anew when bytes are sent again', () => {
    const speed = new Speedometer();
    speed.note(0, 5000);
    speed.note(2000, 1000);
    expect(speed.perSecond(2000)).toBeNull();
    speed.note(4000, 3000);
    expect(speed.perSecond(4000)).toBe(1000);
  });
});

describe('the time left', () => {
  it('is the rest at this speed', () => {
    expect(secondsLeft(3000, 1000)).toBe(3);
    expect(secondsLeft(3000, 0)).toBeNull();
    expect(secondsLeft(3000, null)).toBeNull();
  });

  it('is told roughly', () => {
    expect(renderDuration(0.2, 'en')).toBe('5 sec');
    expect(renderDuration(11, 'en')).toBe('15 sec');
    expect(renderDuration(185, 'en')).toBe('3 min');
    expect(renderDuration(3600, 'en')).toBe('1 hr');
    expect(renderDuration(4800, 'en')).toBe('1 hr 20 min');
    expect(renderDuration(4800, 'de')).toBe('1 Std. 20 Min.');
  });
});
