// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { words } from '../words';
import { Button } from './button';

/** Above a form that holds what was typed into it earlier. */
export function Restored({ discard }: { discard: () => void }) {
  const told = words.value.common.restored;
  return (
    <div class="notice notice-restored" role="status">
      <span>{told.text}</span>
      <Button tone="quiet" onClick={discard}>{told.discard}</Button>
    </div>
  );
}
