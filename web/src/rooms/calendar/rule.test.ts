// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from 'vitest';

import { language } from '../../words';
import { calendar as german } from '../../words/de/calendar';
import { calendar as english } from '../../words/en/calendar';
import { buildRule, followStart, makeRule, monthlyChoices, nthOf, parseRule } from './rule';
import { sentenceOf } from './ruleSentence';

// A Tuesday, the third of its month.
const START = '2026-11-17';

const inEnglish = (rule: string, start = START): string => sentenceOf(rule, start, english.rule);
const inGerman = (rule: string, start = START): string => {
  language.value = 'de';
  return sentenceOf(rule, start, german.rule);
};

beforeEach(() => {
  Object.defineProperty(navigator, 'languages', { value: ['en-GB', 'de-DE'], configurable: true });
  language.value = 'en';
});

describe('rules that the editor knows', () => {
  const known = [
    'FREQ=DAILY', 'FREQ=DAILY;INTERVAL=3;COUNT=10', 'FREQ=WEEKLY;BYDAY=TU', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20270303',
    'FREQ=MONTHLY;BYMONTHDAY=17', 'FREQ=MONTHLY;BYMONTHDAY=-1', 'FREQ=MONTHLY;BYDAY=3TU', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR;COUNT=5', 'FREQ=YEARLY',
    'FREQ=YEARLY;BYMONTH=11;BYDAY=3TU',
  ];
  it.each(known)('come back as they were: %s', (rule) => {
    const plain = parseRule(rule, START);
    expect(plain).not.toBeNull();
    expect(buildRule(plain!, START)).toBe(rule);
  });

  it('are also recognised in other spellings', () => {
    expect(parseRule('FREQ=WEEKLY', START)?.weekdays).toEqual([2]);
    expect(parseRule('FREQ=MONTHLY', START)?.monthDay).toBe(17);
    expect(parseRule('FREQ=MONTHLY;BYDAY=TU;BYSETPOS=3', START)?.nthWeekday).toEqual({ nth: 3, weekday: 2 });
    expect(parseRule('FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=17', START)?.frequency).toBe('yearly');
    expect(parseRule('FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', START)).toMatchObject({ frequency: 'weekly', weekdays: [1, 2, 3, 4, 5] });
    expect(parseRule('FREQ=WEEKLY;BYDAY=TU;WKST=SU', START)).not.toBeNull();
    expect(parseRule('FREQ=WEEKLY;UNTIL=20270303T225959Z', START)?.ending).toEqual({ kind: 'until', day: '2027-03-03' });
  });

  const unknown = [
    'FREQ=MONTHLY;BYMONTHDAY=1,15', 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1', 'FREQ=YEARLY;BYWEEKNO=20', 'FREQ=YEARLY;BYMONTH=1,7',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=SU', 'FREQ=DAILY;BYHOUR=9,17', 'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=5', 'FREQ=MONTHLY;BYDAY=5MO', '',
  ];
  it.each(unknown)('are not guessed at: %s', (rule) => {
    expect(parseRule(rule, START)).toBeNull();
  });
});

describe('making rules', () => {
  it('begins with the day of the start', () => {
    expect(buildRule(makeRule('weekly', START), START)).toBe('FREQ=WEEKLY;BYDAY=TU');
    expect(buildRule(makeRule('monthly', START), START)).toBe('FREQ=MONTHLY;BYMONTHDAY=17');
    expect(buildRule({ ...makeRule('weekly', START), weekdays: [0, 1] }, START)).toBe('FREQ=WEEKLY;BYDAY=MO,SU');
  });

  it('offers what a day is in its month', () => {
    expect(nthOf(START)).toEqual({ nth: 3, weekday: 2 });
    expect(monthlyChoices('2026-11-24')).toHaveLength(3);
    expect(monthlyChoices('2026-11-30')).toEqual([
      { monthDay: 30, nthWeekday: null }, { monthDay: null, nthWeekday: { nth: -1, weekday: 1 } }, { monthDay: -1, nthWeekday: null },
    ]);
  });
});

describe('a start that moves', () => {
  it('takes the days of the rule along', () => {
    expect(followStart('FREQ=WEEKLY;BYDAY=TU,TH', START, '2026-11-18')).toBe('FREQ=WEEKLY;BYDAY=WE,FR');
    expect(followStart('FREQ=MONTHLY;BYMONTHDAY=17', START, '2026-11-18')).toBe('FREQ=MONTHLY;BYMONTHDAY=18');
    expect(followStart('FREQ=MONTHLY;BYDAY=3TU', START, '2026-11-25')).toBe('FREQ=MONTHLY;BYDAY=4WE');
    expect(followStart('FREQ=YEARLY;BYMONTH=11;BYDAY=3TU', START, '2026-12-02')).toBe('FREQ=YEARLY;BYMONTH=12;BYDAY=1WE');
  });

  it('takes the end along, and leaves alone what does not depend on it', () => {
    expect(followStart('FREQ=DAILY;UNTIL=20261201', START, '2026-11-19')).toBe('FREQ=DAILY;UNTIL=20261203');
    expect(followStart('FREQ=DAILY;COUNT=3', START, '2026-11-19')).toBeNull();
    expect(followStart('FREQ=WEEKLY;BYDAY=TU', START, '2026-11-24')).toBeNull();
    expect(followStart('FREQ=MONTHLY;BYMONTHDAY=1,15', START, '2026-11-18')).toBeNull();
  });
});

describe('rules in English', () => {
  it.each([
    ['FREQ=DAILY', 'Every day'],
    ['FREQ=DAILY;INTERVAL=3;COUNT=10', 'Every 3 days, 10 times'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20270303', 'Every 2 weeks on Tuesday and Thursday until 3 March 2027'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every workday'],
    ['FREQ=MONTHLY', 'Every month on the 17th'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,15', 'Every month on the 1st and 15th'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'Every month on the last day'],
    ['FREQ=MONTHLY;BYDAY=2TU', 'Every month on the second Tuesday'],
    ['FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', 'Every month on the last Friday'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'Every month on Monday, Tuesday, Wednesday, Thursday and Friday (and further conditions)'],
    ['FREQ=YEARLY', 'Every year on 17 November'],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', 'Every year on the fourth Thursday in November'],
    ['FREQ=YEARLY;BYWEEKNO=20', 'Every year on 17 November (and further conditions)'],
    ['', 'On given days'],
  ])('%s: %s', (rule, words) => {
    expect(inEnglish(rule)).toBe(words);
  });
});

describe('rules in German', () => {
  it.each([
    ['FREQ=DAILY', 'Jeden Tag'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20270303', 'Alle 2 Wochen am Dienstag und Donnerstag bis 3. März 2027'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=20', 'Jeden Werktag (Mo–Fr), 20-mal'],
    ['FREQ=MONTHLY', 'Jeden Monat am 17.'],
    ['FREQ=MONTHLY;BYDAY=-1FR', 'Jeden Monat am letzten Freitag'],
    ['FREQ=YEARLY', 'Jedes Jahr am 17. November'],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=1MO', 'Jedes Jahr am ersten Montag im März'],
  ])('%s: %s', (rule, words) => {
    expect(inGerman(rule)).toBe(words);
  });
});
