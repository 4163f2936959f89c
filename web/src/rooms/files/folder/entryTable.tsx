// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useRef } from 'preact/hooks';
import { MoreHorizontal } from 'lucide-preact';

import type { Entry } from '../../../api/folders';
import { IconButton } from '../../../ui/button';
import { pointBelow } from '../../../ui/popupMenu';
import { renderBytes } from '../../../ui/sizes';
import { language, words } from '../../../words';
import { EntryIcon } from '../icons';
import { join, nameOf } from '../paths';
import { When } from '../when';
import { useNarrow } from '../narrow';
import { beginDrag, dropTarget } from './dragging';
import { hrefOf, isForBrowser, type EntriesProps } from './entries';
import { useEntryKeys } from './keys';
import { checked, clicked, only } from './selection';
import type { Sorting, SortKey } from './sorting';
import { TableHead } from './tableHead';
import { useSeenRows } from './windowing';

const ROW_WIDE = 44;
const ROW_NARROW = 58;

/** The entries of a folder as a list. Only the rows in sight are drawn. */
export function EntryTable(props: EntriesProps & { sorting: Sorting; sortBy: (key: SortKey) => void }) {
  const { place, entries, selection, select, sorting, sortBy } = props;
  const told = words.value.files;
  const id = useId();
  const grid = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const rowHeight = useNarrow() ? ROW_NARROW : ROW_WIDE;
  const { from, to } = useSeenRows(rows, entries.length, rowHeight);
  const focusIndex = entries.findIndex((entry) => entry.name === selection.focus);
  const names = entries.map((entry) => entry.name);

  const topOf = (index: number) => (rows.current?.getBoundingClientRect().top ?? 0) + index * rowHeight;
  const onKeyDown = useEntryKeys(props, { row: 1, page: 10 },
    () => ({ x: (rows.current?.getBoundingClientRect().left ?? 0) + 48, y: topOf(focusIndex + 1) }));
  useEffect(() => {
    if (focusIndex >= 0) scrollIntoSight(topOf(focusIndex), rowHeight, grid.current);
  }, [selection.focus]);

  return (
    <div ref={grid} class="files-table" role="grid" tabIndex={0} aria-multiselectable="true" aria-rowcount={entries.length + 1}
      aria-label={told.contentOf(nameOf(place.path) || '/')}
      aria-activedescendant={focusIndex >= from && focusIndex < to ? `${id}-${focusIndex}` : undefined} onKeyDown={onKeyDown}>
      <TableHead names={names} selection={selection} select={select} sorting={sorting} sortBy={sortBy} />
      <div ref={rows} role="rowgroup" style={{ paddingTop: from * rowHeight, paddingBottom: (entries.length - to) * rowHeight }}>
        {entries.slice(from, to).map((entry, offset) => (
          <Row key={entry.name} {...props} entry={entry} id={`${id}-${from + offset}`} index={from + offset} names={names} />
        ))}
      </div>
    </div>
  );
}

// What sticks to the top and to the bottom of the window covers rows.
function scrollIntoSight(top: number, height: number, grid: HTMLElement | null): void {
  const head = grid?.querySelector('.files-head')?.getBoundingClientRect().bottom ?? 0;
  const bottom = window.innerHeight - 72;
  if (top < head) {
    window.scrollBy({ top: top - head });
  } else if (top + height > bottom) {
    window.scrollBy({ top: top + height - bottom });
  }
}

interface RowProps extends EntriesProps {
  entry: Entry;
  id: string;
  index: number;
  names: readonly string[];
}

function Row(props: RowProps) {
  const { place, entry, id, index, names, selection, select, open, openMenuAt, mayMove, moveTo } = props;
  const told = words.value.files;
  const isChosen = selection.chosen.has(entry.name);
  const isFolder = entry.type === 'dir';
  const click = (event: MouseEvent) =>
    select(clicked(names, selection, entry.name, { range: event.shiftKey, toggle: event.ctrlKey || event.metaKey }));
  const openHere = (event: MouseEvent) => {
    event.stopPropagation();
    if (isForBrowser(event)) return;
    event.preventDefault();
    if (event.shiftKey) click(event);
    else open(entry);
  };
  const menu = (event: MouseEvent, point = { x: event.clientX, y: event.clientY }) => {
    event.preventDefault();
    event.stopPropagation();
    if (!isChosen) select(only(entry.name));
    openMenuAt(point, isChosen ? selection.chosen : new Set([entry.name]));
  };
  const dropping = isFolder && mayMove && !isChosen ? dropTarget(() => moveTo(join(place.path, entry.name))) : {};
  return (
    <div role="row" id={id} aria-rowindex={index + 2} aria-selected={isChosen}
      class={`files-row ${entry.name === selection.focus ? 'files-row-focus' : ''}`} {...dropping}
      draggable={mayMove} onDragStart={(event) => { if (!isChosen) select(only(entry.name)); beginDrag(event, [entry.name]); }}
      onClick={click} onDblClick={() => open(entry)} onContextMenu={menu}>
      <div role="gridcell" class="files-cell-check" onClick={(event) => event.stopPropagation()}>
        <input type="checkbox" tabIndex={-1} aria-label={told.select(entry.name)} checked={isChosen}
          onClick={(event) => select(checked(names, selection, entry.name, event.shiftKey))} />
      </div>
      <div role="gridcell" class="files-cell-name">
        <EntryIcon name={entry.name} isFolder={isFolder} />
        <a href={hrefOf(place, entry)} tabIndex={-1} draggable={false} onClick={openHere} onDblClick={(event) => event.stopPropagation()}>
          <span class="files-name">{entry.name}</span>
          <span class="files-facts muted">
            {!isFolder && <>{renderBytes(entry.size ?? 0, language.value)} · </>}<When at={entry.mtime * 1000} />
          </span>
        </a>
      </div>
      <div role="gridcell" class="files-cell-size muted">{isFolder ? '' : renderBytes(entry.size ?? 0, language.value)}</div>
      <div role="gridcell" class="files-cell-date muted"><When at={entry.mtime * 1000} /></div>
      <div role="gridcell" class="files-cell-menu">
        <IconButton label={told.entryMenu(entry.name)} tabIndex={-1} aria-haspopup="menu"
          onClick={(event) => menu(event, pointBelow(event.currentTarget))}><MoreHorizontal /></IconButton>
      </div>
    </div>
  );
}
