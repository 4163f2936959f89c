// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Download } from 'lucide-preact';

import { beginSecondFactor, confirmSecondFactor } from '../../../api/account';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { Refusal } from '../../../ui/refusal';
import { Failure, Skeleton } from '../../../ui/states';
import { say } from '../../../ui/toast';
import { words } from '../../../words';
import { CopyButton } from '../../../ui/copyButton';
import { explainCode, inGroups } from './codes';
import { QrCode } from '../../../ui/qr';

const STEPS = 3;

/** In three steps: the app learns the secret, proves that it has, and the codes for the day it is lost are kept. */
export function Enrolment({ close }: { close: () => void }) {
  const begun = useLoaded(beginSecondFactor, []);
  const [isScanned, setIsScanned] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes !== null) {
    return <Codes codes={codes} close={close} />;
  }
  if (isScanned) {
    return <Proof back={() => setIsScanned(false)} close={close} onCodes={setCodes} />;
  }
  const told = words.value.account.factor;
  return (
    <Dialog title={told.scanTitle} onClose={close} actions={<>
      <Button onClick={close}>{words.value.common.cancel}</Button>
      <Button tone="primary" disabled={begun.value === undefined} onClick={() => setIsScanned(true)}>{told.next}</Button>
    </>}>
      <p class="muted">{told.step(1, STEPS)}</p>
      <p>{told.scan}</p>
      {begun.error ? <Failure error={begun.error} retry={begun.reload} /> : begun.value === undefined ? <Skeleton lines={6} /> : (
        <>
          <QrCode text={begun.value.uri} label={told.qr} />
          <p>{told.typeIt}</p>
          <div class="row spread account-key"><code>{inGroups(begun.value.secret)}</code><CopyButton text={begun.value.secret} /></div>
        </>
      )}
    </Dialog>
  );
}

function Proof({ back, close, onCodes }: { back: () => void; close: () => void; onCodes: (codes: string[]) => void }) {
  const told = words.value.account.factor;
  const [code, setCode] = useState('');
  const attempt = useAttempt(async () => onCodes(await confirmSecondFactor(code.replace(/\s/g, ''))));
  return (
    <Dialog title={told.codeTitle} onClose={close} actions={<>
      <Button onClick={back}>{words.value.access.code.back}</Button>
      <Button tone="primary" busy={attempt.busy} disabled={code.trim() === '' || attempt.waitSeconds > 0} onClick={attempt.run}>
        {told.confirm}
      </Button>
    </>}>
      <p class="muted">{told.step(2, STEPS)}</p>
      <form onSubmit={attempt.run}>
        <Refusal attempt={attempt} explain={explainCode} />
        <TextField label={told.code} value={code} onValue={setCode} name="otp" autocomplete="one-time-code" inputMode="numeric" spellcheck={false} />
      </form>
    </Dialog>
  );
}

/** Only a press closes it: who loses these by a slip of the mouse would not get them again. */
function Codes({ codes, close }: { codes: string[]; close: () => void }) {
  const told = words.value.account.factor;
  const text = codes.join('\n');
  const finish = () => {
    close();
    say(told.done);
  };
  return (
    <Dialog title={told.codesTitle} actions={<>
      <CopyButton text={text} />
      <Button onClick={() => download(`${text}\n`, told.codesFile)}><Download />{words.value.account.download}</Button>
      <Button tone="primary" onClick={finish}>{told.codesKept}</Button>
    </>}>
      <p class="muted">{told.step(STEPS, STEPS)}</p>
      <p>{told.codes}</p>
      <ul class="account-codes">{codes.map((code) => <li key={code}><code>{code}</code></li>)}</ul>
    </Dialog>
  );
}

function download(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
