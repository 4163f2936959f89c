# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Recurrence rules, expanded by us and by others: thousands of series by chance, with a fixed seed.

Others differ from us in these points, and only in these:

* What the start is when the rule would not give it. RFC 5545 §3.8.5.3: "The recurrence set generated with a "DTSTART"
  property value not synchronized with the recurrence rule is undefined." For us it is the first of the series, and of
  what COUNT counts, as it is for people who put an appointment on that day. Both others leave it out. `expected` adds it.
* Which day of a week BYWEEKNO means when nothing says it. §3.3.10: "Information, not contained in the rule, necessary to
  determine the various recurrence instance start times and dates are derived from the Start Time (DTSTART)". Both others
  take all seven days. `for_others` says the weekday.
* What BYSETPOS counts in the week of the start. §3.3.10: "A set of recurrence instances starts at the beginning of the
  interval defined by the FREQ rule part." Both others begin to count with the start. `for_others` begins with the week.
* To which week the days around New Year belong. §3.3.10: "as defined in [ISO.8601.2004]". Both others count 53 weeks in
  some years that have 52, and do not know the first week by its number from the end. `weeks_of_the_year` decides.
* Whether a position from the end exists in a set that is too short, and whether two positions may be the same occurrence.
  §3.3.10: BYSETPOS "corresponds to the nth occurrence within the set of recurrence instances". The package rrule takes
  another occurrence for the first, and repeats the second.
* In which order hours are counted that BYHOUR does not list in order. The standard gives the order of a list no meaning.
  The package rrule does. `for_others` sorts them.
"""

import datetime
import json
import subprocess
import zoneinfo

import pytest
from recurrence.cases import WEEKDAYS, Case, Moment, cases
from recurrence.engines import Dateutil, Rrule, weeks_of_the_year

SEED = 5545
SERIES = 2400


@pytest.fixture(scope="module")
def series() -> list[Case]:
    return cases(SEED, SERIES)


@pytest.fixture(scope="module")
def ours(series, build_folder) -> list[dict]:
    """The program's answer to each series."""
    lines = "".join(json.dumps(question(case)) + "\n" for case in series)
    done = subprocess.run([str(build_folder / "expand_recurrences")], input=lines, capture_output=True, text=True,
                          timeout=60, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(series)
    return answers


def question(case: Case) -> dict:
    asked = {"rule": case.rule, "start": case.start.isoformat(), "all_day": case.all_day, "from": case.from_.isoformat(),
             "before": case.before.isoformat(), "additions": [time.isoformat() for time in case.additions],
             "exceptions": [time.isoformat() for time in case.exceptions]}
    return asked | ({"zone": case.zone} if case.zone else {})


def starts(answer: dict) -> list[Moment]:
    """Those in the window; a series of which the exceptions leave nothing is refused."""
    return [Moment.fromisoformat(text) for text in answer.get("starts", [])]


def for_others(case: Case) -> tuple[str, Moment]:
    """The rule without its end, and a start, that others read as we read the series."""
    parts, start = dict(case.parts), case.start
    if "BYWEEKNO" in parts and not parts.keys() & {"BYDAY", "BYMONTHDAY", "BYYEARDAY"}:
        parts["BYDAY"] = WEEKDAYS[start.weekday()]
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        parts.setdefault("BYDAY", WEEKDAYS[start.weekday()])
        start -= datetime.timedelta(days=(start.weekday() - WEEKDAYS.index(parts.get("WKST", "MO"))) % 7)
    for name in parts.keys() & {"BYHOUR", "BYMINUTE"}:
        parts[name] = ",".join(sorted(parts[name].split(","), key=int))
    return ";".join(f"{name}={value}" for name, value in parts.items()), start


def whole(case: Case, given: list[Moment]) -> list[Moment]:
    """The series up to the end of its window, when the rule without its end gives these."""
    counted = [case.start, *sorted({moment for moment in given if moment > case.start})][:case.count]
    until = case.last_moment
    kept = {moment for moment in counted if until is None or moment <= until or moment == case.start}
    return sorted((kept | set(case.additions)) - set(case.exceptions))


def expected(case: Case, given: list[Moment]) -> list[Moment]:
    return [moment for moment in whole(case, given) if case.from_ <= moment < case.before]


def with_weeks(case: Case) -> list[Moment]:
    """What the rule gives, whose BYWEEKNO others may have read wrongly."""
    parts = dict(part.split("=") for part in for_others(case)[0].split(";"))
    return weeks_of_the_year(parts, case.start, case.before)


def too_long_for_its_set(case: Case) -> bool:
    return any(int(position) < -1 for position in case.parts.get("BYSETPOS", "1").split(","))


@pytest.fixture(scope="module")
def theirs(series) -> list[tuple[list[Moment], bool, list[Moment] | None]]:
    """What dateutil gives for each series, whether there is more, and what rrule gives; it is not asked when there is not."""
    dateutil = Dateutil()
    given = []
    with Rrule() as rrule:
        for case in series:
            found, more = dateutil.starts(*for_others(case), case.before)
            given.append((found, more))
            if more:
                rrule.ask(*for_others(case), case.before)
        answers = iter(rrule.answers())
        return [(found, more, next(answers) if more else None) for found, more in given]


def told(case: Case, answer: dict) -> str:
    return f"{case.rule} from {case.start} in [{case.from_}, {case.before}): {answer}"[:1000]


def test_dateutil_finds_the_same_starts(series, ours, theirs):
    decided_by_weeks = 0
    for case, answer, (given, _, _) in zip(series, ours, theirs, strict=True):
        if expected(case, given) != starts(answer):
            assert "BYWEEKNO" in case.parts, told(case, answer)
            assert expected(case, with_weeks(case)) == starts(answer), told(case, answer)
            decided_by_weeks += 1
    assert decided_by_weeks < SERIES / 50


def test_rrule_finds_the_same_starts(series, ours, theirs):
    compared = differing = 0
    for case, answer, (_, _, given) in zip(series, ours, theirs, strict=True):
        if given is None:
            continue
        compared += 1
        if expected(case, given) == starts(answer):
            continue
        differing += 1
        if "BYWEEKNO" in case.parts:
            assert expected(case, with_weeks(case)) == starts(answer), told(case, answer)
        else:
            assert too_long_for_its_set(case), told(case, answer)
    assert compared >= 2000
    assert differing < SERIES / 50


def test_weeks_are_those_of_the_standard(series, ours):
    numbered = [(case, answer) for case, answer in zip(series, ours, strict=True) if "BYWEEKNO" in case.parts]
    assert len(numbered) > 50
    for case, answer in numbered:
        assert expected(case, with_weeks(case)) == starts(answer), told(case, answer)


def test_moments_are_those_of_the_zone(series, ours):
    compared = 0
    for case, answer in zip(series, ours, strict=True):
        if case.zone and "error" not in answer:
            zone = zoneinfo.ZoneInfo(case.zone)
            moments = [Moment.fromisoformat(text) for text in answer["instants"]]
            assert moments == [start.replace(tzinfo=zone).astimezone(datetime.UTC) for start in starts(answer)]
            compared += len(moments)
    assert compared > 10_000


def test_the_last_start_is_known(series, ours, theirs):
    for case, answer, (given, more, _) in zip(series, ours, theirs, strict=True):
        if "BYWEEKNO" in case.parts:
            given = with_weeks(case)
        until = case.last_moment
        ended = bool(until) or len({case.start, *given}) >= (case.count or float("inf"))
        if ended:
            everything = whole(case, given)
            last = answer.get("last")
            assert (last and Moment.fromisoformat(last)) == max(everything, default=None), told(case, answer)
            assert everything or answer["error"] == "recurrence.exceptions: nothing is left"
        elif more and not case.count:
            assert "last" not in answer, told(case, answer)
