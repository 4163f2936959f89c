// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Unlink } from 'lucide-preact';
import { useLocation } from 'wouter-preact';

import { Button } from '../../ui/button';
import { words } from '../../words';
import { Porch } from './porch';

/** A link that is worth nothing, and the way to another one. */
export function BadLink({ deed, path }: { deed: string; path: string }) {
  const [, go] = useLocation();
  const told = words.value.access.link;
  return (
    <Porch title={told.badTitle} lead={told.badLead}>
      <div class="porch-sign" aria-hidden="true"><Unlink /></div>
      <Button tone="primary" class="porch-go" onClick={() => go(path)}>{deed}</Button>
    </Porch>
  );
}
