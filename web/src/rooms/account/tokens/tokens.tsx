// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { FolderSync, KeyRound, Plus, Smartphone, SquareTerminal, Trash2 } from 'lucide-preact';

import { deleteToken, listTokens, type Token } from '../../../api/account';
import type { Person } from '../../../api/me';
import { homeZone } from '../../../shell/session';
import { renderAgo, renderDay } from '../../../ui/ago';
import { Button, IconButton } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded } from '../../../ui/loaded';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { language, words } from '../../../words';
import { Section } from '../section';
import { NewTokenDialog } from './newToken';
import { describeScopes } from './scopes';

export function Tokens({ user }: { user: Person }) {
  const told = words.value.account;
  const tokens = useLoaded(listTokens, []);
  const [isMaking, setIsMaking] = useState(false);
  const make = <Button tone="primary" onClick={() => setIsMaking(true)}><Plus />{told.token.new}</Button>;
  const isEmpty = tokens.value?.length === 0;
  return (
    <Section title={told.tokens} hint={told.token.hint} beside={!isEmpty && make}>
      {tokens.error ? <Failure error={tokens.error} retry={tokens.reload} /> : tokens.value === undefined ? <Skeleton lines={4} />
        : isEmpty ? <Nothing action={make} /> : <TokenList tokens={tokens.value} reload={tokens.reload} />}
      {isMaking && <NewTokenDialog user={user} close={() => { setIsMaking(false); tokens.reload(); }} />}
    </Section>
  );
}

function Nothing({ action }: { action: ComponentChildren }) {
  const told = words.value.account.token;
  const icons = [<Smartphone />, <SquareTerminal />, <FolderSync />];
  return (
    <EmptyState icon={<KeyRound />} title={told.emptyTitle} action={action}>
      <p>{told.emptyText}</p>
      <ul class="account-uses">
        {told.emptyFor.map((one, index) => (
          <li key={one.title}>{icons[index]}<strong>{one.title}</strong><small>{one.text}</small></li>
        ))}
      </ul>
    </EmptyState>
  );
}

function TokenList({ tokens, reload }: { tokens: Token[]; reload: () => void }) {
  const told = words.value.account.token;
  const remove = async (token: Token) => {
    if (!await confirm({ title: told.deleteTitle(token.name), text: told.deleteText, deed: told.delete })) return;
    try {
      await deleteToken(token.id);
      say(told.deleted);
    } catch (error) {
      sayError(error);
    }
    reload();
  };
  return (
    <ul class="account-list">
      {tokens.map((token) => (
        <li key={token.id}>
          <KeyRound />
          <div>
            <strong>{token.name}</strong> <span class="badge">{told.types[token.type]}</span>
            <small>{describeScopes(token.scopes, told, language.value)}</small>
            <small>{historyOf(token)}</small>
          </div>
          <IconButton label={told.deleteOf(token.name)} onClick={() => void remove(token)}><Trash2 /></IconButton>
        </li>
      ))}
    </ul>
  );
}

function historyOf(token: Token): string {
  const told = words.value.account;
  const day = (instant: string) => renderDay(instant, language.value, homeZone.value);
  return [
    token.last_used_at ? told.token.used(renderAgo(token.last_used_at, language.value)) : told.token.neverUsed,
    token.last_address && told.devices.from(token.last_address),
    told.token.created(day(token.created_at)),
    token.expires_at && told.token.expires(day(token.expires_at)),
  ].filter(Boolean).join(' · ');
}
