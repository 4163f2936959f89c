// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { TaskOutcome } from '../../../api/admin';
import { Button } from '../../../ui/button';
import { renderBytes } from '../../../ui/sizes';
import { locale, words } from '../../../words';
import { renderCount } from '../parts';

interface Finding {
  what: string;
  where: string;
  explanation: string;
  remedy: string;
}

interface Verified {
  seen: string;
  found: number;
  repaired: number;
  list: Finding[];
}

/** The three kinds of verification, told alike. */
function verifiedOf(outcome: TaskOutcome): Verified | null {
  const told = words.value.admin.tasks;
  const { verification, files, blobs } = outcome;
  if (verification) {
    return {
      seen: told.sawRows(verification.rows),
      found: verification.findings,
      repaired: verification.repaired,
      list: verification.list.map((one) => ({
        what: one.defect,
        where: `${one.table} ${one.partition} ${one.sort}`.trim(),
        explanation: one.explanation,
        remedy: one.remedy,
      })),
    };
  }
  if (files) {
    return {
      seen: told.sawFiles(
        renderCount(files.libraries),
        renderCount(files.states),
        renderBytes(files.bytes, locale.value),
      ),
      found: files.defects,
      repaired: files.repaired,
      list: files.list.map((one) => ({
        what: one.of,
        where: [one.library, one.path || one.id].filter(Boolean).join(' '),
        explanation: one.explanation,
        remedy: one.remedy,
      })),
    };
  }
  return blobs
    ? {
        seen: told.sawBlobs(blobs.blobs, renderBytes(blobs.bytes, locale.value)),
        found: blobs.findings,
        repaired: blobs.repaired,
        list: blobs.list.map((one) => ({
          what: one.defect,
          where: one.id,
          explanation: one.explanation,
          remedy: one.remedy,
        })),
      }
    : null;
}

/** What a verification has seen, and what is wrong. */
export function Findings({
  outcome,
  repaired,
  repair,
}: {
  outcome: TaskOutcome;
  repaired: boolean;
  repair?: (() => void) | undefined;
}) {
  const told = words.value.admin.tasks;
  const verified = verifiedOf(outcome);
  if (verified === null) {
    return null;
  }
  if (verified.found === 0) {
    return (
      <p class="notice admin-fine">
        {told.allWell} {verified.seen}
      </p>
    );
  }
  const mendable = verified.list.some((one) => one.remedy !== '');
  return (
    <>
      <div class="notice notice-bad">
        {told.found(verified.found)} {repaired && told.repaired(verified.repaired)} {verified.seen}
        {!repaired && mendable && repair && (
          <div class="admin-deeds">
            <Button tone="danger" onClick={repair}>
              {told.repair}
            </Button>
          </div>
        )}
      </div>
      <div class="table-around" tabIndex={0} role="region" aria-label={told.list}>
        <table>
          <thead>
            <tr>
              <th scope="col">{told.defect}</th>
              <th scope="col">{told.where}</th>
              <th scope="col">{told.why}</th>
              <th scope="col">{told.remedy}</th>
            </tr>
          </thead>
          <tbody>
            {verified.list.slice(0, 100).map((one, index) => (
              <tr key={index}>
                <td>{one.what}</td>
                <td>
                  <code>{one.where}</code>
                </td>
                <td>{one.explanation}</td>
                <td>{one.remedy || told.noRemedy}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {verified.found > 100 && <p class="muted">{told.first(100)}</p>}
    </>
  );
}
