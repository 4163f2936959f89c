// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
const UNITS = { MB: 1e6, GB: 1e9, TB: 1e12 } as const;

export type QuotaUnit = keyof typeof UNITS;
export const QUOTA_UNITS = Object.keys(UNITS) as QuotaUnit[];

/** A quota as a form shows it; an empty amount means none. */
export interface QuotaFields {
  amount: string;
  unit: QuotaUnit;
}

/** In the largest unit in which it is a short number. */
export function quotaFields(bytes: number | null | undefined): QuotaFields {
  if (bytes === null || bytes === undefined) {
    return { amount: '', unit: 'GB' };
  }
  const unit = [...QUOTA_UNITS].reverse().find((one) => bytes >= UNITS[one]) ?? 'MB';
  return { amount: String(Number((bytes / UNITS[unit]).toFixed(6))), unit };
}

/** Bytes; null: no quota; undefined: not a number. Both decimal marks are understood. */
export function quotaBytes({ amount, unit }: QuotaFields): number | null | undefined {
  const text = amount.trim().replace(',', '.');
  if (text === '') {
    return null;
  }
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.round(value * UNITS[unit]) : undefined;
}
