// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Repeat } from 'lucide-preact';

import { homeZone } from '../../shell/session';
import { Button } from '../../ui/button';
import { EmptyState, Skeleton } from '../../ui/states';
import { words } from '../../words';
import { heightOfAll, rowAt, rowsFor, type AgendaRow } from './agendaRows';
import { entriesBetween, loading, revision } from './entries';
import { elsewhere, TaskBox } from './eventContent';
import { longDay, timeOf } from './formats';
import { colorOf, isWanted } from './gridEvents';
import { goBy } from './keyboard';
import type { Placed } from './shelf';
import { calendarsById, day, selectEntry, shownCalendars, visible } from './state';
import { todayIn } from './times';

const BEYOND_PX = 600;

/** What is to come, as a list. Only what is near the screen is drawn: a year may hold thousands of entries. */
export function Agenda() {
  const told = words.value.calendar;
  const around = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState({ top: 0, height: 900 });
  const today = todayIn(homeZone.value);
  const rows = useMemo(() => rowsFor(
    entriesBetween(visible.value).filter((placed) => isWanted(placed, calendarsById.value.get(placed.entry.calendarId))), visible.value, today,
  ), [revision.value, visible.value, shownCalendars.value, today]);
  useScreen(around, setScreen);
  useJump(around, rows);
  const [first, last] = [rowAt(rows, screen.top - BEYOND_PX), rowAt(rows, screen.top + screen.height + BEYOND_PX)];
  const isEmpty = rows.every((row) => row.type !== 'entry') && loading.value === 0;
  return (
    <div ref={around} class="calendar-agenda" role="region" aria-label={told.grid} tabIndex={-1}>
      <Button tone="quiet" onClick={() => goBy(-1)}>{told.earlier}</Button>
      {isEmpty && <EmptyState title={told.nothingHere}><p>{told.nothingHereHint}</p></EmptyState>}
      <div class="calendar-agenda-rows" style={{ height: `${isEmpty ? 0 : heightOfAll(rows)}px` }}>
        {!isEmpty && rows.slice(first, last + 1).map((row) => <Row key={keyOfRow(row)} row={row} today={today} />)}
      </div>
      {loading.value > 0 ? <Skeleton lines={3} /> : <Button tone="quiet" onClick={() => goBy(1)}>{told.later}</Button>}
    </div>
  );
}

const keyOfRow = (row: AgendaRow): string => (row.type === 'entry' ? `${row.day} ${row.placed.key}` : `${row.day} ${row.type}`);

/** Follows what of the list is on the screen. */
function useScreen(around: { current: HTMLDivElement | null }, set: (screen: { top: number; height: number }) => void): void {
  useEffect(() => {
    const box = around.current!;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => set({ top: box.scrollTop, height: box.clientHeight }));
    };
    look();
    box.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(box);
    return () => {
      cancelAnimationFrame(frame);
      box.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, []);
}

/** Scrolls to the day one has gone to; as long as nobody has scrolled by hand also when earlier entries come in above. */
function useJump(around: { current: HTMLDivElement | null }, rows: readonly AgendaRow[]): void {
  const jumped = useRef({ day: '', top: 0 });
  useEffect(() => {
    const box = around.current!;
    const isNew = jumped.current.day !== day.value;
    if (!isNew && Math.abs(box.scrollTop - jumped.current.top) > 4) {
      return;
    }
    const target = rows.find((row) => row.type === 'day' && row.day >= day.value);
    const list = box.querySelector<HTMLElement>('.calendar-agenda-rows');
    box.scrollTop = target === undefined || target.top === 0 ? 0 : target.top + (list?.offsetTop ?? 0);
    jumped.current = { day: day.value, top: box.scrollTop };
  }, [rows, day.value]);
}

function Row({ row, today }: { row: AgendaRow; today: string }) {
  const style = { transform: `translateY(${row.top}px)` };
  if (row.type === 'day') {
    return <h2 class={`calendar-agenda-day ${row.day === today ? 'calendar-agenda-today' : ''}`} style={style}>{longDay(row.day)}</h2>;
  }
  if (row.type === 'nothing') {
    return <p class="calendar-agenda-nothing muted" style={style}>{words.value.calendar.nothingToday}</p>;
  }
  return <EntryRow placed={row.placed} day={row.day} part={row.part} style={style} />;
}

interface EntryRowProps {
  placed: Placed;
  day: string;
  part: { number: number; of: number } | null;
  style: { transform: string };
}

function EntryRow({ placed, day: shownOn, part, style }: EntryRowProps) {
  const told = words.value.calendar;
  const { entry } = placed;
  const calendar = calendarsById.value.get(entry.calendarId);
  const open = () => selectEntry(entry.id, entry.occurrence);
  const details = [entry.location, elsewhere(placed), part && told.part(part.number, part.of)].filter(Boolean).join(' · ');
  return (
    <div class={`calendar-agenda-entry ${entry.completed ? 'calendar-done' : ''}`} style={style} onClick={open}>
      <span class="calendar-agenda-time">{timeText(placed, shownOn)}</span>
      {entry.kind === 'task' ? <TaskBox placed={placed} /> : <span class="calendar-dot" style={{ background: colorOf(placed, calendar) }} />}
      <span class="calendar-agenda-text">
        <button type="button" class="calendar-event-title calendar-open">
          {entry.title || told.untitled}{entry.occurrence !== undefined && <Repeat aria-label={told.recurring} role="img" />}
        </button>
        {details !== '' && <small class="muted">{details}</small>}
      </span>
      <small class="calendar-agenda-calendar muted">{calendar?.name}</small>
    </div>
  );
}

function timeText(placed: Placed, shownOn: string): string {
  if (placed.allDay) {
    return words.value.calendar.allDay;
  }
  const starts = placed.firstDay === shownOn ? timeOf(placed.start) : '…';
  if (placed.entry.kind === 'task' || placed.end === placed.start) {
    return starts;
  }
  return `${starts} – ${placed.lastDay === shownOn ? timeOf(placed.end) : '…'}`;
}
