// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Monitor, Smartphone, Terminal } from 'lucide-preact';

import { endSession, listSessions, type Session } from '../../../api/account';
import { ApiError } from '../../../api/client';
import { homeZone } from '../../../shell/session';
import { renderAgo, renderDay } from '../../../ui/ago';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded } from '../../../ui/loaded';
import { Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { language, words } from '../../../words';
import { Section } from '../section';
import { readAgent, type Agent } from './agents';

const ICONS: Record<Agent['kind'], typeof Monitor> = { computer: Monitor, phone: Smartphone, program: Terminal };

/** Somebody may have ended it meanwhile: then it has ended. */
async function endOrGone(id: string): Promise<void> {
  try {
    await endSession(id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

export function Sessions() {
  const told = words.value.account;
  const sessions = useLoaded(listSessions, []);
  const end = async (ids: string[], done: string) => {
    try {
      for (const id of ids) await endOrGone(id);
      say(done);
    } catch (error) {
      sayError(error);
    }
    sessions.reload();
  };
  const others = (sessions.value ?? []).filter((one) => !one.current);
  const endOthers = async () => {
    const question = { title: told.devices.endOthersTitle, text: told.devices.endOthersText(others.length), deed: told.devices.endOthers };
    if (await confirm(question)) await end(others.map((one) => one.id), told.devices.othersEnded);
  };
  return (
    <Section title={told.sessions} hint={told.devices.hint}
      beside={others.length > 0 && <Button tone="danger" onClick={() => void endOthers()}>{told.devices.endOthers}</Button>}>
      {sessions.error ? <Failure error={sessions.error} retry={sessions.reload} /> : sessions.value === undefined ? <Skeleton lines={4} /> : (
        <ul class="account-list">
          {[...sessions.value].sort(currentFirst).map((one) => (
            <Device key={one.id} session={one} end={() => void end([one.id], told.devices.ended)} />
          ))}
        </ul>
      )}
      {sessions.value !== undefined && others.length === 0 && <p class="muted">{told.devices.onlyThis}</p>}
    </Section>
  );
}

const currentFirst = (one: Session, other: Session): number =>
  Number(other.current) - Number(one.current) || other.last_used_at.localeCompare(one.last_used_at);

function Device({ session, end }: { session: Session; end: () => void }) {
  const told = words.value.account.devices;
  const agent = readAgent(session.agent);
  const Icon = ICONS[agent?.kind ?? 'computer'];
  const name = agent === null ? told.unknown : agent.system === '' ? agent.name : told.browserOn(agent.name, agent.system);
  const used = session.current ? told.usedNow : told.lastUsed(renderAgo(session.last_used_at, language.value));
  const since = told.since(renderDay(session.created_at, language.value, homeZone.value));
  return (
    <li>
      <Icon />
      <div title={session.agent}>
        <strong>{name}</strong>{session.current && <> <span class="badge badge-good">{told.current}</span></>}
        <small>{[used, session.address && told.from(session.address), since].filter(Boolean).join(' · ')}</small>
      </div>
      {!session.current && <Button tone="quiet" aria-label={told.endOf(name)} onClick={end}>{told.end}</Button>}
    </li>
  );
}
