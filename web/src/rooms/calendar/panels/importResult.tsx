// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { CircleAlert, CircleCheck } from 'lucide-preact';

import type { ImportRefusal, ImportReport } from '../../../api/icalendar';
import { Button } from '../../../ui/button';
import { language, words } from '../../../words';
import { firstOf, groupNotes, groupRefusals, outcomeOf, sentenceOf, type Repeated } from './importReport';
import './import.css';

const SHOWN = 20;
const LINES_SHOWN = 12;

export function ImportResult({ report, calendarName, close, again }: {
  report: ImportReport; calendarName: string; close: () => void; again: () => void;
}) {
  const told = words.value.calendarPanels.import;
  const outcome = outcomeOf(report);
  const isIn = outcome === 'whole' || outcome === 'partial';
  return (
    <div role="group" aria-label={told.reportTitle}>
      <p class={`notice calendar-panel-outcome ${outcome === 'whole' ? '' : 'notice-warn'}`} role="status">
        {outcome === 'whole' ? <CircleCheck /> : <CircleAlert />}<span>{sentenceOf(report, calendarName)}</span>
      </p>
      {report.stopped && <p>{told.ended(report.stopped)}</p>}
      <Counts report={report} />
      {report.refused_count > 0 && <Refused report={report} />}
      {report.zones.length > 0 && <Zones report={report} />}
      {report.notes_count > 0 && <Notes report={report} />}
      <div class="row row-wrap">
        <Button tone="primary" onClick={close}>{isIn ? told.show : words.value.common.close}</Button>
        <Button onClick={again}>{told.another}</Button>
      </div>
    </div>
  );
}

function Counts({ report }: { report: ImportReport }) {
  const told = words.value.calendarPanels.import;
  const number = new Intl.NumberFormat(language.value);
  const counts: [string, number][] = [
    [told.added, report.added], [told.updated, report.updated], [told.unchanged, report.unchanged], [told.refused, report.refused_count]];
  return (
    <dl class="calendar-panel-counts">
      {counts.map(([label, count]) => <div key={label}><dt>{label}</dt><dd>{number.format(count)}</dd></div>)}
    </dl>
  );
}

function Refused({ report }: { report: ImportReport }) {
  const told = words.value.calendarPanels.import;
  return (
    <details open class="calendar-panel-report">
      <summary>{told.refusedTitle(report.refused_count)}</summary>
      {groupRefusals(report.refused).map((group) => <RefusedGroup key={group.reason} group={group} />)}
      {report.refused_count > report.refused.length && <p class="hint">{told.listCut}</p>}
    </details>
  );
}

function RefusedGroup({ group }: { group: Repeated<ImportRefusal> }) {
  const told = words.value.calendarPanels.import;
  const { shown, more } = firstOf(group.cases, SHOWN);
  return (
    <section>
      <h3>{group.reason}</h3>
      <ul>
        {shown.map((one) => <li key={one.line}>{one.summary || told.untitled} <span class="muted">· {told.line(one.line)}</span></li>)}
        {more > 0 && <li class="muted">{told.andMore(more)}</li>}
      </ul>
    </section>
  );
}

function Zones({ report }: { report: ImportReport }) {
  const told = words.value.calendarPanels.import;
  return (
    <details class="calendar-panel-report">
      <summary>{told.zonesTitle(report.zones_count)}</summary>
      <p class="hint">{told.zonesHint}</p>
      <ul>
        {report.zones.map((one) => (
          <li key={one.tzid}>{one.tzid || told.noZone} → {one.zone}{one.note && <span class="muted"> · {one.note}</span>}</li>
        ))}
      </ul>
    </details>
  );
}

function Notes({ report }: { report: ImportReport }) {
  const told = words.value.calendarPanels.import;
  return (
    <details class="calendar-panel-report">
      <summary>{told.notesTitle(report.notes_count)}</summary>
      <p class="hint">{told.notesHint}</p>
      <ul>
        {groupNotes(report.notes).map((group) => <li key={group.reason}>{group.reason} <span class="muted">{linesOf(group.cases)}</span></li>)}
      </ul>
      {report.notes_count > report.notes.length && <p class="hint">{told.listCut}</p>}
    </details>
  );
}

function linesOf(lines: readonly number[]): string {
  const told = words.value.calendarPanels.import;
  const { shown, more } = firstOf(lines, LINES_SHOWN);
  if (shown.length === 0) {
    return '';
  }
  const text = shown.length === 1 ? told.line(shown[0]!) : told.lines(shown.join(', '));
  return `· ${text}${more > 0 ? ` ${told.andMore(more)}` : ''}`;
}
