// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { History, Play } from 'lucide-preact';

import { listJobs, runJob, type Job, type Outcome } from '../../../api/admin';
import { homeZone } from '../../../shell/session';
import { Button, IconButton } from '../../../ui/button';
import { useLoaded } from '../../../ui/loaded';
import { say, sayError } from '../../../ui/toast';
import { locale, words } from '../../../words';
import { Ago, PageHead, Shown, renderMoment, useRefreshing } from '../parts';
import { JobHistory } from './history';
import { readSchedule, renderDuration, singleUnit } from './schedule';

const REFRESH_MS = 5000;
const BADGES: Record<Outcome, string> = {
  succeeded: 'badge-good',
  failed: 'badge-bad',
  stopped: '',
  abandoned: 'badge-bad',
};

/** What the server does unasked, and how it went. */
export function Jobs() {
  const told = words.value.admin.jobs;
  const jobs = useLoaded(listJobs, []);
  const [opened, setOpened] = useState<string | null>(null);
  useRefreshing(jobs.reload, REFRESH_MS);
  const run = (job: Job) =>
    runJob(job.name).then(() => {
      say(told.begun(jobTitle(job.name)));
      jobs.reload();
    }, sayError);
  return (
    <>
      <PageHead title={words.value.admin.pages.jobs} hint={told.hint} />
      <Shown loaded={jobs} lines={8}>
        {(all) => (
          <ul class="card admin-jobs">
            {[...all].sort(failingFirst).map((job) => (
              <Row key={job.name} job={job} run={() => void run(job)} open={() => setOpened(job.name)} />
            ))}
          </ul>
        )}
      </Shown>
      {opened !== null && <JobHistory name={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

const hasFailed = (job: Job): boolean => job.last_run?.outcome === 'failed' || job.last_run?.outcome === 'abandoned';
const failingFirst = (one: Job, other: Job): number => Number(hasFailed(other)) - Number(hasFailed(one));

/** What a job is for; of one that these words do not know, its name. */
export function jobTitle(name: string): string {
  return (words.value.admin.jobs.names as Record<string, string | undefined>)[name] ?? name;
}

function renderSchedule(text: string): string {
  const told = words.value.admin.jobs;
  const schedule = readSchedule(text);
  switch (schedule.kind) {
    case 'every': {
      const unit = singleUnit(schedule.seconds);
      return unit ? told.everyOne[unit] : told.every(renderDuration(schedule.seconds, locale.value));
    }
    case 'daily': {
      const at = new Date();
      at.setUTCHours(schedule.hour, schedule.minute, 0, 0);
      return told.daily(
        new Intl.DateTimeFormat(locale.value, { timeStyle: 'short', timeZone: homeZone.value }).format(at),
      );
    }
    case 'asked':
      return told.asked;
    case 'other':
      return schedule.text;
  }
}

export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  return <span class={`badge ${BADGES[outcome]}`}>{words.value.admin.jobs.outcomes[outcome]}</span>;
}

function Row({ job, run, open }: { job: Job; run: () => void; open: () => void }) {
  const told = words.value.admin.jobs;
  const title = jobTitle(job.name);
  return (
    <li>
      <div class="admin-job-main">
        <strong>{title}</strong>
        <small>
          <code>{job.name}</code> · {renderSchedule(job.schedule)}
        </small>
        {hasFailed(job) && <small class="admin-problem">{job.last_run!.error}</small>}
      </div>
      <div class="admin-job-state">
        {job.running ? (
          <>
            <span class="badge badge-accent">{told.running}</span>{' '}
            <small>{job.progress || <Ago at={job.running.started} />}</small>
          </>
        ) : job.last_run ? (
          <>
            <OutcomeBadge outcome={job.last_run.outcome} />{' '}
            <small>
              <Ago at={job.last_run.started} />
            </small>
          </>
        ) : (
          <small>{told.never}</small>
        )}
        {job.next_run && !job.running && <small class="muted">{told.next(renderMoment(job.next_run))}</small>}
      </div>
      <div class="row admin-job-deeds">
        <Button onClick={run} disabled={job.running !== undefined} aria-label={told.runOf(title)}>
          <Play />
          <span>{told.run}</span>
        </Button>
        <IconButton label={told.historyOf(title)} onClick={open}>
          <History />
        </IconButton>
      </div>
    </li>
  );
}
