// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Space } from '../../../api/files';
import { renderBytes } from '../../../ui/sizes';
import { language, words } from '../../../words';

const LOW = 0.9;

/** How much of the space of a person is used. */
export function SpaceBar({ space: { usage, total } }: { space: Space }) {
  const told = words.value.files.libraries;
  const used = renderBytes(usage, language.value);
  if (total < 0) {
    return <p class="muted files-space">{told.spaceUsed(used)}</p>;
  }
  const share = total === 0 ? 1 : Math.min(1, usage / total);
  const text = told.spaceOf(used, renderBytes(total, language.value));
  return (
    <section class="card files-space" aria-label={told.space}>
      <p class="row spread"><strong>{told.space}</strong><span>{text}</span></p>
      <div class={`progress ${share >= LOW ? 'files-space-low' : ''}`} role="meter" aria-label={told.space} aria-valuemin={0}
        aria-valuemax={100} aria-valuenow={Math.round(share * 100)} aria-valuetext={text}>
        <span style={{ width: `${share * 100}%` }} />
      </div>
      {share >= LOW && <p class="hint">{share >= 1 ? told.spaceNone : told.spaceLow}</p>}
    </section>
  );
}
