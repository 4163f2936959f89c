// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Compass } from 'lucide-preact';
import { Link } from 'wouter-preact';

import { EmptyState } from '../ui/states';
import { useTitle } from '../ui/title';
import { words } from '../words';

/** What stands at an address that leads nowhere: of the whole app, or of a room. */
export function NoSuchPage() {
  const told = words.value.common;
  useTitle(told.pageMissing);
  return (
    <EmptyState icon={<Compass />} title={told.pageMissing} action={<Link href="/calendar" class="button button-primary">{told.goHome}</Link>}>
      <p>{told.pageMissingHint}</p>
    </EmptyState>
  );
}
