// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { listOrgs, type Org } from '../../api/people';
import { personal } from '../../shell/person';
import { isSuperadministrator, me } from '../../shell/session';
import { SelectField } from '../../ui/field';
import { useLoaded } from '../../ui/loaded';
import { words } from '../../words';

/** Whose people, providers and log are shown: null is one's own organisation. */
export const chosenOrg = personal<string | null>(null);

async function allOrgs(signal: AbortSignal): Promise<Org[]> {
  const all: Org[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listOrgs>> = await listOrgs(after, signal);
    all.push(...page.items);
    after = page.after;
  } while (after !== null);
  return all;
}

/** Lets superadministrators look after another organisation than their own, where there are several. */
export function OrgPicker() {
  const orgs = useLoaded((signal) => (isSuperadministrator.value ? allOrgs(signal) : Promise.resolve([])), []);
  if (orgs.value === undefined || orgs.value.length < 2) {
    return null;
  }
  const own = me.value?.org.id ?? '';
  return (
    <div class="admin-org">
      <SelectField label={words.value.admin.organisation} value={chosenOrg.value ?? own}
        options={orgs.value.map((org) => ({ value: org.id, label: org.name }))}
        onValue={(id) => { chosenOrg.value = id === own ? null : id; }} />
    </div>
  );
}
