// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Garbage } from '../../../api/admin';
import { renderBytes } from '../../../ui/sizes';
import { locale, words } from '../../../words';
import { renderCount } from '../parts';

/** Whether there is anything to remove. */
export const isNothing = (garbage: Garbage): boolean =>
  garbage.blobs.count +
    garbage.blocks.count +
    garbage.objects.count +
    garbage.commits.count +
    garbage.states +
    garbage.erased_libraries +
    garbage.abandoned_libraries +
    garbage.tokens +
    garbage.orphans ===
  0;

/** What a collection of garbage has removed, or would. */
export function GarbageReport({ garbage, dryRun }: { garbage: Garbage; dryRun: boolean }) {
  const told = words.value.admin.garbage;
  const bytes = (value: number) => renderBytes(value, locale.value);
  const rows: [string, string][] = [
    [told.blobs, `${renderCount(garbage.blobs.count)} · ${bytes(garbage.blobs.bytes)}`],
    [told.blocks, `${renderCount(garbage.blocks.count)} · ${bytes(garbage.blocks.bytes)}`],
    [told.objects, `${renderCount(garbage.objects.count)} · ${bytes(garbage.objects.bytes)}`],
    [told.commits, renderCount(garbage.commits.count)],
    [told.states, renderCount(garbage.states)],
    [told.erasedLibraries, renderCount(garbage.erased_libraries)],
    [told.abandonedLibraries, renderCount(garbage.abandoned_libraries)],
    [told.tokens, renderCount(garbage.tokens)],
    [told.orphans, renderCount(garbage.orphans)],
  ];
  const nothing = isNothing(garbage);
  const freed = garbage.blobs.bytes + (dryRun ? 0 : garbage.freed_bytes);
  return (
    <>
      <p class={`notice ${nothing ? 'admin-fine' : ''}`}>
        {nothing ? told.nothing : dryRun ? told.wouldFree(bytes(freed)) : told.freed(bytes(freed))}{' '}
        {garbage.waiting.count > 0 && told.waiting(bytes(garbage.waiting.bytes))}
      </p>
      {garbage.damaged.length > 0 && (
        <p class="notice notice-warn">
          {told.damaged(garbage.damaged.length)} <code>{garbage.damaged.join(', ')}</code>
        </p>
      )}
      {!nothing && (
        <dl class="admin-list">
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
