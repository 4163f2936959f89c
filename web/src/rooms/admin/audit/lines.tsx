// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { ChevronDown, ChevronRight, ListFilter } from 'lucide-preact';

import type { AuditLine } from '../../../api/audit';
import { Button, IconButton } from '../../../ui/button';
import { words } from '../../../words';
import { renderMoment } from '../parts';
import { actionWords, readTarget, shortId } from './actions';
import type { AuditFields } from './filter';

type Look = (part: Partial<AuditFields>) => void;

/** Lines of the log, newest first. Each opens to show all there is. */
export function Lines({ lines, look }: { lines: readonly AuditLine[]; look: Look }) {
  const told = words.value.admin.audit;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <div class="card admin-table">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">{told.details}</span>
            </th>
            <th scope="col">{told.when}</th>
            <th scope="col">{told.who}</th>
            <th scope="col">{told.what}</th>
            <th scope="col">{told.target}</th>
            <th scope="col">{told.address}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Fragment key={line.id}>
              <Row line={line} open={open.has(line.id)} toggle={() => toggle(line.id)} />
              {open.has(line.id) && (
                <tr class="admin-details">
                  <td colSpan={6}>
                    <Details line={line} look={look} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ line, open, toggle }: { line: AuditLine; open: boolean; toggle: () => void }) {
  const told = words.value.admin.audit;
  const { kind, id } = readTarget(line.target);
  const kinds = told.targets as Record<string, string | undefined>;
  return (
    <tr>
      <td>
        <IconButton label={open ? told.hideDetails : told.showDetails} aria-expanded={open} onClick={toggle}>
          {open ? <ChevronDown /> : <ChevronRight />}
        </IconButton>
      </td>
      <td class="admin-nowrap">{renderMoment(line.at)}</td>
      <td class="admin-who">{line.label || told.nobody}</td>
      <td>
        <strong>{actionWords(line.action)}</strong>
      </td>
      <td title={line.target}>{[kinds[kind] ?? kind, shortId(id)].filter(Boolean).join(' ')}</td>
      <td class="admin-nowrap">{line.address === 'local' ? told.local : line.address}</td>
    </tr>
  );
}

function Details({ line, look }: { line: AuditLine; look: Look }) {
  const told = words.value.admin.audit;
  const facts: [string, string][] = [
    [told.number, String(line.id)],
    [told.what, line.action],
    [told.actor, line.actor],
    [told.target, line.target],
    [told.request, line.request],
    ...Object.entries(line.detail),
  ];
  return (
    <>
      <dl class="admin-list">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
      </dl>
      <div class="row row-wrap">
        <Button tone="quiet" onClick={() => look({ actor: line.actor })}>
          <ListFilter />
          {told.onlyActor}
        </Button>
        {line.target !== '' && (
          <Button tone="quiet" onClick={() => look({ target: line.target })}>
            <ListFilter />
            {told.onlyTarget}
          </Button>
        )}
      </div>
    </>
  );
}
