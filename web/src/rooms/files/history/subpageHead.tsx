// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { ChevronLeft } from 'lucide-preact';
import { Link } from 'wouter-preact';

import type { Library } from '../../../api/files';
import { pageOf, ROOT } from '../paths';

/** The head of a page about a library, with the way back to it. */
export function SubpageHead({ library, title, children }: { library: Library; title: string; children?: ComponentChildren }) {
  return (
    <>
      <Link href={pageOf({ library: library.repo_id, path: ROOT })} class="files-back"><ChevronLeft />{library.repo_name}</Link>
      <header class="page-head"><h1>{title}</h1>{children}</header>
    </>
  );
}
