// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

import { words } from '../../../words';
import { textOn } from '../colors';
import { monthOf, startOfMonth } from '../days';
import { elsewhere } from '../eventContent';
import { firstWeekday, longDay, monthName, timeOf, weekdayName, weekdaysInOrder } from '../formats';
import { colorOf } from '../gridEvents';
import { rangeOf } from '../periods';
import type { DayRange, Placed } from '../shelf';
import { calendarsById } from '../state';
import { paperDays, weeksOf, type PaperDay } from './paperDays';

interface PaperProps {
  all: readonly Placed[];
  range: DayRange;
}

const calendarOf = (placed: Placed) => calendarsById.value.get(placed.entry.calendarId);

/** "9:00 – 10:30", as far as it is on that day. */
function timesOn(placed: Placed, day: string): string {
  if (placed.allDay) {
    return words.value.calendar.allDay;
  }
  const start = placed.firstDay === day ? timeOf(placed.start) : '…';
  const isPoint = placed.entry.kind === 'task' || placed.end === placed.start;
  return isPoint ? start : `${start} – ${placed.lastDay === day ? timeOf(placed.end) : '…'}`;
}

function Title({ placed }: { placed: Placed }) {
  const { entry } = placed;
  const title = entry.title || words.value.calendar.untitled;
  return (
    <>
      {entry.kind === 'task' && <span class="calendar-paper-box">{entry.completed ? '☑' : '☐'}</span>}
      {entry.completed ? <s>{title}</s> : title}
    </>
  );
}

/** A line in a day of the month: a bar for what takes the whole day, else a dot and a time. */
function Line({ placed, day }: { placed: Placed; day: string }) {
  const color = colorOf(placed, calendarOf(placed));
  if (placed.allDay && placed.entry.kind !== 'task') {
    return <li class="calendar-paper-bar" style={{ backgroundColor: color, color: textOn(color) }}><Title placed={placed} /></li>;
  }
  const starts = !placed.allDay && placed.firstDay === day;
  return (
    <li>
      <i class="calendar-paper-dot" style={{ backgroundColor: color }} />
      <span>{starts && <b>{timeOf(placed.start)} </b>}<Title placed={placed} /></span>
    </li>
  );
}

function Head({ children }: { children: ComponentChildren }) {
  return <thead><tr>{children}</tr></thead>;
}

const WeekdayHead = () => <Head>{weekdaysInOrder().map((weekday) => <th key={weekday} scope="col">{weekdayName(weekday, 'long')}</th>)}</Head>;

export function PaperMonth({ all, range, month }: PaperProps & { month: string }) {
  return (
    <table class="calendar-paper-grid">
      <WeekdayHead />
      <tbody>
        {weeksOf(paperDays(all, range)).map((week) => (
          <tr key={week[0]!.day}>
            {week.map(({ day, entries }) => (
              <td key={day} class={monthOf(day) === monthOf(month) ? '' : 'calendar-paper-outside'}>
                <strong>{Number(day.slice(8))}</strong>
                <ul>{entries.map((placed) => <Line key={placed.key} placed={placed} day={day} />)}</ul>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A block in a column of the week, with all there is to say. */
function Block({ placed, day }: { placed: Placed; day: string }) {
  const color = colorOf(placed, calendarOf(placed));
  return (
    <li class="calendar-paper-block" style={{ borderColor: color }}>
      <small>{timesOn(placed, day)}</small>
      <b><Title placed={placed} /></b>
      {placed.entry.location && <small>{placed.entry.location}</small>}
      {elsewhere(placed) && <small>{elsewhere(placed)}</small>}
    </li>
  );
}

export function PaperColumns({ all, range }: PaperProps) {
  const days = paperDays(all, range);
  return (
    <table class="calendar-paper-grid">
      <Head>{days.map(({ day }) => <th key={day} scope="col">{weekdayName(new Date(day).getUTCDay(), 'short')} {Number(day.slice(8))}</th>)}</Head>
      <tbody>
        <tr>
          {days.map(({ day, entries }) => (
            <td key={day}><ul>{entries.map((placed) => <Block key={placed.key} placed={placed} day={day} />)}</ul></td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

export function PaperList({ all, range }: PaperProps) {
  const days = paperDays(all, range).filter(({ entries }) => entries.length > 0);
  if (days.length === 0) {
    return <p>{words.value.calendar.nothingHere}</p>;
  }
  return <>{days.map((one) => <ListDay key={one.day} {...one} />)}</>;
}

function ListDay({ day, entries }: PaperDay) {
  return (
    <section class="calendar-paper-date">
      <h2>{longDay(day)}</h2>
      <table>
        <tbody>
          {entries.map((placed) => (
            <tr key={placed.key}>
              <td>{timesOn(placed, day)}</td>
              <td><i class="calendar-paper-dot" style={{ backgroundColor: colorOf(placed, calendarOf(placed)) }} /></td>
              <td>
                <b><Title placed={placed} /></b>
                {placed.entry.location && <> · {placed.entry.location}</>}
                {placed.entry.description && <small>{placed.entry.description}</small>}
              </td>
              <td>{calendarOf(placed)?.name}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const DOTS = 4;

export function PaperYear({ all, range }: PaperProps) {
  const found = new Map(paperDays(all, range).map(({ day, entries }) => [day, entries]));
  const months = [...new Set([...found.keys()].map(startOfMonth))];
  return (
    <div class="calendar-paper-months">
      {months.map((month) => (
        <section key={month}>
          <h2>{monthName(month)}</h2>
          <table>
            <Head>{weekdaysInOrder().map((weekday) => <th key={weekday} scope="col">{weekdayName(weekday, 'narrow')}</th>)}</Head>
            <tbody>
              {weeksOf(paperDays([], rangeOf('month', month, firstWeekday.value))).map((week) => (
                <tr key={week[0]!.day}>
                  {week.map(({ day }) => <YearDay key={day} day={day} isHere={monthOf(day) === monthOf(month)} entries={found.get(day) ?? []} />)}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  );
}

function YearDay({ day, isHere, entries }: { day: string; isHere: boolean; entries: readonly Placed[] }) {
  if (!isHere) {
    return <td />;
  }
  const colors = [...new Set(entries.map((placed) => colorOf(placed, calendarOf(placed))))].slice(0, DOTS);
  return (
    <td>
      {entries.length > 0 ? <b>{Number(day.slice(8))}</b> : Number(day.slice(8))}
      <span>{colors.map((color) => <i key={color} class="calendar-paper-dot" style={{ backgroundColor: color }} />)}</span>
    </td>
  );
}
