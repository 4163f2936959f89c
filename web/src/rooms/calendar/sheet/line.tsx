// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren, ComponentType } from 'preact';

/** A line of an entry that is read, not changed. The label is what the picture says to sighted people. */
export function Line({ icon: Icon, label, children }: { icon: ComponentType; label?: string; children: ComponentChildren }) {
  return (
    <div class="calendar-line">
      <Icon />
      <div>{label !== undefined && <span class="visually-hidden">{label}: </span>}{children}</div>
    </div>
  );
}
