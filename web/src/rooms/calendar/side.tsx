// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'preact/hooks';
import { Download, Ellipsis, Eye, Link2, Lock, Plus, Rss, Settings2, Trash2, Upload, UserPlus } from 'lucide-preact';

import type { MyCalendar } from '../../api/calendars';
import { exportAddress } from '../../api/icalendar';
import { IconButton } from '../../ui/button';
import { Menu, type MenuItem } from '../../ui/menu';
import { Failure, Skeleton } from '../../ui/states';
import { words } from '../../words';
import { MiniMonth } from './miniMonth';
import { Invitations } from './panels/invitations';
import {
  activeCalendars, calendars, calendarsError, hidden, mayWrite, refreshCalendars, showAllCalendars, showCalendar, showOnly,
  showPanel, sideOpen, toggleSide,
} from './state';

function itemsFor(calendar: MyCalendar): (MenuItem | null)[] {
  const told = words.value.calendar;
  const about = { calendarId: calendar.id };
  const isOwner = calendar.role === 'owner';
  const isAlone = activeCalendars.value.length > 1 && activeCalendars.value.every((one) => one.id === calendar.id || hidden.value.has(one.id));
  return [
    isAlone
      ? { label: told.showAll, icon: <Eye />, run: showAllCalendars }
      : { label: told.onlyThis, icon: <Eye />, run: () => showOnly(calendar.id) },
    null,
    { label: told.settings, icon: <Settings2 />, run: () => showPanel('calendar', about) },
    { label: told.share, icon: <UserPlus />, run: () => showPanel('share', about) },
    ...(calendar.role === 'reader' ? [] : [{ label: told.feeds, icon: <Link2 />, run: () => showPanel('feeds', about) }]),
    ...(calendar.source === 'feed' ? [{ label: told.subscription, icon: <Rss />, run: () => showPanel('subscribe', about) }] : []),
    null,
    ...(mayWrite(calendar) ? [{ label: told.import, icon: <Upload />, run: () => showPanel('import', about) }] : []),
    { label: told.export, icon: <Download />, run: () => { location.href = exportAddress(calendar.id); } },
    ...(mayWrite(calendar) || isOwner ? [{ label: told.trash, icon: <Trash2 />, run: () => showPanel('trash', about) }] : []),
  ];
}

function CalendarRow({ calendar }: { calendar: MyCalendar }) {
  const told = words.value.calendar;
  const shown = !hidden.value.has(calendar.id);
  return (
    <li class="calendar-row">
      <label class="calendar-switch" title={calendar.description || calendar.name}>
        <input type="checkbox" checked={shown} style={{ accentColor: calendar.color }} aria-label={told.showIt(calendar.name)}
          onChange={(event) => showCalendar(calendar.id, event.currentTarget.checked)} />
        <span class="calendar-row-name">{calendar.name}</span>
        {!mayWrite(calendar) && (calendar.source === 'feed' ? <Rss aria-hidden="true" /> : <Lock aria-label={told.mayOnlySee} role="img" />)}
      </label>
      <Menu label={told.menuOf(calendar.name)} items={itemsFor(calendar)}><Ellipsis /></Menu>
    </li>
  );
}

function Group({ title, all, onAdd }: { title: string; all: MyCalendar[]; onAdd?: () => void }) {
  return (
    <section class="calendar-group">
      <header class="row spread">
        <h2>{title}</h2>
        {onAdd && <IconButton label={words.value.calendar.addCalendar} onClick={onAdd}><Plus /></IconButton>}
      </header>
      <ul>{all.map((calendar) => <CalendarRow key={calendar.id} calendar={calendar} />)}</ul>
    </section>
  );
}

function Lists() {
  const told = words.value.calendar;
  if (calendars.value === undefined) {
    return calendarsError.value === null ? <Skeleton lines={4} />
      : <Failure error={calendarsError.value} retry={() => void refreshCalendars().catch(() => undefined)} />;
  }
  const people = activeCalendars.value.filter((one) => one.source === 'people');
  const mine = people.filter((one) => one.role === 'owner');
  const others = people.filter((one) => one.role !== 'owner');
  const followed = activeCalendars.value.filter((one) => one.source === 'feed');
  return (
    <>
      <Group title={told.mine} all={mine} onAdd={() => showPanel('calendar')} />
      {others.length > 0 && <Group title={told.others} all={others} />}
      {followed.length > 0 && <Group title={told.followed} all={followed} />}
    </>
  );
}

/** The calendars one has, beside the grid; on phones a drawer above it. */
export function Side() {
  const around = useRef<HTMLElement>(null);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && sideOpen.value && window.innerWidth < 960 && document.querySelector('dialog[open]') === null) toggleSide();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, []);
  if (!sideOpen.value) {
    return null;
  }
  return (
    <>
      <div class="calendar-shade no-print" onClick={toggleSide} />
      <aside ref={around} class="calendar-side no-print" aria-label={words.value.calendar.calendars}>
        <MiniMonth />
        <Invitations />
        <Lists />
      </aside>
    </>
  );
}
