// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ChevronRight, Library as LibraryIcon } from 'lucide-preact';
import { Link } from 'wouter-preact';

import { words } from '../../../words';
import { crumbsOf, pageOf, ROOT, type Place } from '../paths';
import { dropTarget } from './dragging';

interface BreadcrumbsProps {
  place: Place;
  libraryName: string;
  /** Added to every address: which state is looked at. */
  search?: string;
  /** Moves what is dropped on a folder of the path. */
  moveTo?: ((folder: string) => void) | undefined;
}

/** The way from all libraries to this folder. The last of it is where one is. */
export function Breadcrumbs({ place, libraryName, search = '', moveTo }: BreadcrumbsProps) {
  const told = words.value.files;
  const crumbs = [{ name: libraryName, path: ROOT }, ...crumbsOf(place.path)];
  return (
    <nav class="files-crumbs" aria-label={told.breadcrumbs}>
      <ol>
        <li><Link href="/files" aria-label={told.toLibraries} title={told.toLibraries}><LibraryIcon /></Link></li>
        {crumbs.map(({ name, path }, index) => {
          const isHere = index === crumbs.length - 1;
          return (
            <li key={path} {...(moveTo && !isHere ? dropTarget(() => moveTo(path)) : {})}>
              <ChevronRight aria-hidden="true" />
              {isHere ? <h1 aria-current="page">{name}</h1> : <Link href={pageOf({ ...place, path }) + search}>{name}</Link>}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
