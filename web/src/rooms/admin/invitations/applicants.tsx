// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Check, UserRoundCheck, X } from 'lucide-preact';

import { approve, listApplicants, refuse, type Applicant } from '../../../api/invitations';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded } from '../../../ui/loaded';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { Ago, Section } from '../parts';

/** Those who wait for an administrator; nothing when there are none. */
export function Applicants({ org, onDecided }: { org: string | null; onDecided: () => void }) {
  const told = words.value.admin.invitations;
  const waiting = useLoaded((signal) => listApplicants(org, signal), [org]);
  if (!waiting.value || waiting.value.length === 0) {
    return null;
  }
  const decide = async (deed: () => Promise<void>, done: string) => {
    try {
      await deed();
      say(done);
    } catch (error) {
      sayError(error);
    }
    waiting.reload();
    onDecided();
  };
  const turnAway = async (one: Applicant) => {
    if (await confirm({ title: told.refuseTitle(one.name), text: told.refuseText, deed: told.refuse })) {
      await decide(() => refuse(one.id), told.refused(one.name));
    }
  };
  return (
    <Section title={told.waiting} hint={told.waitingHint}>
      <ul class="admin-rows">
        {waiting.value.map((one) => (
          <li key={one.id}>
            <div class="admin-row">
              <span class="admin-row-icon" aria-hidden="true"><UserRoundCheck /></span>
              <span class="admin-row-main">
                <strong>{one.name}</strong>
                <small>{one.email}</small>
                <small>{told.byTo(one.inviter, one.to)} · <Ago at={one.created_at} /></small>
              </span>
              <span class="admin-row-end">
                <Button tone="primary" aria-label={told.approveNamed(one.name)}
                  onClick={() => void decide(() => approve(one.id), told.approved(one.name))}>
                  <Check />{told.approve}
                </Button>
                <Button aria-label={told.refuseNamed(one.name)} onClick={() => void turnAway(one)}><X />{told.refuse}</Button>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
