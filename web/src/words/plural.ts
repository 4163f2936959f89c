// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** The forms of a text that says how many. A language needs those that its rules name; `other` is what all have. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

export interface Counting {
  /** The form that a count takes in this language. */
  plural: (count: number, forms: Forms) => string;
  /** A number as it is written in this language. */
  figure: (count: number) => string;
}

export function countingIn(language: string): Counting {
  const rules = new Intl.PluralRules(language);
  const figures = new Intl.NumberFormat(language);
  return {
    plural: (count, forms) => forms[rules.select(count)] ?? forms.other,
    figure: (count) => figures.format(count),
  };
}
