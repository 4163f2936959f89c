// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { changeMe, type Person } from '../../../api/me';
import { refreshMe } from '../../../shell/session';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { Refusal } from '../../../ui/refusal';
import { say } from '../../../ui/toast';
import { ZoneField } from '../../../ui/zone';
import { browserZone, zonePlace } from '../../../ui/zones';
import { words } from '../../../words';
import { Section } from '../section';
import { EmailSection } from './email';
import { LookSection } from './look';
import { PhotoField } from './photoField';

export function Profile({ user }: { user: Person }) {
  return (
    <>
      <AboutSection user={user} />
      <EmailSection user={user} />
      <LookSection />
    </>
  );
}

function AboutSection({ user }: { user: Person }) {
  const told = words.value.account;
  const [name, setName] = useState(user.name);
  const [zone, setZone] = useState(user.time_zone);
  const attempt = useAttempt(async () => {
    await changeMe({ name: name.trim(), time_zone: zone });
    await refreshMe();
    say(told.saved);
  });
  const here = browserZone();
  const isChanged = name.trim() !== user.name || zone !== user.time_zone;
  return (
    <Section title={told.about.title} hint={told.about.hint}>
      <PhotoField user={user} />
      <form class="account-form" onSubmit={attempt.run} noValidate>
        <Refusal attempt={attempt} />
        <TextField label={told.about.name} value={name} onValue={setName} name="name" autocomplete="name" maxLength={200} />
        <ZoneField label={told.about.timeZone} hint={told.about.timeZoneHint} value={zone} onValue={setZone} />
        {here !== zone && (
          <Button tone="quiet" class="account-zone-here" onClick={() => setZone(here)}>{told.about.timeZoneHere(zonePlace(here).place)}</Button>
        )}
        <Button type="submit" tone="primary" busy={attempt.busy} disabled={!isChanged || name.trim() === ''}>{words.value.common.save}</Button>
      </form>
    </Section>
  );
}
