// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { MailCheck } from 'lucide-preact';

import { words } from '../../words';
import { Porch } from './porch';

/** A letter may be waiting to be sent: the same words whether the address is known or not. */
export function Sent({ text, back }: { text: string; back: () => void }) {
  const told = words.value.access.sent;
  return (
    <Porch title={told.title}>
      <div class="porch-sign" aria-hidden="true"><MailCheck /></div>
      <p>{text}</p>
      <p class="muted">{told.spam}</p>
      <div class="porch-links"><button type="button" class="link" onClick={back}>{told.back}</button></div>
    </Porch>
  );
}
