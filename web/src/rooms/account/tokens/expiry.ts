// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

export const EXPIRIES = ['never', 'days30', 'days90', 'year', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;
const DAYS: Partial<Record<Expiry, number>> = { days30: 30, days90: 90, year: 365 };

/** The instant at which a token ends: undefined for never, null for a day that is none or has gone by. A chosen day still counts whole. */
export function expiryInstant(expiry: Expiry, day: string, now: number): string | undefined | null {
  if (expiry === 'never') {
    return undefined;
  }
  const days = DAYS[expiry];
  // Of the clock of this device, which is the one its owner looks at.
  const end = days === undefined ? new Date(`${day}T23:59:59`).getTime() : now + days * DAY_MS;
  return Number.isNaN(end) || end <= now ? null : new Date(end).toISOString();
}
