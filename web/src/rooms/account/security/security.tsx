// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { loadOffers } from '../../../api/access';
import type { Person } from '../../../api/me';
import { useLoaded } from '../../../ui/loaded';
import { words } from '../../../words';
import { FactorSection } from './factor';
import { LinkedSection } from './linked';
import { PasswordSection } from './password';

export function Security({ user }: { user: Person }) {
  const offers = useLoaded(loadOffers, []);
  return (
    <>
      <Refused />
      <PasswordSection user={user} sendsMail={offers.value?.mail ?? false} />
      <FactorSection />
      <LinkedSection providers={offers.value?.providers ?? []} />
    </>
  );
}

/** What came of an account that was to be added, when it was refused. */
function Refused() {
  const refused = new URLSearchParams(location.search).get('refused');
  const told = words.value.access.signIn.refused;
  if (refused === null) {
    return null;
  }
  return <div class="notice notice-bad" role="alert">{refused in told ? told[refused as keyof typeof told] : told.unavailable}</div>;
}
