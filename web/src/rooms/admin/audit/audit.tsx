// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Download, ListFilter } from 'lucide-preact';
import { useLocation, useSearch } from 'wouter-preact';

import { exportAudit, listAudit, type AuditLine } from '../../../api/audit';
import { homeZone } from '../../../shell/session';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { OrgPicker, chosenOrg } from '../orgPicker';
import { usePaged } from '../paged';
import { PageHead, useSettled } from '../parts';
import { fieldsFrom, filterOf, isFiltered, queryOf, type AuditFields } from './filter';
import { Filters } from './filters';
import { Lines } from './lines';

/** Who did what to what. What is looked for stands in the address, so that it can be handed on. */
export function Audit() {
  const told = words.value.admin.audit;
  const [, go] = useLocation();
  const fields = fieldsFrom(new URLSearchParams(useSearch()));
  const setFields = (next: AuditFields) => go(`/admin/audit${queryOf(next)}`, { replace: true });
  const org = chosenOrg.value;
  const settled = useSettled(queryOf(fields), 300);
  const filter = filterOf(fieldsFrom(new URLSearchParams(settled)), homeZone.value);
  const lines = usePaged<AuditLine, number>(async (before, signal) => {
    const page = await listAudit(org, filter, before, signal);
    return { items: page.lines, cursor: page.before };
  }, [org, settled, homeZone.value]);
  return (
    <>
      <PageHead title={words.value.admin.pages.audit} hint={told.hint}><ExportButton run={() => exportAudit(org, filter)} /></PageHead>
      <Filters fields={fields} onFields={setFields} />
      <OrgPicker />
      {lines.error !== null && <Failure error={lines.error} retry={lines.reload} />}
      {lines.items === undefined && lines.error === null && <Skeleton lines={10} />}
      {lines.items && lines.items.length > 0 && <Lines lines={lines.items} look={(part) => setFields({ ...fields, ...part })} />}
      {lines.items?.length === 0 && !lines.busy && !lines.hasMore && (
        <EmptyState icon={<ListFilter />} title={told.none}><p>{isFiltered(fields) ? told.noneFiltered : told.noneHint}</p></EmptyState>
      )}
      {lines.hasMore && (
        <div class="row row-wrap">
          <Button busy={lines.busy} onClick={lines.loadMore}>{isFiltered(fields) ? told.searchOlder : words.value.common.loadMore}</Button>
          {isFiltered(fields) && <small class="muted">{told.searchOlderHint}</small>}
        </div>
      )}
    </>
  );
}

function ExportButton({ run }: { run: () => Promise<string> }) {
  const told = words.value.admin.audit;
  const attempt = useAttempt(async () => {
    try {
      saveText(await run(), `audit-${new Date().toISOString().slice(0, 10)}.jsonl`);
    } catch (error) {
      sayError(error);
    }
  });
  return <Button busy={attempt.busy} onClick={attempt.run}><Download />{told.export}</Button>;
}

function saveText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
