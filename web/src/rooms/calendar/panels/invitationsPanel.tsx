// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Mail } from 'lucide-preact';

import type { Invitation } from '../../../api/members';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import type { Loaded } from '../../../ui/loaded';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { words } from '../../../words';
import type { PanelProps } from '../panels';
import { InvitationList, useInvitations } from './invitations';

/** The page behind the link in the letter. */
export function InvitationsPanel({ close }: PanelProps) {
  const told = words.value.calendarPanels.invitations;
  const invitations = useInvitations();
  return (
    <Dialog title={told.title} onClose={close}>
      <Content invitations={invitations} close={close} />
    </Dialog>
  );
}

function Content({ invitations, close }: { invitations: Loaded<Invitation[]>; close: () => void }) {
  const told = words.value.calendarPanels.invitations;
  if (invitations.value === undefined) {
    return invitations.error === null ? <Skeleton lines={3} /> : <Failure error={invitations.error} retry={invitations.reload} />;
  }
  if (invitations.value.length === 0) {
    return (
      <EmptyState icon={<Mail />} title={told.none} action={<Button onClick={close}>{words.value.common.close}</Button>}>
        <p>{told.noneHint}</p>
      </EmptyState>
    );
  }
  return <InvitationList invitations={invitations} onNone={close} />;
}
