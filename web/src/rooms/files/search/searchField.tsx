// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Search } from 'lucide-preact';
import { useLocation } from 'wouter-preact';

import { words } from '../../../words';

/** The page that lists what is found. */
export const searchPage = (text: string, library: string | null): string =>
  `/files/search?${new URLSearchParams({ q: text, ...(library !== null && { library }) }).toString()}`;

/** A field that looks for names, in one library or in all. */
export function SearchField({ library, text = '' }: { library: string | null; text?: string }) {
  const told = words.value.files;
  const [, go] = useLocation();
  const [wanted, setWanted] = useState(text);
  const label = library === null ? told.searchAll : told.searchHere;
  const submit = (event: Event) => {
    event.preventDefault();
    if (wanted.trim() !== '') go(searchPage(wanted.trim(), library));
  };
  return (
    <form class="files-search" role="search" onSubmit={submit}>
      <Search aria-hidden="true" />
      <input type="search" class="input" aria-label={label} placeholder={label} value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)} />
    </form>
  );
}
