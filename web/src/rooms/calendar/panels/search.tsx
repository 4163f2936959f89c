// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useState } from 'preact/hooks';
import { Search as Glass } from 'lucide-preact';

import type { Entry } from '../../../api/entries';
import { homeZone } from '../../../shell/session';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { sayError } from '../../../ui/toast';
import { words } from '../../../words';
import type { PanelProps } from '../panels';
import { activeCalendars, goTo, selectEntry, showCalendar, showPanel } from '../state';
import { todayIn } from '../times';
import { findOccurrence } from './occurrence';
import { flatten, groupResults } from './searchGroups';
import { ResultList } from './searchResults';
import { useSearch } from './useSearch';
import './search.css';

/** Finds entries as one types. */
export function SearchPanel({ calendarId, close }: PanelProps) {
  const told = words.value.calendarPanels.search;
  const [query, setQuery] = useState('');
  const [scope, setScope] = useState(calendarId ?? '');
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const search = useSearch(query, scope);
  const groups = groupResults(search.entries ?? [], todayIn(homeZone.value));
  const entries = flatten(groups);
  useEffect(() => setChosen(0), [search.entries === undefined, query, scope]);
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) {
      return;
    }
    close();
    void show(entry);
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setChosen(Math.min(chosen + 1, entries.length - 1)),
    ArrowUp: () => setChosen(Math.max(chosen - 1, 0)),
    Enter: () => open(entries[chosen]),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key in keys && !event.isComposing) {
      event.preventDefault();
      keys[event.key]!();
    }
  };
  return (
    <Dialog title={told.title} onClose={close}>
      <div class="calendar-panel-search">
        <div class="calendar-panel-search-bar">
          <input class="input" type="text" inputMode="search" role="combobox" aria-label={told.label} aria-expanded={entries.length > 0}
            aria-controls={list} aria-autocomplete="list" aria-activedescendant={entries[chosen] ? `${list}-${chosen}` : undefined}
            placeholder={told.placeholder} autoFocus autoComplete="off" spellcheck={false}
            value={query} onInput={(event) => setQuery(event.currentTarget.value)} onKeyDown={onKeyDown} />
          <select class="input" aria-label={told.scope} value={scope} onChange={(event) => setScope(event.currentTarget.value)}>
            <option value="">{told.everywhere}</option>
            {activeCalendars.value.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
          </select>
        </div>
        <p class="hint" role="status">
          {search.isBusy ? told.searching : search.entries && entries.length > 0 ? told.found(entries.length, search.more !== null) : ' '}
        </p>
        <Outcome query={query} search={search} />
        <ResultList id={list} groups={groups} query={query} chosen={chosen} onOpen={open} />
        {search.more && <Button busy={search.isBusy} onClick={search.more}>{words.value.common.loadMore}</Button>}
        {entries.length > 0 && <p class="hint calendar-panel-search-keys">{told.keys}</p>}
      </div>
    </Dialog>
  );
}

/** What stands there when there are no results to show. */
function Outcome({ query, search }: { query: string; search: ReturnType<typeof useSearch> }) {
  const told = words.value.calendarPanels.search;
  if (search.error !== null) {
    return <Failure error={search.error} retry={search.retry} />;
  }
  if (query.trim() === '') {
    return <EmptyState icon={<Glass />} title={told.label}><p>{told.hint}</p></EmptyState>;
  }
  if (search.entries === undefined) {
    return <Skeleton lines={4} />;
  }
  return search.entries.length > 0 || search.isBusy ? null : (
    <EmptyState title={told.none(query.trim())} action={<Button onClick={() => showPanel('trash')}>{told.openTrash}</Button>}>
      <p>{told.noneHint}</p>
    </EmptyState>
  );
}

/** Goes to the day of an entry and opens it; of a series, the occurrence that comes next. */
async function show(entry: Entry): Promise<void> {
  showCalendar(entry.calendarId, true);
  try {
    const at = await findOccurrence(entry);
    goTo(at.day);
    selectEntry(entry.id, at.occurrence);
  } catch (error) {
    sayError(error);
  }
}
