// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';

import { previewRule, type Entry } from '../../../api/entries';
import { SelectField, TextField } from '../../../ui/field';
import { messageOf } from '../../../ui/errors';
import { words } from '../../../words';
import { addMonths } from '../days';
import { mediumDay, weekdayName, weekdaysInOrder } from '../formats';
import { buildRule, makeRule, monthlyChoices, parseRule, type Ending, type Frequency, type MonthlyChoice, type PlainRule } from '../rule';
import { sentenceOf } from '../ruleSentence';
import type { Draft } from './draft';
import type { FormProps } from './form';

type Choice = 'never' | 'keep' | 'workdays' | Frequency;
const WORKDAYS = [1, 2, 3, 4, 5];
const FREQUENCIES: Frequency[] = ['daily', 'weekly', 'monthly', 'yearly'];
const EVERY_MAX = 999;
const COUNT_MAX = 999;

const isWorkdays = (rule: PlainRule): boolean =>
  rule.frequency === 'weekly' && rule.every === 1 && [...rule.weekdays].sort().join() === WORKDAYS.join();

function choiceOf(draft: Draft, plain: PlainRule | null): Choice {
  if (draft.rule === '') return 'never';
  if (plain === null) return 'keep';
  return isWorkdays(plain) ? 'workdays' : plain.frequency;
}

function ruleFor(choice: Choice, draft: Draft, before: PlainRule | null): string {
  if (choice === 'never') return '';
  if (choice === 'keep') return draft.rule;
  const ending = before?.ending ?? { kind: 'never' };
  const rule = choice === 'workdays' ? { ...makeRule('weekly', draft.startDate), weekdays: WORKDAYS } : makeRule(choice, draft.startDate);
  return buildRule({ ...rule, ending }, draft.startDate);
}

interface RepeatProps extends FormProps {
  /** What is there already: its extra dates, and where it began. */
  series: Entry | null;
}

/** How it comes again, in plain words. A rule that says more than the editor knows is shown and left alone. */
export function Repeat(props: RepeatProps) {
  const { draft, change, errorOf } = props;
  const told = words.value.calendar.repeat;
  // What the editor cannot show can be chosen again after trying another.
  const [kept] = useState(() => (draft.rule !== '' && parseRule(draft.rule, draft.startDate) === null ? draft.rule : ''));
  if (draft.startDate === '') {
    return null;
  }
  const plain = draft.rule === '' ? null : parseRule(draft.rule, draft.startDate);
  const choices: Choice[] = ['never', ...(kept === '' ? [] : ['keep' as const]), 'daily', 'workdays', 'weekly', 'monthly', 'yearly'];
  const choose = (choice: Choice) => change({ ...draft, rule: choice === 'keep' ? kept : ruleFor(choice, draft, plain) });
  const edit = (next: PlainRule) => change({ ...draft, rule: buildRule(next, draft.startDate) });
  return (
    <fieldset class="calendar-repeat">
      <SelectField<Choice> label={told.label} value={choiceOf(draft, plain)} error={errorOf('rule')} onValue={choose}
        options={choices.map((value) => ({ value, label: told[value] }))} hint={plain === null && draft.rule !== '' ? told.keepHint : undefined} />
      {plain !== null && <Details rule={plain} start={draft.startDate} edit={edit} />}
      {draft.rule !== '' && <Outlook {...props} />}
    </fieldset>
  );
}

interface EditProps {
  rule: PlainRule;
  start: string;
  edit: (rule: PlainRule) => void;
}

function Details({ rule, start, edit }: EditProps) {
  const told = words.value.calendar.repeat;
  return (
    <>
      {!isWorkdays(rule) && (
        <div class="calendar-pair">
          <TextField label={told.every} type="number" min="1" max={EVERY_MAX} inputMode="numeric" value={String(rule.every)}
            onValue={(text) => edit({ ...rule, every: bounded(text, EVERY_MAX) })} />
          <SelectField<Frequency> label={told.unit} value={rule.frequency}
            options={FREQUENCIES.map((value) => ({ value, label: told.units[value](rule.every) }))}
            onValue={(frequency) => edit({ ...makeRule(frequency, start), every: rule.every, ending: rule.ending })} />
        </div>
      )}
      {rule.frequency === 'weekly' && <Weekdays rule={rule} start={start} edit={edit} />}
      {(rule.frequency === 'monthly' || rule.frequency === 'yearly') && <WhichDay rule={rule} start={start} edit={edit} />}
      <Ends rule={rule} start={start} edit={edit} />
    </>
  );
}

const bounded = (text: string, most: number): number => Math.min(most, Math.max(1, Math.floor(Number(text)) || 1));

function Weekdays({ rule, edit }: EditProps) {
  const told = words.value.calendar.repeat;
  const toggle = (weekday: number) => {
    const next = rule.weekdays.includes(weekday) ? rule.weekdays.filter((one) => one !== weekday) : [...rule.weekdays, weekday];
    // On no day at all is never, which is chosen above.
    if (next.length > 0) edit({ ...rule, weekdays: next });
  };
  return (
    <div class="field">
      <span class="calendar-label">{told.onDays}</span>
      <div class="calendar-weekdays" role="group" aria-label={told.onDays}>
        {weekdaysInOrder().map((weekday) => (
          <button key={weekday} type="button" aria-pressed={rule.weekdays.includes(weekday)} title={weekdayName(weekday)}
            onClick={() => toggle(weekday)}>
            {weekdayName(weekday, 'short')}
          </button>
        ))}
      </div>
    </div>
  );
}

/** "On the 3rd" or "on the first Tuesday". */
function WhichDay({ rule, start, edit }: EditProps) {
  const told = words.value.calendar;
  const offered = monthlyChoices(start).filter((one) => rule.frequency === 'monthly' || one.monthDay !== -1);
  const isOnDate = rule.frequency === 'yearly' && rule.nthWeekday === null;
  const here: MonthlyChoice = { monthDay: isOnDate ? +start.slice(8, 10) : rule.monthDay, nthWeekday: rule.nthWeekday };
  const all = offered.some((one) => JSON.stringify(one) === JSON.stringify(here)) ? offered : [here, ...offered];
  const label = (one: MonthlyChoice) => (one.nthWeekday === null
    ? told.rule.onMonthDays(told.rule.monthDay(one.monthDay ?? 1))
    : told.rule.onNthWeekdays(told.rule.nthWeekday(one.nthWeekday.nth, weekdayName(one.nthWeekday.weekday))));
  return (
    <SelectField label={told.repeat.onWhich} value={JSON.stringify(here)}
      options={all.map((one) => ({ value: JSON.stringify(one), label: label(one) }))}
      onValue={(text) => {
        const chosen = JSON.parse(text) as MonthlyChoice;
        edit({ ...rule, ...chosen, monthDay: rule.frequency === 'yearly' ? null : chosen.monthDay });
      }} />
  );
}

function Ends({ rule, start, edit }: EditProps) {
  const told = words.value.calendar.repeat;
  const { ending } = rule;
  const usual: Record<Ending['kind'], Ending> = {
    never: { kind: 'never' }, count: { kind: 'count', count: 10 },
    until: { kind: 'until', day: addMonths(start, rule.frequency === 'yearly' ? 60 : 6) },
  };
  return (
    <div class="calendar-pair">
      <SelectField<Ending['kind']> label={told.ends} value={ending.kind} onValue={(kind) => edit({ ...rule, ending: usual[kind] })}
        options={(['never', 'until', 'count'] as const).map((value) => ({ value, label: told.endings[value] }))} />
      {ending.kind === 'until' && (
        <TextField label={told.lastDay} type="date" min={start} value={ending.day}
          onValue={(day) => { if (day !== '') edit({ ...rule, ending: { kind: 'until', day } }); }} />
      )}
      {ending.kind === 'count' && (
        <TextField label={told.times} type="number" min="1" max={COUNT_MAX} inputMode="numeric" value={String(ending.count)}
          onValue={(text) => edit({ ...rule, ending: { kind: 'count', count: bounded(text, COUNT_MAX) } })} />
      )}
    </div>
  );
}

const SHOWN = 5;
const PAUSE_MS = 250;

/** The rule as a sentence, and the next days on which it takes place. */
function Outlook({ draft, series }: RepeatProps) {
  const told = words.value.calendar;
  const [outcome, setOutcome] = useState<{ days: string[] } | { error: unknown } | null>(null);
  // Counting begins with the first one.
  const isKept = series?.recurrence?.rule === draft.rule && /COUNT=/.test(draft.rule);
  const start = isKept ? series!.startDate : draft.startDate;
  const time = draft.kind === 'timed' || draft.kind === 'task' ? draft.startTime || '00:00' : '00:00';
  useEffect(() => {
    const controller = new AbortController();
    const timer = window.setTimeout(() => {
      previewRule({ start: `${start}T${time}`, rule: draft.rule, timeZone: draft.timeZone, count: isKept ? 100 : SHOWN }, controller.signal).then(
        ({ starts }) => setOutcome({ days: starts.map((at) => at.slice(0, 10)).filter((day) => day >= draft.startDate).slice(0, SHOWN) }),
        (error: unknown) => { if (!controller.signal.aborted) setOutcome({ error }); },
      );
    }, PAUSE_MS);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [start, time, draft.rule, draft.timeZone]);
  const { exceptions = [], overrides = [] } = series?.recurrence ?? {};
  return (
    <div class="calendar-outlook" aria-live="polite">
      <strong>{sentenceOf(draft.rule, draft.startDate, told.rule)}</strong>
      {outcome !== null && ('error' in outcome ? <span class="field-error">{messageOf(outcome.error)}</span> : <NextDays days={outcome.days} />)}
      {exceptions.length > 0 && <small class="muted">{told.repeat.exceptions(exceptions.length)}</small>}
      {overrides.length > 0 && <small class="muted">{told.repeat.changed(overrides.length)}</small>}
    </div>
  );
}

function NextDays({ days }: { days: string[] }) {
  const told = words.value.calendar.repeat;
  if (days.length === 0) {
    return <span class="field-error">{told.noneLeft}</span>;
  }
  return (
    <>
      <span class="muted">{told.next}</span>
      <ul>{days.map((day) => <li key={day}>{mediumDay(day)}</li>)}</ul>
    </>
  );
}
