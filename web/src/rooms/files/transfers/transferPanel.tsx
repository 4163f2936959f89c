// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { ChevronDown, ChevronUp, Pause, Play, X } from 'lucide-preact';

import { Button, IconButton } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { words } from '../../../words';
import { isOver, type UploadItem } from '../uploads/item';
import { queue, revision } from '../uploads/store';
import { Overall } from './overall';
import { dismissTasks, tasks } from './tasks';
import { TaskRow } from './taskRow';
import { UploadRow } from './uploadRow';

const SHOWN = 100;
/** What is finished makes itself small after a while. */
const FINISHED_MS = 4000;
const idsOf = (items: readonly UploadItem[]): Set<number> => new Set(items.map(({ id }) => id));

// What somebody may want to do something about comes first.
const ORDER: Record<UploadItem['state'], number> = { failed: 0, locked: 1, retrying: 2, sending: 3, placing: 3, paused: 4, waiting: 5, done: 6 };

/** What goes to the server and between libraries, in a corner of the window. */
export function TransferPanel() {
  // Read, so that this is drawn again whenever the queue has changed.
  void revision.value;
  const told = words.value.files.transfers;
  const [isSmall, setSmall] = useState(false);
  const { items } = queue;
  useTick(items.some(({ state }) => state === 'retrying'));
  const isAllWell = items.length + tasks.value.length > 0
    && items.every(({ state }) => state === 'done') && tasks.value.every(({ progress }) => progress.status === 'done');
  useEffect(() => {
    const timer = window.setTimeout(() => setSmall(isAllWell), isAllWell ? FINISHED_MS : 0);
    return () => window.clearTimeout(timer);
  }, [isAllWell]);
  if (items.length === 0 && tasks.value.length === 0) {
    return null;
  }
  const open = items.filter((item) => !isOver(item));
  const running = open.filter(({ state }) => state !== 'paused');
  const isDone = open.length === 0 && tasks.value.every(({ progress }) => progress.status !== 'processing');
  const sorted = [...items].sort((a, b) => ORDER[a.state] - ORDER[b.state]);
  const close = () => {
    queue.cancel(idsOf(items));
    dismissTasks(() => true);
  };
  const cancelAll = async () => {
    if (await confirm({ title: told.cancelAllSure, text: told.cancelAllHint, deed: told.cancelAllDeed })) queue.cancel(idsOf(open));
  };
  return (
    <section class={`files-panel ${isSmall ? 'files-panel-small' : ''}`} aria-label={told.title}>
      <header class="files-panel-head">
        {/* A new list each time: the queue changes its own, and what has not changed is not drawn again. */}
        <Overall items={[...items]} />
        {open.length > 0 && (running.length > 0
          ? <IconButton label={told.pauseAll} onClick={() => queue.pause(idsOf(running))}><Pause /></IconButton>
          : <IconButton label={told.resumeAll} onClick={() => queue.resume(idsOf(open))}><Play /></IconButton>)}
        <IconButton label={isSmall ? told.expand : told.collapse} aria-expanded={!isSmall} onClick={() => setSmall(!isSmall)}>
          {isSmall ? <ChevronUp /> : <ChevronDown />}
        </IconButton>
        {isDone && <IconButton label={told.close} onClick={close}><X /></IconButton>}
      </header>
      {!isSmall && (
        <>
          <ul class="files-panel-list" tabIndex={0} aria-label={told.title}>
            {tasks.value.map((task) => <TaskRow key={task.id} task={task} />)}
            {sorted.slice(0, SHOWN).map((item) => <UploadRow key={item.id} item={{ ...item }} />)}
            {sorted.length > SHOWN && <li class="muted files-panel-rest">{words.value.files.andMore(sorted.length - SHOWN)}</li>}
          </ul>
          <footer class="files-panel-foot">
            {items.some(({ state }) => state === 'done') && !isDone && <Button tone="quiet" onClick={() => queue.clearDone()}>{told.clear}</Button>}
            {open.length > 0 && <Button tone="quiet" onClick={() => void cancelAll()}>{told.cancelAll}</Button>}
          </footer>
        </>
      )}
    </section>
  );
}

/** Draws again every second while something counts down. */
function useTick(wanted: boolean): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!wanted) return;
    const timer = window.setInterval(() => tick((before) => before + 1), 1000);
    return () => window.clearInterval(timer);
  }, [wanted]);
}
