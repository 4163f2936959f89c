// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

import { words } from '../words';
import { Button } from './button';
import { messageOf } from './errors';

/** Grey lines in the place of what is being loaded. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-busy="true" aria-label={words.value.common.loading} role="status">
      {Array.from({ length: lines }, (_, index) => <span key={index} />)}
    </div>
  );
}

/** What stands where nothing is yet: what this place is for, and the first step. */
export function EmptyState({ icon, title, children, action }: {
  icon?: ComponentChildren; title: string; children?: ComponentChildren; action?: ComponentChildren;
}) {
  return (
    <div class="empty-state">
      {icon && <div class="empty-icon" aria-hidden="true">{icon}</div>}
      <h2>{title}</h2>
      {children && <div class="empty-text">{children}</div>}
      {action}
    </div>
  );
}

/** What stands where something could not be loaded. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>{messageOf(error)}</p>
      {retry && <Button onClick={retry}>{words.value.common.retry}</Button>}
    </div>
  );
}
