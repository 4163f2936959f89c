// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren, ComponentType } from 'preact';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-preact';
import { Link } from 'wouter-preact';

import { loadOverview, type Overview as Report } from '../../../api/admin';
import { renderAgo } from '../../../ui/ago';
import { useLoaded } from '../../../ui/loaded';
import { renderBytes } from '../../../ui/sizes';
import { locale, words } from '../../../words';
import { renderDuration } from '../jobs/schedule';
import { PageHead, Shown, useRefreshing } from '../parts';
import { Charts } from './charts';
import { backupHealth, diskHealth, type Health } from './health';

const REFRESH_MS = 30_000;
const ICONS: Record<Health, ComponentType> = { good: CircleCheck, warn: TriangleAlert, bad: CircleX };

/** How the server is, at a glance. */
export function Overview() {
  const told = words.value.admin;
  const report = useLoaded(loadOverview, []);
  useRefreshing(report.reload, REFRESH_MS);
  return (
    <>
      <PageHead title={told.pages.overview} />
      <Shown loaded={report} lines={8}>{(value) => <Glance report={value} />}</Shown>
      <Charts />
    </>
  );
}

function Glance({ report }: { report: Report }) {
  const told = words.value.admin.overview;
  const tongue = locale.value;
  const used = report.disk.total_bytes - report.disk.free_bytes;
  return (
    <ul class="admin-tiles">
      <Tile title={told.server} health="good" value={told.version(report.version)}>
        {told.upFor(renderDuration(roundedUptime(report.uptime_s), tongue))}
      </Tile>
      <Tile title={told.store} href="/admin/storage" health={report.store.writable ? 'good' : 'bad'} value={renderBytes(report.store.bytes, tongue)}>
        {report.store.writable ? told.storeGood : told.storeBad}
      </Tile>
      <Tile title={told.files} href="/admin/storage" health="good" value={renderBytes(report.blobs.bytes, tongue)}>
        {told.pieces(report.blobs.count)}
      </Tile>
      <Tile title={told.disk} health={diskHealth(report.disk)} value={told.free(renderBytes(report.disk.free_bytes, tongue))}>
        {told.usedOf(renderBytes(used, tongue), renderBytes(report.disk.total_bytes, tongue))}
        <span class="progress" aria-hidden="true"><span style={{ width: `${(used / Math.max(1, report.disk.total_bytes)) * 100}%` }} /></span>
      </Tile>
      <JobsTile jobs={report.jobs} />
      <BackupTile backup={report.backup} />
      <Tile title={told.people} href="/admin/people" health="good" value={told.accounts(report.users)}>
        {told.inOrgs(report.orgs)}
      </Tile>
      <Tile title={told.mail} health={report.mail ? 'good' : 'warn'} value={report.mail ? told.mailOn : told.mailOff}>
        {report.mail ? told.mailOnHint : told.mailOffHint}
      </Tile>
    </ul>
  );
}

/** To the largest unit alone: nobody counts seconds after days. */
function roundedUptime(seconds: number): number {
  const unit = [86_400, 3600, 60].find((one) => seconds >= one) ?? 1;
  return Math.max(1, Math.floor(seconds / unit)) * unit;
}

function JobsTile({ jobs }: { jobs: Report['jobs'] }) {
  const told = words.value.admin.overview;
  const names = jobs.failing.map((job) => job.name).join(', ');
  return jobs.failing.length === 0
    ? <Tile title={told.jobs} href="/admin/jobs" health="good" value={told.jobsGood}>{told.jobsCount(jobs.total, jobs.running)}</Tile>
    : <Tile title={told.jobs} href="/admin/jobs" health="bad" value={told.jobsFailing(jobs.failing.length)}>{names}</Tile>;
}

function BackupTile({ backup }: { backup: Report['backup'] }) {
  const told = words.value.admin.overview;
  const health = backupHealth(backup, Date.now());
  const value = backup.latest ? renderAgo(backup.latest.made_at, locale.value) : backup.configured ? told.backupNone : told.backupOff;
  const text = backup.problem || (backup.latest
    ? told.backupSize(renderBytes(backup.latest.bytes, locale.value))
    : backup.configured ? told.backupNoneHint : told.backupOffHint);
  return <Tile title={told.backup} href="/admin/backups" health={health} value={value}>{text}</Tile>;
}

function Tile({ title, value, health, href, children }: {
  title: string; value: string; health: Health; href?: string; children: ComponentChildren;
}) {
  const Icon = ICONS[health];
  const inside = (
    <>
      <span class="admin-tile-title"><Icon /><span>{title}</span></span>
      <span class="visually-hidden">{words.value.admin.overview.health[health]}</span>
      <strong>{value}</strong>
      <small>{children}</small>
    </>
  );
  return (
    <li class={`admin-tile admin-${health}`}>
      {href ? <Link href={href}>{inside}</Link> : <div>{inside}</div>}
    </li>
  );
}
