// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { ShieldCheck } from 'lucide-preact';

import { endSecondFactor } from '../../../api/account';
import { me, refreshMe } from '../../../shell/session';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { Refusal } from '../../../ui/refusal';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import { Section } from '../section';
import { explainCode } from './codes';
import { Enrolment } from './enrolment';

export function FactorSection() {
  const told = words.value.account.factor;
  const [open, setOpen] = useState<'enrol' | 'end' | null>(null);
  const isOn = me.value?.second_factor === true;
  const close = () => {
    setOpen(null);
    void refreshMe().catch(() => undefined);
  };
  return (
    <Section title={told.title} hint={told.hint} beside={<span class={`badge ${isOn ? 'badge-good' : ''}`}>{isOn ? told.on : told.off}</span>}>
      {isOn
        ? <Button tone="danger" onClick={() => setOpen('end')}>{told.end}</Button>
        : <Button onClick={() => setOpen('enrol')}><ShieldCheck />{told.setUp}</Button>}
      {open === 'enrol' && <Enrolment close={close} />}
      {open === 'end' && <Ending close={close} />}
    </Section>
  );
}

function Ending({ close }: { close: () => void }) {
  const told = words.value.account.factor;
  const [code, setCode] = useState('');
  const attempt = useAttempt(async () => {
    await endSecondFactor(code.trim());
    close();
    say(told.ended);
  });
  return (
    <Dialog title={told.endTitle} onClose={close} actions={<>
      <Button onClick={close}>{words.value.common.cancel}</Button>
      <Button tone="danger" busy={attempt.busy} disabled={code.trim() === '' || attempt.waitSeconds > 0} onClick={attempt.run}>{told.end}</Button>
    </>}>
      <form onSubmit={attempt.run}>
        <p>{told.endHint}</p>
        <Refusal attempt={attempt} explain={explainCode} />
        <TextField label={words.value.access.code.label} value={code} onValue={setCode} name="otp" autocomplete="one-time-code" spellcheck={false}
          autocapitalize="none" />
      </form>
    </Dialog>
  );
}
