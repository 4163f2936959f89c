// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'preact/hooks';
import { ArrowDown, ArrowUp } from 'lucide-preact';

import { words } from '../../../words';
import { all, none, type Selection } from './selection';
import type { Sorting, SortKey } from './sorting';

interface HeadProps {
  names: readonly string[];
  selection: Selection;
  select: (selection: Selection) => void;
  sorting: Sorting;
  sortBy: (key: SortKey) => void;
}

/** The columns, by which the list can be sorted, and the box that selects everything. */
export function TableHead({ names, selection, select, sorting, sortBy }: HeadProps) {
  const told = words.value.files;
  const columns: { key: SortKey; label: string; cell: string }[] = [
    { key: 'name', label: told.name, cell: 'files-cell-name' },
    { key: 'size', label: told.size, cell: 'files-cell-size' },
    { key: 'date', label: told.changed, cell: 'files-cell-date' },
  ];
  return (
    <div role="rowgroup" class="files-head">
      <div role="row" class="files-row" aria-rowindex={1}>
        <div role="columnheader" class="files-cell-check"><AllBox names={names} selection={selection} select={select} /></div>
        {columns.map(({ key, label, cell }) => (
          <div key={key} role="columnheader" class={cell} aria-sort={sorting.by !== key ? 'none' : sorting.down ? 'descending' : 'ascending'}>
            <button type="button" class="files-sort" onClick={() => sortBy(key)}>
              {label}{sorting.by === key && (sorting.down ? <ArrowDown /> : <ArrowUp />)}
            </button>
          </div>
        ))}
        <div role="columnheader" class="files-cell-menu"><span class="visually-hidden">{told.moreActions}</span></div>
      </div>
    </div>
  );
}

function AllBox({ names, selection, select }: Pick<HeadProps, 'names' | 'selection' | 'select'>) {
  const box = useRef<HTMLInputElement>(null);
  const isAll = names.length > 0 && selection.chosen.size === names.length;
  useEffect(() => { box.current!.indeterminate = selection.chosen.size > 0 && !isAll; }, [selection.chosen.size, isAll]);
  return <input ref={box} type="checkbox" aria-label={words.value.files.selectAll} checked={isAll} disabled={names.length === 0}
    onChange={() => select(isAll ? none(selection) : all(names, selection))} />;
}
