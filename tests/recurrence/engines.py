# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What other programs make of a recurrence rule without an end, in local time: python3-dateutil, the package rrule of
Node.js, and for numbered weeks a look at each day of the year."""

import calendar
import datetime
import functools
import itertools
import json
import pathlib
import subprocess
import threading
import types

import dateutil.rrule
import npm_packages

from recurrence.cases import WEEKDAYS, Moment

FOLDER = pathlib.Path(__file__).resolve().parent
ASK_SECONDS = 100
# Beyond the window, how far a rule that seems to have ended is followed: its next start may be rare.
FURTHER_YEARS = 10


class Dateutil:
    """Searches a rule that nothing matches up to the last year of the calendar, so that one is brought nearer."""

    def __init__(self):
        self._calendar = types.SimpleNamespace(**vars(datetime))
        dateutil.rrule.datetime = self._calendar

    def starts(self, rule: str, start: Moment, before: Moment) -> tuple[list[Moment], bool]:
        """Those before `before`, and whether there are more."""
        self._calendar.MAXYEAR = before.year + FURTHER_YEARS
        found = []
        for moment in dateutil.rrule.rrulestr(rule, dtstart=start):
            if moment >= before:
                return found, True
            found.append(moment)
        return found, False


class Rrule:
    """The package rrule, at work while others are. It must only be asked about rules that go on after `before`: it, too,
    searches to the end of the calendar."""

    def __init__(self):
        npm_packages.install(FOLDER)
        self._process = subprocess.Popen(["node", "expand.mjs"], cwd=FOLDER, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)
        self._answers: list[str] = []
        self._reader = threading.Thread(target=lambda: self._answers.extend(self._process.stdout), daemon=True)
        self._reader.start()

    def ask(self, rule: str, start: Moment, before: Moment) -> None:
        question = {"rule": rule, "start": start.isoformat(), "before": before.isoformat()}
        self._process.stdin.write(json.dumps(question) + "\n")

    def answers(self) -> list[list[Moment]]:
        """To all questions, in their order."""
        self._process.stdin.close()
        self._reader.join(ASK_SECONDS)
        assert self._process.wait(ASK_SECONDS) == 0
        return [[Moment.fromisoformat(text) for text in json.loads(line)] for line in self._answers]

    def __enter__(self) -> "Rrule":
        return self

    def __exit__(self, *_) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()


def weeks_of_the_year(parts: dict[str, str], start: Moment, before: Moment) -> list[Moment]:
    """What a yearly rule with BYWEEKNO gives, by the words of the standard and a look at each day."""
    found = []
    for year in range(start.year, before.year + 1, int(parts.get("INTERVAL", 1))):
        days = (datetime.date(year, 1, 1) + datetime.timedelta(days=n) for n in range(_year_length(year)))
        chosen = [moment for day in days if _fits(day, parts) for moment in _times(day, parts, start)]
        found += _positions(chosen, parts)
    return [moment for moment in found if start <= moment < before]


def _fits(day: datetime.date, parts: dict[str, str]) -> bool:
    numbers = {
        "BYMONTH": lambda: {day.month},
        "BYDAY": lambda: {WEEKDAYS[day.weekday()]},
        "BYMONTHDAY": lambda: {day.day, day.day - calendar.monthrange(day.year, day.month)[1] - 1},
        "BYYEARDAY": lambda: {_year_day(day), _year_day(day) - _year_length(day.year) - 1},
        "BYWEEKNO": lambda: _week_numbers(day, WEEKDAYS.index(parts.get("WKST", "MO"))),
    }
    return all({str(number) for number in numbers[name]()} & set(parts[name].split(","))
               for name in numbers if name in parts)


@functools.cache
def _week_numbers(day: datetime.date, week_start: int) -> set[int]:
    """From the front and from the end. "Week number one of the calendar year is the first week that contains at least four
    (4) days in that calendar year" (RFC 5545 §3.3.10)."""
    week = day - datetime.timedelta(days=(day.weekday() - week_start) % 7)
    year = max(year for year in (day.year - 1, day.year, day.year + 1) if _first_week(year, week_start) <= week)
    number = (week - _first_week(year, week_start)).days // 7 + 1
    weeks = (_first_week(year + 1, week_start) - _first_week(year, week_start)).days // 7
    if week_start == 0:
        assert day.isocalendar()[:2] == (year, number)
    return {number, number - weeks - 1}


@functools.cache
def _first_week(year: int, week_start: int) -> datetime.date:
    new_year = datetime.date(year, 1, 1)
    week = new_year - datetime.timedelta(days=(new_year.weekday() - week_start) % 7)
    days_in_year = 7 - (new_year - week).days
    return week if days_in_year >= 4 else week + datetime.timedelta(days=7)


def _times(day: datetime.date, parts: dict[str, str], start: Moment) -> list[Moment]:
    hours = sorted(_values(parts, "BYHOUR")) or [start.hour]
    minutes = sorted(_values(parts, "BYMINUTE")) or [start.minute]
    return [Moment(day.year, day.month, day.day, hour, minute) for hour, minute in itertools.product(hours, minutes)]


def _positions(chosen: list[Moment], parts: dict[str, str]) -> list[Moment]:
    if "BYSETPOS" not in parts:
        return chosen
    indexes = {position - 1 if position > 0 else len(chosen) + position for position in _values(parts, "BYSETPOS")}
    return [chosen[index] for index in sorted(indexes) if 0 <= index < len(chosen)]


def _values(parts: dict[str, str], name: str) -> set[int]:
    return {int(value) for value in parts[name].split(",")} if name in parts else set()


def _year_day(day: datetime.date) -> int:
    return (day - datetime.date(day.year, 1, 1)).days + 1


def _year_length(year: int) -> int:
    return 365 + calendar.isleap(year)
