// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { DatabaseBackup } from 'lucide-preact';

import { loadBackups, makeBackup, type BackupShelf } from '../../../api/admin';
import { Button } from '../../../ui/button';
import { useLoaded } from '../../../ui/loaded';
import { EmptyState } from '../../../ui/states';
import { renderBytes } from '../../../ui/sizes';
import { locale, words } from '../../../words';
import { CopyLine } from '../copyLine';
import { Ago, PageHead, Section, Shown, renderMoment } from '../parts';
import { STORE_TASKS, TaskPanel } from '../storage/taskPanel';
import { useWork } from '../storage/work';

/** Backups of the store, and how to come back from one. */
export function Backups() {
  const told = words.value.admin.backups;
  const shelf = useLoaded(loadBackups, []);
  const work = useWork('store', shelf.reload);
  const configured = shelf.value?.configured === true;
  return (
    <>
      <PageHead title={words.value.admin.pages.backups} hint={told.hint}>
        {configured && (
          <Button tone="primary" disabled={work.isRunning} onClick={() => work.begin(makeBackup)}>
            <DatabaseBackup />
            {told.make}
          </Button>
        )}
      </PageHead>
      <TaskPanel task={work.task} kinds={work.isRunning ? STORE_TASKS : ['backup']} />
      <Shown loaded={shelf}>{(value) => (value.configured ? <Shelf shelf={value} /> : <NotSetUp />)}</Shown>
      {configured && <Restoring />}
    </>
  );
}

function Shelf({ shelf }: { shelf: BackupShelf }) {
  const told = words.value.admin.backups;
  return (
    <Section title={told.there} hint={told.where(shelf.folder, shelf.keep)}>
      {shelf.backups.length === 0 ? (
        <p>{told.none}</p>
      ) : (
        <div class="table-around" tabIndex={0} role="group" aria-label={told.there}>
          <table>
            <thead>
              <tr>
                <th scope="col">{told.number}</th>
                <th scope="col">{told.made}</th>
                <th scope="col">{told.age}</th>
                <th scope="col">{told.size}</th>
              </tr>
            </thead>
            <tbody>
              {[...shelf.backups].reverse().map((one) => (
                <tr key={one.number}>
                  <td>{one.number}</td>
                  <td class="admin-nowrap">{renderMoment(one.made_at)}</td>
                  <td>
                    <Ago at={one.made_at} />
                  </td>
                  <td>{renderBytes(one.bytes, locale.value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="muted">{told.blobsToo}</p>
    </Section>
  );
}

function NotSetUp() {
  const told = words.value.admin.backups;
  return (
    <EmptyState icon={<DatabaseBackup />} title={told.notSetUp}>
      <p>{told.notSetUpHint}</p>
      <pre class="admin-config">{'store:\n  backup_folder: /mnt/backups/atrium\n  backup_keep: 7'}</pre>
      <p>{told.notSetUpThen}</p>
    </EmptyState>
  );
}

function Restoring() {
  const told = words.value.admin.backups;
  return (
    <Section title={told.restore} hint={told.restoreHint}>
      <ol class="admin-steps">
        <li>
          {told.stop}
          <CopyLine text="systemctl stop atrium" />
        </li>
        <li>
          {told.bring}
          <CopyLine text="sudo -u atrium atrium store restore --replace --config /etc/atrium/atrium.yaml" />
          <small class="muted">{told.other}</small>
        </li>
        <li>{told.content}</li>
        <li>
          {told.start}
          <CopyLine text="systemctl start atrium" />
        </li>
      </ol>
      <p class="muted">{told.after}</p>
    </Section>
  );
}
