// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { words } from '../words';
import type { Attempt } from './attempt';
import { messageOf } from './errors';

/** Why an attempt failed. `explain` knows better than the general words for some errors. */
export function Refusal({ attempt, explain }: { attempt: Attempt; explain?: (error: unknown) => string | null }) {
  const told = words.value.common;
  if (attempt.waitSeconds > 0) {
    const seconds = attempt.waitSeconds;
    const time = seconds > 90 ? told.minutes(Math.ceil(seconds / 60)) : told.seconds(seconds);
    // Heard once; what counts down is for eyes.
    return (
      <div class="notice notice-bad">
        <span class="visually-hidden" role="alert">{told.waitHeard}</span>
        <span aria-hidden="true">{told.wait(time)}</span>
      </div>
    );
  }
  if (attempt.error === null) {
    return null;
  }
  return <div class="notice notice-bad" role="alert">{explain?.(attempt.error) ?? messageOf(attempt.error)}</div>;
}
