// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { loadRules, saveRules, type InvitationRules } from '../../../api/invitations';
import { SelectField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { Section, Shown } from '../parts';

const WHO = ['anybody', 'administrators', 'closed'] as const;
const PROOFS = ['letter', 'approval'] as const;

/** What the organisation has decided about people without an account. */
export function Rules({ org }: { org: string | null }) {
  const told = words.value.admin.invitations;
  const rules = useLoaded((signal) => loadRules(org, signal), [org]);
  const change = async (next: InvitationRules & { mail: boolean }) => {
    rules.show(next);
    try {
      await saveRules(org, { who: next.who, proof: next.proof });
      say(told.rulesSaved);
    } catch (error) {
      sayError(error);
      rules.reload();
    }
  };
  return (
    <Section title={told.rules} hint={told.rulesHint}>
      <Shown loaded={rules} lines={3}>{(now) => (
        <>
          <SelectField label={told.who} hint={told.whoHints[now.who]} value={now.who}
            options={WHO.map((value) => ({ value, label: told.whoNames[value] }))} onValue={(who) => void change({ ...now, who })} />
          <SelectField label={told.proof} hint={now.mail ? told.proofHints[now.proof] : told.proofNoMail} value={now.proof}
            options={PROOFS.map((value) => ({ value, label: told.proofNames[value] }))} onValue={(proof) => void change({ ...now, proof })} />
        </>
      )}</Shown>
    </Section>
  );
}
