// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Temporal } from 'temporal-polyfill';

import type { AuditFilter } from '../../../api/audit';

/** A filter as its form shows it. Days are those of the zone in which the person reads times. */
export interface AuditFields {
  actor: string;
  action: string;
  target: string;
  fromDay: string;
  toDay: string;
}

export const NO_FIELDS: AuditFields = { actor: '', action: '', target: '', fromDay: '', toDay: '' };

export const isFiltered = (fields: AuditFields): boolean => Object.values(fields).some((value) => value !== '');

/** What the server is asked for. A day that is none is not asked for. */
export function filterOf(fields: AuditFields, zone: string): AuditFilter {
  const from = startOf(fields.fromDay, zone);
  const end = startOf(fields.toDay, zone, 1);
  return {
    ...(fields.actor.trim() && { actor: fields.actor.trim() }),
    ...(fields.action && { action: fields.action }),
    ...(fields.target.trim() && { target: fields.target.trim() }),
    ...(from && { from: from.toString() }),
    // Both ends belong to the range: the last moment of the day.
    ...(end && { to: end.subtract({ milliseconds: 1 }).toString() }),
  };
}

function startOf(day: string, zone: string, daysLater = 0): Temporal.Instant | null {
  try {
    return Temporal.PlainDate.from(day).add({ days: daysLater }).toZonedDateTime(zone).toInstant();
  } catch {
    return null;
  }
}

/** From the address of the page, and back. */
export function fieldsFrom(query: URLSearchParams): AuditFields {
  return Object.fromEntries(Object.keys(NO_FIELDS).map((name) => [name, query.get(name) ?? ''])) as unknown as AuditFields;
}

export function queryOf(fields: AuditFields): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
