// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import { ChevronLeft, ChevronRight, Ellipsis, Keyboard, PanelLeft, Plus, Printer, Search, Trash2, UsersRound } from 'lucide-preact';

import { Button, IconButton } from '../../ui/button';
import { Menu } from '../../ui/menu';
import { words } from '../../words';
import { weekNumber } from './days';
import { dayRange, longDay, monthAndYear } from './formats';
import { goBy, goToday } from './keyboard';
import { beginNow } from './newEntry';
import { print } from './panels/printing';
import { VIEWS, type View } from './periods';
import { day, goTo, showPanel, sideOpen, toggleSide, view, visible, writableCalendars } from './state';

/** What is looked at. */
export function periodTitle(): string {
  switch (view.value) {
    case 'month':
    case 'agenda':
      return monthAndYear(day.value);
    case 'week':
      return dayRange(visible.value.from, visible.value.to);
    case 'day':
      return longDay(day.value);
    case 'year':
      return day.value.slice(0, 4);
  }
}

function Views() {
  const told = words.value.calendar;
  return (
    <>
      <div class="segments calendar-views" role="group" aria-label={told.view}>
        {VIEWS.map((name) => (
          <button key={name} type="button" aria-pressed={view.value === name} onClick={() => goTo(day.value, name)}>{told.views[name]}</button>
        ))}
      </div>
      <select class="input calendar-views-select" aria-label={told.view} value={view.value}
        onChange={(event) => goTo(day.value, event.currentTarget.value as View)}>
        {VIEWS.map((name) => <option key={name} value={name}>{told.views[name]}</option>)}
      </select>
    </>
  );
}

export function Toolbar() {
  const told = words.value.calendar;
  const title = periodTitle();
  useEffect(() => {
    document.title = `${title} – ${words.value.common.appName}`;
    return () => { document.title = words.value.common.appName; };
  }, [title]);
  return (
    <header class="calendar-toolbar no-print">
      <IconButton label={sideOpen.value ? told.hideSide : told.showSide} aria-expanded={sideOpen.value} onClick={toggleSide}>
        <PanelLeft />
      </IconButton>
      <Button onClick={goToday}>{told.today}</Button>
      <span class="row calendar-steps">
        <IconButton label={told.previous[view.value]} onClick={() => goBy(-1)}><ChevronLeft /></IconButton>
        <IconButton label={told.next[view.value]} onClick={() => goBy(1)}><ChevronRight /></IconButton>
      </span>
      <h1 class="calendar-title" aria-live="polite">
        {title}
        {view.value === 'week' && <small class="muted">{told.week(weekNumber(visible.value.from))}</small>}
      </h1>
      <span class="calendar-toolbar-end row">
        <IconButton label={told.search} onClick={() => showPanel('search')}><Search /></IconButton>
        <Views />
        <Menu label={words.value.common.more} items={[
          { label: words.value.calendarPanels.availability.title, icon: <UsersRound />, run: () => showPanel('availability') },
          { label: words.value.calendarPanels.trash.title, icon: <Trash2 />, run: () => showPanel('trash') },
          { label: told.print, icon: <Printer />, run: () => void print() },
          { label: told.shortcuts, icon: <Keyboard />, run: () => showPanel('shortcuts') },
        ]}><Ellipsis /></Menu>
        {writableCalendars.value.length > 0 && (
          <Button tone="primary" class="calendar-new" onClick={beginNow} title={told.newEntry}><Plus /><span>{told.new}</span></Button>
        )}
      </span>
    </header>
  );
}
