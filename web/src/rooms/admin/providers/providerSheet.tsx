// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useId, useState } from 'preact/hooks';
import { Trash2 } from 'lucide-preact';

import { eraseProvider, putProvider, type Provider } from '../../../api/people';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialog';
import { CheckField, TextField } from '../../../ui/field';
import { PasswordField } from '../../../ui/password';
import { Refusal } from '../../../ui/refusal';
import { sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { CopyLine } from '../copyLine';

interface ProviderSheetProps {
  org: string | null;
  /** null: a new one. */
  provider: Provider | null;
  /** Ids that are in use. */
  taken: readonly string[];
  onClose: () => void;
  onDone: (text: string) => void;
}

const isGoodId = (id: string): boolean => /^[a-z0-9-]{1,32}$/.test(id);

export function ProviderSheet({ org, provider, taken, onClose, onDone }: ProviderSheetProps) {
  const told = words.value.admin.providers;
  const [id, setId] = useState(provider?.id ?? '');
  const [name, setName] = useState(provider?.name ?? '');
  const [issuer, setIssuer] = useState(provider?.issuer ?? 'https://');
  const [clientId, setClientId] = useState(provider?.client_id ?? '');
  const [secret, setSecret] = useState('');
  const [trusted, setTrusted] = useState(provider?.trusted ?? false);
  const [creates, setCreates] = useState(provider?.creates_users ?? false);
  const formId = useId();
  const wrongId =
    provider !== null || id === '' ? null : !isGoodId(id) ? told.idWrong : taken.includes(id) ? told.idTaken : null;
  const attempt = useAttempt(async () => {
    if (wrongId !== null) return;
    await putProvider(org, id, {
      name: name.trim(),
      issuer: issuer.trim(),
      client_id: clientId.trim(),
      trusted,
      creates_users: creates,
      ...(secret !== '' && { client_secret: secret }),
    });
    onDone(provider ? told.saved : told.added(name.trim()));
  });
  const erase = async () => {
    if (!(await confirm({ title: told.eraseTitle(name), text: told.eraseText, deed: told.erase }))) return;
    try {
      await eraseProvider(org, id);
      onDone(told.erased(name));
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <Dialog
      title={provider?.name ?? told.add}
      shape="sheet"
      onClose={onClose}
      actions={
        <>
          {provider && (
            <Button tone="danger" onClick={() => void erase()}>
              <Trash2 />
              {told.erase}
            </Button>
          )}
          <Button tone="primary" type="submit" form={formId} busy={attempt.busy}>
            {provider ? words.value.common.save : told.create}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={attempt.run}>
        <TextField label={told.name} hint={told.nameHint} value={name} onValue={setName} required maxLength={200} />
        {provider === null && (
          <TextField
            label={told.id}
            hint={told.idHint}
            error={wrongId}
            value={id}
            onValue={setId}
            required
            autocapitalize="none"
            spellcheck={false}
          />
        )}
        <TextField
          label={told.issuer}
          hint={told.issuerHint}
          type="url"
          value={issuer}
          onValue={setIssuer}
          required
          spellcheck={false}
        />
        <TextField
          label={told.clientId}
          value={clientId}
          onValue={setClientId}
          required
          autocomplete="off"
          spellcheck={false}
        />
        <PasswordField
          label={told.clientSecret}
          hint={provider ? told.clientSecretKept : told.clientSecretHint}
          value={secret}
          onValue={setSecret}
          autocomplete="new-password"
        />
        <CheckField label={told.trusted} hint={told.trustedHint} checked={trusted} onValue={setTrusted} />
        <CheckField label={told.creates} hint={told.createsHint} checked={creates} onValue={setCreates} />
        {isGoodId(id) && (
          <>
            <p class="admin-label">{told.callback}</p>
            <CopyLine text={`${location.origin}/auth/${id}/callback`} />
          </>
        )}
        <Refusal attempt={attempt} />
      </form>
    </Dialog>
  );
}
