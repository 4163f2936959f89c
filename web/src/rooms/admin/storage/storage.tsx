// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Brush, FileCheck2, Package, ShieldCheck, SquareStack } from 'lucide-preact';

import {
  collectGarbage,
  compactStore,
  loadBlobs,
  loadStore,
  verifyBlobs,
  verifyFiles,
  verifyStore,
  type BlobFigures,
  type StoreFigures,
} from '../../../api/admin';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded } from '../../../ui/loaded';
import { renderBytes } from '../../../ui/sizes';
import { locale, words } from '../../../words';
import { PageHead, Section, Shown, renderCount } from '../parts';
import { storeFacts } from './facts';
import { isNothing } from './garbage';
import { STORE_TASKS, TaskPanel } from './taskPanel';
import { useWork, type Work } from './work';

/** The store and the content of files: how they are, and what keeps them well. */
export function Storage() {
  const told = words.value.admin.storage;
  const store = useLoaded(loadStore, []);
  const blobs = useLoaded(loadBlobs, []);
  const storeWork = useWork('store', store.reload);
  const filesWork = useWork('files', blobs.reload);
  return (
    <>
      <PageHead title={words.value.admin.pages.storage} hint={told.hint} />
      <Section title={told.store} hint={told.storeHint}>
        <Shown loaded={store}>{(figures) => <StoreFiguresList figures={figures} />}</Shown>
        <StoreCare work={storeWork} />
      </Section>
      <Section title={told.blobs} hint={told.blobsHint}>
        <Shown loaded={blobs} lines={3}>
          {(figures) => <BlobFiguresList figures={figures} />}
        </Shown>
        <BlobCare work={filesWork} />
      </Section>
      <GarbageCare work={filesWork} />
    </>
  );
}

function Facts({ facts }: { facts: readonly [string, string][] }) {
  return (
    <dl class="admin-figures">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function StoreFiguresList({ figures }: { figures: StoreFigures }) {
  const told = words.value.admin.storage;
  const [all, setAll] = useState(false);
  return (
    <>
      <Facts facts={storeFacts(figures, told, locale.value)} />
      <details onToggle={(event) => setAll(event.currentTarget.open)}>
        <summary>{told.allFigures}</summary>
        {all && (
          <div class="table-around" tabIndex={0} role="region" aria-label={told.allFigures}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{told.figure}</th>
                  <th scope="col">{told.meaning}</th>
                  <th scope="col">{told.value}</th>
                </tr>
              </thead>
              <tbody>
                {figures.statistics.map((one) => (
                  <tr key={one.name}>
                    <td>
                      <code>{one.name}</code>
                    </td>
                    <td lang="en">{one.help}</td>
                    <td class="admin-number">{renderCount(Math.round(one.value * 100) / 100)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </details>
    </>
  );
}

function BlobFiguresList({ figures }: { figures: BlobFigures }) {
  const told = words.value.admin.storage;
  const bytes = (value: number) => renderBytes(value, locale.value);
  return (
    <Facts
      facts={[
        [told.content, bytes(figures.bytes)],
        [told.pieces, renderCount(figures.count)],
        [told.ownFiles, `${renderCount(figures.own_files)} · ${bytes(figures.own_bytes)}`],
        [told.packs, `${renderCount(figures.packs)} · ${bytes(figures.pack_bytes)}`],
        [told.dead, bytes(figures.dead_bytes)],
      ]}
    />
  );
}

async function sureToRepair(deed: () => void): Promise<void> {
  const told = words.value.admin.tasks;
  if (await confirm({ title: told.repairTitle, text: told.repairText, deed: told.repair })) deed();
}

function StoreCare({ work }: { work: Work }) {
  const told = words.value.admin.storage;
  return (
    <>
      <div class="admin-deeds">
        <Button disabled={work.isRunning} onClick={() => work.begin(() => verifyStore(false))}>
          <ShieldCheck />
          {told.verify}
        </Button>
        <Button disabled={work.isRunning} onClick={() => work.begin(compactStore)}>
          <Package />
          {told.compact}
        </Button>
      </div>
      <TaskPanel
        task={work.task}
        kinds={work.isRunning ? STORE_TASKS : ['verify', 'compact']}
        repair={() => void sureToRepair(() => work.begin(() => verifyStore(true)))}
      />
    </>
  );
}

function BlobCare({ work }: { work: Work }) {
  const told = words.value.admin.storage;
  const again = work.task?.task === 'verify_files' ? verifyFiles : verifyBlobs;
  return (
    <>
      <div class="admin-deeds">
        <Button disabled={work.isRunning} onClick={() => work.begin(() => verifyFiles(false))}>
          <FileCheck2 />
          {told.verifyFiles}
        </Button>
        <Button disabled={work.isRunning} onClick={() => work.begin(() => verifyBlobs(false))}>
          <SquareStack />
          {told.verifyBlobs}
        </Button>
      </div>
      <TaskPanel
        task={work.task}
        kinds={['verify_files', 'verify_blobs', 'export_library']}
        repair={() => void sureToRepair(() => work.begin(() => again(true)))}
      />
    </>
  );
}

function GarbageCare({ work }: { work: Work }) {
  const told = words.value.admin.garbage;
  const seen = work.task?.dry_run ? work.task.outcome?.garbage : undefined;
  const worthIt = seen !== undefined && !isNothing(seen);
  const collect = async () => {
    if (await confirm({ title: told.collectTitle, text: told.collectText, deed: told.collect, tone: 'primary' }))
      work.begin(() => collectGarbage(false));
  };
  return (
    <Section title={told.title} hint={told.hint}>
      <div class="admin-deeds">
        <Button disabled={work.isRunning} onClick={() => work.begin(() => collectGarbage(true))}>
          {told.look}
        </Button>
        <Button tone={worthIt ? 'primary' : 'plain'} disabled={work.isRunning} onClick={() => void collect()}>
          <Brush />
          {told.collect}
        </Button>
      </div>
      <TaskPanel task={work.task} kinds={['collect_garbage']} />
    </Section>
  );
}
