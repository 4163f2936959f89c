// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Check, KeyRound, Pause, Play, RotateCcw, X } from 'lucide-preact';

import { IconButton } from '../../../ui/button';
import { messageOf } from '../../../ui/errors';
import { renderBytes } from '../../../ui/sizes';
import { language, words } from '../../../words';
import { EntryIcon } from '../icons';
import { askPassword } from '../passwords';
import type { UploadItem } from '../uploads/item';
import { renderDuration } from '../uploads/speed';
import { queue } from '../uploads/store';

/** One file of the queue. */
export function UploadRow({ item }: { item: UploadItem }) {
  const told = words.value.files.transfers;
  const { name, relative } = item.target;
  const share = item.content.size === 0 ? Number(item.state === 'done') : item.sent / item.content.size;
  return (
    <li class="files-transfer">
      <EntryIcon name={name} isFolder={false} />
      <div class="files-transfer-text">
        <span class="files-transfer-name" title={name}>{relative === '' ? name : `${relative}/${name}`}</span>
        {item.state !== 'done' && (
          <div class="progress" role="progressbar" aria-label={told.progressOf(name)} aria-valuemin={0} aria-valuemax={100}
            aria-valuenow={Math.floor(100 * share)}>
            <span style={{ width: `${100 * share}%` }} />
          </div>
        )}
        <small class={item.state === 'failed' ? 'field-error' : 'muted'}>{statusOf(item)}</small>
      </div>
      <Buttons item={item} />
    </li>
  );
}

function Buttons({ item: { id, state, target: { name, library } } }: { item: UploadItem }) {
  const told = words.value.files.transfers;
  const one = new Set([id]);
  const unlock = () => void askPassword(library).then((isOpen) => { if (isOpen) queue.unlock(library); });
  if (state === 'done') {
    return <span class="files-transfer-done"><Check aria-label={told.states.done} /></span>;
  }
  return (
    <span class="row files-transfer-buttons">
      {(state === 'sending' || state === 'placing' || state === 'waiting') && (
        <IconButton label={told.pause(name)} onClick={() => queue.pause(one)}><Pause /></IconButton>
      )}
      {state === 'paused' && <IconButton label={told.resume(name)} onClick={() => queue.resume(one)}><Play /></IconButton>}
      {(state === 'failed' || state === 'retrying') && (
        <IconButton label={told.retry(name)} onClick={() => queue.resume(one)}><RotateCcw /></IconButton>
      )}
      {state === 'locked' && <IconButton label={words.value.files.unlock} onClick={unlock}><KeyRound /></IconButton>}
      <IconButton label={state === 'failed' ? told.remove(name) : told.cancel(name)} onClick={() => queue.cancel(one)}><X /></IconButton>
    </span>
  );
}

function statusOf(item: UploadItem): string {
  const told = words.value.files.transfers;
  const size = renderBytes(item.content.size, language.value);
  switch (item.state) {
    case 'sending':
    case 'paused':
      return `${told.states[item.state]} · ${told.progress(renderBytes(item.sent, language.value), size)}`;
    case 'retrying': {
      const wait = (item.retryAt - Date.now()) / 1000;
      return wait > 1 ? told.retryIn(renderDuration(wait, language.value)) : told.states.retrying;
    }
    case 'failed':
      return item.error instanceof DOMException ? told.unreadable : messageOf(item.error);
    case 'done':
      return size;
    default:
      return told.states[item.state];
  }
}
