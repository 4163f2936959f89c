// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { NO_FIELDS, fieldsFrom, filterOf, isFiltered, queryOf } from './filter';

describe('the filter of the audit log', () => {
  it('asks for nothing in particular when nothing is typed', () => {
    expect(filterOf(NO_FIELDS, 'Europe/Berlin')).toEqual({});
    expect(isFiltered(NO_FIELDS)).toBe(false);
  });

  it('takes days in the zone of the person, both included', () => {
    expect(filterOf({ ...NO_FIELDS, fromDay: '2027-01-15', toDay: '2027-01-15' }, 'Europe/Berlin')).toEqual({
      from: '2027-01-14T23:00:00Z', to: '2027-01-15T22:59:59.999Z',
    });
  });

  it('knows days of 23 hours', () => {
    expect(filterOf({ ...NO_FIELDS, toDay: '2027-03-28' }, 'Europe/Berlin')).toEqual({ to: '2027-03-28T21:59:59.999Z' });
  });

  it('leaves out what is no day', () => {
    expect(filterOf({ ...NO_FIELDS, fromDay: '2027-13-45' }, 'UTC')).toEqual({});
  });

  it('is kept in the address of the page', () => {
    const fields = { ...NO_FIELDS, actor: 'ann@example.org', action: 'user.', fromDay: '2027-01-15' };
    expect(fieldsFrom(new URLSearchParams(queryOf(fields)))).toEqual(fields);
    expect(queryOf(NO_FIELDS)).toBe('');
  });
});
