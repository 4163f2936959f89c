// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from '@preact/signals';

import { ensureFolder, listFilesBelow, listFolder, type Entry } from '../../../api/folders';
import { connected } from '../../../shell/connectivity';
import { onOtherPerson } from '../../../shell/person';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { askAboutTaken } from '../conflictQuestion';
import { askPassword, withPassword } from '../passwords';
import { join, sameName, type Place } from '../paths';
import { folderOf, isOver, type Target } from './item';
import { StoredLedger } from './ledger';
import type { Picked } from './picked';
import { conflictsOf, firstFolders, planUploads, type TakenNames } from './plan';
import { UploadQueue } from './queue';
import { Speedometer } from './speed';
import { HttpTransport } from './transport';

/** Goes up whenever the queue has changed, but not more often than anybody can see. */
export const revision = signal(0);
export const speed = new Speedometer();

type Arrival = (library: string, folder: string) => void;
const arrivals = new Set<Arrival>();

/** Calls when files have arrived in a folder. Answers how to end it. */
export function onArrival(arrival: Arrival): () => void {
  arrivals.add(arrival);
  return () => { arrivals.delete(arrival); };
}

const DRAW_EVERY_MS = 150;
let drawTimer = 0;

function drawSoon(): void {
  if (drawTimer === 0) {
    drawTimer = window.setTimeout(() => {
      drawTimer = 0;
      speed.note(performance.now(), queue.items.reduce((sum, item) => sum + item.sent, 0));
      revision.value += 1;
    }, DRAW_EVERY_MS);
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms);
    signal.addEventListener('abort', () => { window.clearTimeout(timer); resolve(); }, { once: true });
  });
}

const transport = new HttpTransport();

/** One queue for the whole page: it goes on in whatever room somebody is. */
export const queue = new UploadQueue({
  transport,
  now: () => Date.now(),
  wait,
  changed: drawSoon,
  placed: ({ library, folder, relative }: Target) =>
    arrivals.forEach((arrival) => arrival(library, folderOf({ library, folder, relative, name: '', replace: false }))),
  locked: (library) => void askPassword(library).then((isOpen) => { if (isOpen) queue.unlock(library); }),
  ledger: new StoredLedger(),
});

effect(() => { if (connected.value) queue.hurry(); });

onOtherPerson(() => {
  queue.abandon();
  transport.forget();
  speed.forget();
});

// Leaving the page ends what is under way, which nobody should do by accident.
window.addEventListener('beforeunload', (event) => {
  if (queue.items.some((item) => !isOver(item))) event.preventDefault();
});

/** Sends what somebody picked to a folder, after asking about names that are taken. */
export async function upload(place: Place, picked: Picked): Promise<void> {
  if (picked.files.length === 0 && picked.emptyFolders.length === 0) {
    say(words.value.files.transfers.nothingPicked);
    return;
  }
  try {
    const taken = await withPassword(place.library, () => listTaken(place, picked));
    if (taken === null) return;
    const conflicts = conflictsOf(place.path, picked.files, taken);
    const choice = conflicts.length === 0 ? 'keepBoth' : await askAboutTaken(conflicts.map(pathWithin));
    if (choice === null) return;
    if (queue.items.every(isOver)) {
      queue.clearDone();
      speed.forget();
    }
    queue.add(planUploads({ library: place.library, folder: place.path }, picked.files, taken, choice));
    for (const folder of picked.emptyFolders) {
      await ensureFolder(place.library, join(place.path, folder));
    }
  } catch (error) {
    sayError(error);
  }
}

const pathWithin = ({ relative, file }: Picked['files'][number]): string => (relative === '' ? file.name : `${relative}/${file.name}`);

// Folders that are not there yet hold nothing that could be in the way.
async function listTaken({ library, path }: Place, { files }: Picked): Promise<TakenNames> {
  const { dirent_list: here } = await listFolder(library, path);
  const taken = new Map<string, Map<string, Entry['type']>>([[sameName(path), new Map(here.map(({ name, type }) => [sameName(name), type]))]]);
  const wanted = new Set(firstFolders(files).map(sameName));
  for (const folder of here.filter((entry) => entry.type === 'dir' && wanted.has(sameName(entry.name)))) {
    note(taken, await listFilesBelow(library, join(path, folder.name)));
  }
  return taken;
}

function note(taken: Map<string, Map<string, Entry['type']>>, entries: readonly Entry[]): void {
  for (const { parent_dir: parent = '/', name, type } of entries) {
    const folder = sameName(join(parent));
    taken.set(folder, (taken.get(folder) ?? new Map<string, Entry['type']>()).set(sameName(name), type));
  }
}
