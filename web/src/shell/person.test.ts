// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from 'vitest';

import type { Me } from '../api/me';
import { forWhoIsHere, onDeparture, onOtherPerson, personal } from './person';
import { me } from './session';

const signIn = (id: string | null): void => { me.value = id === null ? null : ({ user: { id } } as Me); };

const told: string[] = [];
onDeparture(() => told.push('left'));
onOtherPerson(() => told.push('other'));

beforeEach(() => {
  signIn('ann');
  told.length = 0;
});

describe('what belongs to a person', () => {
  it('is there for the person who comes back', () => {
    const held = personal<string[]>([]);
    held.value = ['a draft'];
    signIn(null);
    signIn('ann');
    expect(held.value).toEqual(['a draft']);
    expect(told).toEqual(['left']);
  });

  it('is gone when somebody else comes, also without a sign-in between', () => {
    const held = personal<string | null>(null);
    held.value = 'a draft';
    signIn(null);
    signIn('bob');
    expect(held.value).toBeNull();
    held.value = 'his own';
    signIn('carl');
    expect(held.value).toBeNull();
    expect(told).toEqual(['left', 'other', 'left', 'other']);
  });

  it('stays while more becomes known of who is here', () => {
    const held = personal(0);
    held.value = 7;
    me.value = { ...me.value!, second_factor: true };
    expect(held.value).toBe(7);
    expect(told).toEqual([]);
  });

  it('does not come late to somebody else', () => {
    const isTheirs = forWhoIsHere();
    signIn(null);
    expect(isTheirs()).toBe(true);
    signIn('bob');
    expect(isTheirs()).toBe(false);
  });
});
