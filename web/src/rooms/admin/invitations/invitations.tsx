// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { MailPlus } from 'lucide-preact';

import { listInvitations, renewLink, resendInvitation, revokeInvitation, type OrgInvitation } from '../../../api/invitations';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialog';
import { explainNoLetter, sayLetter } from '../../../ui/letters';
import { PassOn } from '../../../ui/passOn';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { OrgPicker, chosenOrg } from '../orgPicker';
import { usePaged } from '../paged';
import { PageHead } from '../parts';
import { Applicants } from './applicants';
import { InvitationRow } from './invitationRow';
import { NewInvitation } from './newInvitation';
import { Rules } from './rules';

type Opened = { kind: 'none' } | { kind: 'new' } | { kind: 'issued'; invitation: OrgInvitation };

/** Who was invited into an organisation, who waits to be let in, and who may invite. */
export function Invitations() {
  const told = words.value.admin.invitations;
  const org = chosenOrg.value;
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const invitations = usePaged<OrgInvitation, string>(async (after, signal) => {
    const page = await listInvitations(org, after, signal);
    return { items: page.items, cursor: page.after };
  }, [org]);
  const close = () => setOpened({ kind: 'none' });
  const issue = (invitation: OrgInvitation) => { setOpened({ kind: 'issued', invitation }); invitations.reload(); };
  const attempt = async (deed: () => Promise<void>) => {
    try {
      await deed();
    } catch (error) {
      sayError(error);
    }
    invitations.reload();
  };
  const deeds = {
    resend: (one: OrgInvitation) => attempt(async () => {
      const sent = await resendInvitation(one.id).catch(explainNoLetter);
      if (sent.link) issue(sent);
      sayLetter(one.email ?? '', sent);
    }),
    makeLink: (one: OrgInvitation) => attempt(async () => issue(await renewLink(one.id))),
    revoke: (one: OrgInvitation) => attempt(async () => {
      const name = one.email ?? words.value.invitations.anybody;
      if (await confirm({ title: told.revokeTitle(name), text: told.revokeText, deed: told.revoke })) {
        await revokeInvitation(one.id);
        say(told.revoked(name));
      }
    }),
  };
  return (
    <>
      <PageHead title={words.value.admin.pages.invitations} hint={told.hint}>
        <Button tone="primary" onClick={() => setOpened({ kind: 'new' })}><MailPlus />{told.invite}</Button>
      </PageHead>
      <OrgPicker />
      <Applicants org={org} onDecided={invitations.reload} />
      {invitations.error !== null && <Failure error={invitations.error} retry={invitations.reload} />}
      {invitations.items === undefined && invitations.error === null && <Skeleton lines={6} />}
      {invitations.items && invitations.items.length > 0 && (
        <ul class="card admin-rows">{invitations.items.map((one) => <InvitationRow key={one.id} invitation={one} deeds={deeds} />)}</ul>
      )}
      {invitations.items?.length === 0 && !invitations.busy && <EmptyState icon={<MailPlus />} title={told.none}><p>{told.noneHint}</p></EmptyState>}
      {invitations.hasMore && <Button busy={invitations.busy} onClick={invitations.loadMore}>{words.value.common.loadMore}</Button>}
      <Rules org={org} />
      {opened.kind === 'new' && <NewInvitation org={org} onClose={close} onDone={issue} />}
      {opened.kind === 'issued' && (
        <Dialog title={told.issuedTitle} onClose={close} actions={<Button onClick={close}>{words.value.common.close}</Button>}>
          <PassOn email={opened.invitation.email ?? ''} invitation={opened.invitation} link={opened.invitation.link ?? ''} />
        </Dialog>
      )}
    </>
  );
}
