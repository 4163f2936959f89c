// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** One matter of the account, with a heading and a word about it. */
export function Section({ title, hint, beside, children }: {
  title: string; hint?: string; beside?: ComponentChildren; children?: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="card account-section" aria-labelledby={id}>
      <header class="row spread row-wrap">
        <h2 id={id}>{title}</h2>
        {beside}
      </header>
      {hint && <p class="muted account-hint">{hint}</p>}
      {children}
    </section>
  );
}
