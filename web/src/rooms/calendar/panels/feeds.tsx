// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { CalendarPlus, Link2, Link2Off } from 'lucide-preact';

import type { MyCalendar } from '../../../api/calendars';
import { closeFeed, listFeeds, makeFeed, type Feed, type FeedDetail, type NewFeed } from '../../../api/feeds';
import { Button, IconButton } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialog';
import { SelectField, TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { locale } from '../formats';
import type { PanelProps } from '../panels';
import { calendarsById } from '../state';
import { renderAgo } from './moments';
import { CopyField } from './parts';
import { meetPeople, personById } from './people';

const FEEDS_MAX = 50;
const NAME_LENGTH = 100;
const DETAILS: FeedDetail[] = ['full', 'busy'];

/** Secret addresses under which others read a calendar. */
export function FeedsPanel({ calendarId = '', close }: PanelProps) {
  const told = words.value.calendarPanels.feeds;
  const calendar = calendarsById.value.get(calendarId);
  return (
    <Dialog title={told.title(calendar?.name ?? '')} onClose={close}>
      <p>{told.explain}</p>
      {calendar === undefined && <Skeleton />}
      {calendar?.role === 'reader' && <p class="notice">{told.readersCannot}</p>}
      {calendar !== undefined && calendar.role !== 'reader' && <Feeds calendar={calendar} />}
    </Dialog>
  );
}

function Feeds({ calendar }: { calendar: MyCalendar }) {
  const told = words.value.calendarPanels.feeds;
  const feeds = useLoaded((signal) => listFeeds(calendar.id, signal), [calendar.id]);
  const [made, setMade] = useState<NewFeed | null>(null);
  useEffect(() => void meetPeople(), []);
  if (made !== null) {
    return <Made feed={made} done={() => setMade(null)} />;
  }
  if (feeds.value === undefined) {
    return feeds.error === null ? <Skeleton /> : <Failure error={feeds.error} retry={feeds.reload} />;
  }
  const add = (feed: NewFeed) => { setMade(feed); feeds.show([...feeds.value!, feed]); };
  return (
    <>
      {feeds.value.length === 0 ? (
        <EmptyState icon={<Link2 />} title={told.none}><p>{told.noneHint}</p></EmptyState>
      ) : (
        <ul class="calendar-panel-list">
          {feeds.value.map((feed) => <FeedRow key={feed.id} calendar={calendar} feed={feed} onClosed={feeds.reload} />)}
        </ul>
      )}
      <h3 class="calendar-panel-head">{told.make}</h3>
      {feeds.value.length >= FEEDS_MAX ? <p class="notice">{told.tooMany}</p> : <FeedForm calendar={calendar} onMade={add} />}
    </>
  );
}

function FeedRow({ calendar, feed, onClosed }: { calendar: MyCalendar; feed: Feed; onClosed: () => void }) {
  const told = words.value.calendarPanels.feeds;
  const when = renderAgo(feed.created_at, locale.value);
  const maker = personById(feed.created_by);
  const end = async () => {
    if (!(await confirm({ title: told.closeTitle(feed.name), text: told.closeText, deed: told.close }))) {
      return;
    }
    try {
      await closeFeed(calendar.id, feed.id);
      say(told.closed(feed.name));
    } catch (error) {
      sayError(error);
    }
    onClosed();
  };
  return (
    <li class="calendar-panel-row">
      <div class="calendar-panel-row-text">
        <span class="calendar-panel-row-title">{feed.name}</span>
        <small class="hint">{told.details[feed.detail]} · {maker ? told.madeBy(when, maker.name) : told.made(when)}</small>
      </div>
      <IconButton label={told.closeNamed(feed.name)} onClick={() => void end()}><Link2Off /></IconButton>
    </li>
  );
}

function FeedForm({ calendar, onMade }: { calendar: MyCalendar; onMade: (feed: NewFeed) => void }) {
  const told = words.value.calendarPanels.feeds;
  const [name, setName] = useState('');
  const [detail, setDetail] = useState<FeedDetail>('full');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const make = async (event: Event) => {
    event.preventDefault();
    if (name.trim() === '') {
      setMissing(true);
      return;
    }
    setBusy(true);
    try {
      onMade(await makeFeed(calendar.id, { name: name.trim(), detail }));
    } catch (error) {
      setBusy(false);
      sayError(error);
    }
  };
  return (
    <form noValidate onSubmit={(event) => void make(event)}>
      <TextField label={told.name} placeholder={told.namePlaceholder} maxLength={NAME_LENGTH} value={name} error={missing ? told.nameMissing : null}
        onValue={(text) => { setName(text); setMissing(false); }} />
      <SelectField<FeedDetail> label={told.detail} hint={told.detailHints[detail]} value={detail} onValue={setDetail}
        options={DETAILS.map((value) => ({ value, label: told.details[value] }))} />
      <Button type="submit" tone="primary" busy={busy}><Link2 />{told.make}</Button>
    </form>
  );
}

/** The address, this once. */
function Made({ feed, done }: { feed: NewFeed; done: () => void }) {
  const told = words.value.calendarPanels.feeds;
  return (
    <div class="notice">
      <h3>{told.madeTitle}</h3>
      <CopyField label={told.address} text={feed.url} />
      <p>{told.madeHint}</p>
      <div class="row row-wrap">
        <Button onClick={done}>{told.done}</Button>
        <a class="button button-quiet" href={feed.url.replace(/^https?:/, 'webcal:')}><CalendarPlus />{told.inProgram}</a>
      </div>
    </div>
  );
}
