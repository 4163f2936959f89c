// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { lazyRoom } from '../../shell/lazy';
import { NoSuchPage } from '../../shell/noSuchPage';
import { Button } from '../../ui/button';
import { EmptyState, Failure } from '../../ui/states';
import { words } from '../../words';
import { followAddress, isAddress } from './address';
import { Agenda } from './agenda';
import { followScreen, loadError, loadVisible } from './entries';
import { followKeys } from './keyboard';
import { listen } from './live';
import { Panels } from './panels';
import { followPrintingSoon } from './panels/printing';
import { isGridView, isView } from './periods';
import { ScopeQuestion } from './scope';
import { reopenSheet } from './sheet/restoring';
import { EntrySheet } from './sheet/sheet';
import { Side } from './side';
import { activeCalendars, calendars, calendarsError, refreshCalendars, showAllCalendars, shownCalendars, sideOpen, view } from './state';
import { Toolbar } from './toolbar';
import { Welcome } from './welcome';
import { Year } from './year';
import './calendar.css';
import './sheet/sheet.css';

// FullCalendar is more than half of the room, and phones begin with the list, which needs none of it.
const Grid = lazyRoom(async () => (await import('./grid')).Grid);
const [, , named] = location.pathname.split('/');
if (isGridView(isView(named) ? named : view.value)) {
  // When that fails, it is tried again by whoever shows it, and told there.
  Grid.fetch().catch(() => undefined);
}

function Main() {
  if (calendars.value === undefined && calendarsError.value !== null) {
    return <Failure error={calendarsError.value} retry={() => void refreshCalendars().catch(() => undefined)} />;
  }
  if (isGridView(view.value)) {
    return <Grid />;
  }
  return view.value === 'year' ? <Year /> : <Agenda />;
}

/** What is wrong or missing, above the entries. */
function Notices() {
  const told = words.value.calendar;
  if (loadError.value !== null) {
    return <Failure error={loadError.value} retry={() => void loadVisible()} />;
  }
  if (activeCalendars.value.length > 0 && shownCalendars.value.length === 0) {
    return (
      <EmptyState title={told.noCalendarShown} action={<Button onClick={showAllCalendars}>{told.showAll}</Button>}>
        <p>{told.noCalendarShownHint}</p>
      </EmptyState>
    );
  }
  return null;
}

export function Calendar() {
  const [path] = useLocation();
  return isAddress(path) ? <Room /> : <NoSuchPage />;
}

function Room() {
  useEffect(() => {
    const loaded = refreshCalendars();
    const stops = [followAddress(), followScreen(), followKeys(), listen(), followPrintingSoon()];
    // The sheet names the calendars one may write to.
    loaded.then(reopenSheet).catch(() => undefined);
    return () => stops.forEach((stop) => stop());
  }, []);
  return (
    <div class={`calendar-room ${sideOpen.value ? 'calendar-with-side' : ''}`}>
      <Side />
      <div class="calendar-main">
        <Toolbar />
        <Welcome />
        <Notices />
        <Main />
      </div>
      <EntrySheet />
      <ScopeQuestion />
      <Panels />
    </div>
  );
}
