// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { listRuns, type Run } from '../../../api/admin';
import { Dialog } from '../../../ui/dialog';
import { useLoaded } from '../../../ui/loaded';
import { locale, words } from '../../../words';
import { Shown, renderMoment, useRefreshing } from '../parts';
import { OutcomeBadge, jobTitle } from './jobs';
import { renderRunTime } from './schedule';

const REFRESH_MS = 5000;

/** The last runs of a job. */
export function JobHistory({ name, onClose }: { name: string; onClose: () => void }) {
  const told = words.value.admin.jobs;
  const runs = useLoaded((signal) => listRuns(name, signal), [name]);
  useRefreshing(runs.reload, REFRESH_MS);
  return (
    <Dialog title={jobTitle(name)} shape="wide" onClose={onClose}>
      <Shown loaded={runs} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <p class="muted">{told.noRuns}</p>
          ) : (
            <div class="table-around" tabIndex={0} role="region" aria-label={told.historyOf(jobTitle(name))}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{told.started}</th>
                    <th scope="col">{told.outcome}</th>
                    <th scope="col">{told.took}</th>
                    <th scope="col">{told.attempt}</th>
                    <th scope="col">{told.remark}</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((run) => (
                    <Row key={run.started + run.attempt} run={run} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
    </Dialog>
  );
}

function Row({ run }: { run: Run }) {
  return (
    <tr>
      <td class="admin-nowrap">{renderMoment(run.started)}</td>
      <td>
        <OutcomeBadge outcome={run.outcome} />
      </td>
      <td class="admin-nowrap">{renderRunTime(run.duration_ms, locale.value)}</td>
      <td>{run.attempt}</td>
      <td>{run.error || run.progress}</td>
    </tr>
  );
}
