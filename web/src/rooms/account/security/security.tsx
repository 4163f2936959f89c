// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { loadOffers } from '../../../api/access';
import type { Person } from '../../../api/me';
import { useLoaded } from '../../../ui/loaded';
import { FactorSection } from './factor';
import { LinkedSection } from './linked';
import { PasswordSection } from './password';

export function Security({ user }: { user: Person }) {
  const offers = useLoaded(loadOffers, []);
  return (
    <>
      <PasswordSection user={user} sendsMail={offers.value?.mail ?? false} />
      <FactorSection />
      <LinkedSection providers={offers.value?.providers ?? []} />
    </>
  );
}
