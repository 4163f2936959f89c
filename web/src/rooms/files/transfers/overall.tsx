// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { renderBytes } from '../../../ui/sizes';
import { language, words } from '../../../words';
import { isOver, isUnderWay, type UploadItem } from '../uploads/item';
import { renderDuration, secondsLeft } from '../uploads/speed';
import { speed } from '../uploads/store';

/** All uploads in one line: what they do, how far they are, how fast, and how long they still take. */
export function Overall({ items }: { items: readonly UploadItem[] }) {
  const told = words.value.files.transfers;
  if (items.length === 0) {
    return <strong class="files-panel-title">{told.title}</strong>;
  }
  const open = items.filter((item) => !isOver(item));
  const total = items.reduce((sum, item) => sum + item.content.size, 0);
  const sent = items.reduce((sum, item) => sum + item.sent, 0);
  const isMoving = open.some(isUnderWay);
  const perSecond = isMoving ? speed.perSecond(performance.now()) : null;
  const left = secondsLeft(total - sent, perSecond);
  return (
    <div class="files-panel-title">
      <strong role="status">{titleOf(items, open)}</strong>
      {open.length > 0 && (
        <>
          <div class="progress" role="progressbar" aria-label={told.overall} aria-valuemin={0} aria-valuemax={100}
            aria-valuenow={Math.floor((100 * sent) / Math.max(1, total))}>
            <span style={{ width: `${(100 * sent) / Math.max(1, total)}%` }} />
          </div>
          <small class="muted">
            {told.progress(renderBytes(sent, language.value), renderBytes(total, language.value))}
            {perSecond !== null && perSecond > 0 && <> · {told.speed(renderBytes(perSecond, language.value))}</>}
            {left !== null && <> · {told.left(renderDuration(left, language.value))}</>}
          </small>
        </>
      )}
    </div>
  );
}

function titleOf(items: readonly UploadItem[], open: readonly UploadItem[]): string {
  const told = words.value.files.transfers;
  const has = (state: UploadItem['state']) => items.some((item) => item.state === state);
  if (open.some(isUnderWay)) return told.uploading(open.length);
  if (has('locked')) return told.uploadsLocked;
  if (has('retrying')) return told.uploadsWaiting;
  if (has('paused')) return told.uploadsPaused;
  const failed = items.filter(({ state }) => state === 'failed').length;
  return failed > 0 ? told.uploadsFailed(failed) : told.uploadsDone(items.length);
}
