// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { CircleAlert, CircleCheck, Clock, RefreshCw } from 'lucide-preact';

import { changeSubscription, loadSubscription, refreshSubscription, type Subscription } from '../../../api/feeds';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { locale } from '../formats';
import { calendarsById } from '../state';
import { IntervalField, isFeedAddress } from './interval';
import { renderAgo } from './moments';

const LOOK_MS = 3000;
const LOOKS = 40;

/** How a calendar is doing that follows another one. */
export function SubscriptionState({ calendarId, close }: { calendarId: string; close: () => void }) {
  const told = words.value.calendarPanels.subscribe;
  const calendar = calendarsById.value.get(calendarId);
  const state = useLoaded((signal) => loadSubscription(calendarId, signal), [calendarId]);
  const [looks, setLooks] = useState(0);
  const found = state.value;
  // The server looks in its own time: we ask until it has.
  useEffect(() => {
    if (looks === 0 || found === undefined) return;
    const isDone = Date.parse(found.next_at) > Date.now();
    if (isDone) {
      setLooks(0);
      if (found.last_error === '') say(told.refreshed);
      return;
    }
    const timer = window.setTimeout(() => { setLooks(looks - 1); state.reload(); }, LOOK_MS);
    return () => window.clearTimeout(timer);
  }, [looks, found]);
  const refresh = async () => {
    try {
      state.show({ ...found!, ...(await refreshSubscription(calendarId)), url: found!.url ?? null });
      setLooks(LOOKS);
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <Dialog title={told.title(calendar?.name ?? '')} onClose={close}>
      {found === undefined ? (state.error === null ? <Skeleton /> : <Failure error={state.error} retry={state.reload} />) : (
        <>
          <Told subscription={found} />
          {calendar?.role !== 'reader' && (
            <p><Button busy={looks > 0} onClick={() => void refresh()}><RefreshCw />{looks > 0 ? told.refreshing : told.refresh}</Button></p>
          )}
          {calendar?.role === 'owner' ? <ChangeForm subscription={found} onChanged={state.show} /> : <p class="hint">{told.onlyOwners}</p>}
        </>
      )}
    </Dialog>
  );
}

/** In words: what the last look came to, and what to do about it. */
function Told({ subscription }: { subscription: Subscription }) {
  const told = words.value.calendarPanels.subscribe;
  const ago = (moment: string) => renderAgo(moment, locale.value);
  const { last_error: error, refreshed_at: last, failures, next_at: next } = subscription;
  if (error !== '') {
    return (
      <div class="notice notice-bad" role="status">
        <p class="calendar-panel-row-title"><CircleAlert />{told.bad(error)}</p>
        <p>{last ? told.lastGood(ago(last)) : told.neverGood} {failures > 1 && told.failures(failures)} {told.next(ago(next))}.</p>
        <p>{told.whatToDo}</p>
      </div>
    );
  }
  return (
    <div class="notice" role="status">
      <p class="calendar-panel-row-title">{last ? <CircleCheck /> : <Clock />}{last ? told.good(ago(last)) : told.waiting}</p>
      {last && <p>{told.next(ago(next))}</p>}
    </div>
  );
}

function ChangeForm({ subscription, onChanged }: { subscription: Subscription; onChanged: (subscription: Subscription) => void }) {
  const told = words.value.calendarPanels.subscribe;
  const [url, setUrl] = useState(subscription.url ?? '');
  const [minutes, setMinutes] = useState(subscription.every_minutes);
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const isChanged = url.trim() !== (subscription.url ?? '') || minutes !== subscription.every_minutes;
  const save = async (event: Event) => {
    event.preventDefault();
    if (!isFeedAddress(url)) {
      setWrong(true);
      return;
    }
    setBusy(true);
    try {
      onChanged(await changeSubscription(subscription.calendar_id, { url: url.trim(), every_minutes: minutes }));
      say(told.saved);
    } catch (error) {
      sayError(error);
    }
    setBusy(false);
  };
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      <TextField label={told.url} hint={told.urlHint} type="url" inputMode="url" autoComplete="off" spellcheck={false} value={url}
        error={wrong ? told.urlMissing : null} onValue={(text) => { setUrl(text); setWrong(false); }} />
      <IntervalField minutes={minutes} onMinutes={setMinutes} />
      <Button type="submit" tone="primary" busy={busy} disabled={!isChanged}>{words.value.common.save}</Button>
    </form>
  );
}
