// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useId, useState } from 'preact/hooks';
import { Trash2 } from 'lucide-preact';

import { ApiError } from '../../../api/client';
import { changeOrg, createOrg, eraseOrg, loadOrg, type OrgDetails, type Tagged } from '../../../api/people';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextArea, TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { Refusal } from '../../../ui/refusal';
import { renderBytes } from '../../../ui/sizes';
import { locale, words } from '../../../words';
import { Shown, TypedConfirmation } from '../parts';
import { QuotaField } from '../people/fields';
import { quotaBytes, quotaFields } from '../quota';
import { findWrongHost, readHosts } from './hosts';

/** The one of all hosts that belong to no other: it stays. */
const DEFAULT_ORG = '00000000-0000-4000-8000-000000000001';

interface OrgSheetProps {
  /** null: a new one. */
  id: string | null;
  onClose: () => void;
  onDone: (text: string) => void;
}

export function OrgSheet({ id, onClose, onDone }: OrgSheetProps) {
  const told = words.value.admin.orgs;
  const org = useLoaded(
    (signal): Promise<Tagged<OrgDetails> | null> => (id === null ? Promise.resolve(null) : loadOrg(id, signal)),
    [id],
  );
  return (
    <Dialog
      title={id === null ? told.add : (org.value?.value.name ?? words.value.admin.organisation)}
      shape="sheet"
      onClose={onClose}
    >
      <Shown loaded={org} lines={6}>
        {(loaded) => (
          <>
            <Fields key={loaded?.etag ?? ''} loaded={loaded} onDone={onDone} reload={org.reload} />
            {loaded && <Rest org={loaded.value} onDone={onDone} />}
          </>
        )}
      </Shown>
    </Dialog>
  );
}

function Fields({
  loaded,
  onDone,
  reload,
}: {
  loaded: Tagged<OrgDetails> | null;
  onDone: (text: string) => void;
  reload: () => void;
}) {
  const told = words.value.admin.orgs;
  const old = loaded?.value;
  const [name, setName] = useState(old?.name ?? '');
  const [hosts, setHosts] = useState((old?.hosts ?? []).join('\n'));
  const [quota, setQuota] = useState(quotaFields(old?.quota_bytes));
  const formId = useId();
  const bytes = quotaBytes(quota);
  const wrong = findWrongHost(readHosts(hosts));
  const attempt = useAttempt(async () => {
    if (bytes === undefined || wrong !== null) return;
    const fields = { name: name.trim(), hosts: readHosts(hosts), quota_bytes: bytes };
    await (loaded ? changeOrg(loaded.value.id, fields, loaded.etag) : createOrg(fields));
    onDone(loaded ? told.saved : told.added(fields.name));
  });
  return (
    <form id={formId} onSubmit={attempt.run}>
      <TextField label={told.name} value={name} onValue={setName} required maxLength={200} autofocus={!loaded} />
      <TextArea
        label={told.hosts}
        hint={told.hostsHint}
        error={wrong === null ? null : told.hostWrong(wrong)}
        value={hosts}
        onValue={setHosts}
        spellcheck={false}
        rows={3}
      />
      <QuotaField
        label={told.quota}
        hint={told.quotaHint}
        value={quota}
        onValue={setQuota}
        error={bytes === undefined ? words.value.admin.quotaWrong : null}
      />
      <Refusal
        attempt={attempt}
        explain={(error) => (error instanceof ApiError && error.status === 409 ? told.hostTaken : null)}
      />
      {attempt.error instanceof ApiError && attempt.error.status === 412 && (
        <Button onClick={reload}>{words.value.admin.showNew}</Button>
      )}
      <Button tone="primary" type="submit" busy={attempt.busy}>
        {loaded ? words.value.common.save : told.create}
      </Button>
    </form>
  );
}

/** What an organisation uses, and its end. */
function Rest({ org, onDone }: { org: OrgDetails; onDone: (text: string) => void }) {
  const told = words.value.admin.orgs;
  const [asked, setAsked] = useState(false);
  const used = renderBytes(org.usage.bytes, locale.value);
  const kept = org.id === DEFAULT_ORG ? told.defaultStays : org.usage.users > 0 ? told.peopleFirst : null;
  return (
    <section class="admin-entrance" aria-label={told.usage}>
      <h3>{told.usage}</h3>
      <ul class="admin-facts">
        <li>{told.people(org.usage.users)}</li>
        <li>{org.quota_bytes ? told.usedOf(used, renderBytes(org.quota_bytes, locale.value)) : told.used(used)}</li>
      </ul>
      <div class="admin-deeds">
        <Button tone="danger" disabled={kept !== null} onClick={() => setAsked(true)}>
          <Trash2 />
          {told.erase}
        </Button>
      </div>
      {kept && <p class="muted">{kept}</p>}
      {asked && (
        <TypedConfirmation
          title={told.eraseTitle(org.name)}
          text={told.eraseText}
          expected={org.name}
          deed={told.erase}
          onClose={() => setAsked(false)}
          run={async () => {
            await eraseOrg(org.id);
            onDone(told.erased(org.name));
          }}
        />
      )}
    </section>
  );
}
