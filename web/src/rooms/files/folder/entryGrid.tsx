// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MoreHorizontal } from 'lucide-preact';

import type { Entry } from '../../../api/folders';
import { IconButton } from '../../../ui/button';
import { pointBelow } from '../../../ui/popupMenu';
import { renderBytes } from '../../../ui/sizes';
import { language, words } from '../../../words';
import { EntryIcon } from '../icons';
import { kindOf } from '../kinds';
import { join, nameOf } from '../paths';
import { beginDrag, dropTarget } from './dragging';
import { isForBrowser, type EntriesProps } from './entries';
import { useEntryKeys } from './keys';
import { checked, clicked, only } from './selection';
import { useSeenRows } from './windowing';

/** Larger pictures are shown as any other file: they come as they are, and a folder of them would be heavy. */
const PICTURE_BYTES_MAX = 6_000_000;

// As the style sheet has it, with the gap below.
const TILE_HEIGHT = 176;
const TILE_WIDTH = 152;

/** The entries of a folder as tiles, with small pictures of what is one. Only the tiles in sight are drawn. */
export function EntryGrid(props: EntriesProps) {
  const { place, entries, selection } = props;
  const id = useId();
  const tiles = useRef<HTMLDivElement>(null);
  const [across, setAcross] = useState(4);
  const rows = Math.ceil(entries.length / across);
  const { from, to } = useSeenRows(tiles, rows, TILE_HEIGHT);
  const focusIndex = entries.findIndex((entry) => entry.name === selection.focus);
  const tile = () => document.getElementById(`${id}-${focusIndex}`);
  const onKeyDown = useEntryKeys(props, { row: across, page: across * 3 }, () => pointBelow(tile() ?? tiles.current!));
  useLayoutEffect(() => {
    const measure = () => setAcross(Math.max(1, Math.floor(tiles.current!.clientWidth / TILE_WIDTH)));
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  useEffect(() => { tile()?.scrollIntoView({ block: 'nearest' }); }, [selection.focus]);
  const names = entries.map((entry) => entry.name);
  const first = from * across;
  const last = Math.min(entries.length, to * across);
  return (
    <div class="files-grid" role="grid" tabIndex={0} aria-multiselectable="true" onKeyDown={onKeyDown} aria-rowcount={entries.length}
      aria-label={words.value.files.contentOf(nameOf(place.path) || '/')}
      aria-activedescendant={focusIndex >= first && focusIndex < last ? `${id}-${focusIndex}` : undefined}>
      <div ref={tiles} role="rowgroup" class="files-tiles" style={{
        gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))`, paddingTop: from * TILE_HEIGHT, paddingBottom: (rows - to) * TILE_HEIGHT,
      }}>
        {entries.slice(first, last).map((entry, offset) => (
          <Tile key={entry.name} {...props} entry={entry} names={names} id={`${id}-${first + offset}`} index={first + offset} />
        ))}
      </div>
    </div>
  );
}

function Tile(props: EntriesProps & { entry: Entry; names: readonly string[]; id: string; index: number }) {
  const { place, entry, names, id, index, selection, select, open, openMenuAt, mayMove, moveTo } = props;
  const told = words.value.files;
  const isChosen = selection.chosen.has(entry.name);
  const isFolder = entry.type === 'dir';
  const click = (event: MouseEvent) => {
    if (event.shiftKey || isForBrowser(event)) select(clicked(names, selection, entry.name, { range: event.shiftKey, toggle: !event.shiftKey }));
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
    <div id={id} role="row" aria-rowindex={index + 1} aria-selected={isChosen}
      class={`files-tile ${entry.name === selection.focus ? 'files-row-focus' : ''}`}
      onClick={click} onContextMenu={menu} {...dropping}
      draggable={mayMove} onDragStart={(event) => { if (!isChosen) select(only(entry.name)); beginDrag(event, [entry.name]); }}>
      <div role="gridcell" class="files-tile-inside">
        <Picture place={place} entry={entry} />
        <span class="files-tile-name" title={entry.name}>{entry.name}</span>
        <span class="files-tile-facts muted">{isFolder ? told.folder : renderBytes(entry.size ?? 0, language.value)}</span>
        <input type="checkbox" class="files-tile-check" tabIndex={-1} aria-label={told.select(entry.name)} checked={isChosen}
          onClick={(event) => { event.stopPropagation(); select(checked(names, selection, entry.name, event.shiftKey)); }} />
        <IconButton class="files-tile-menu" label={told.entryMenu(entry.name)} tabIndex={-1} aria-haspopup="menu"
          onClick={(event) => menu(event, pointBelow(event.currentTarget))}><MoreHorizontal /></IconButton>
      </div>
    </div>
  );
}

function Picture({ place, entry }: { place: EntriesProps['place']; entry: Entry }) {
  const [isBroken, setBroken] = useState(false);
  const isPicture = entry.type === 'file' && kindOf(entry.name) === 'image' && (entry.size ?? 0) <= PICTURE_BYTES_MAX;
  if (!isPicture || isBroken) {
    return <span class="files-tile-picture"><EntryIcon name={entry.name} isFolder={entry.type === 'dir'} /></span>;
  }
  const address = `/repo/${place.library}/history/raw?p=${encodeURIComponent(join(place.path, entry.name))}&obj_id=${entry.id}`;
  return <span class="files-tile-picture"><img src={address} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} /></span>;
}
