# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Series by chance: rules of every frequency with every part, ends, additions, exceptions, zones and windows."""

import dataclasses
import datetime
import random
import zoneinfo

Moment = datetime.datetime

WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = ["Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu", "Asia/Tehran", "Africa/Casablanca",
         "Australia/Lord_Howe", "Europe/Moscow", "Pacific/Apia", "America/St_Johns", "Antarctica/Troll", "UTC"]
# How much time is looked at for INTERVAL=1; others see as many periods.
HORIZON_DAYS = {"DAILY": 500, "WEEKLY": 6 * 365, "MONTHLY": 15 * 365, "YEARLY": 30 * 365}
LAST_YEAR = 2400


@dataclasses.dataclass
class Case:
    start: Moment
    # Without COUNT and UNTIL.
    parts: dict[str, str]
    from_: Moment
    before: Moment
    count: int | None = None
    until: Moment | None = None
    zone: str | None = None
    all_day: bool = False
    additions: list[Moment] = dataclasses.field(default_factory=list)
    exceptions: list[Moment] = dataclasses.field(default_factory=list)

    @property
    def pattern(self) -> str:
        return ";".join(f"{name}={value}" for name, value in self.parts.items())

    @property
    def rule(self) -> str:
        if self.count:
            return f"{self.pattern};COUNT={self.count}"
        return f"{self.pattern};UNTIL={self._until()}" if self.until else self.pattern

    def _until(self) -> str:
        if self.all_day:
            return self.until.strftime("%Y%m%d")
        if self.zone:
            moment = self.until.replace(tzinfo=zoneinfo.ZoneInfo(self.zone)).astimezone(datetime.UTC)
            return moment.strftime("%Y%m%dT%H%M%SZ")
        return self.until.strftime("%Y%m%dT%H%M%S")

    @property
    def last_moment(self) -> Moment | None:
        """What UNTIL comes to, after it was UTC: a time that the clocks skip comes back as another."""
        if not self.until or self.all_day:
            return self.until
        zone = zoneinfo.ZoneInfo(self.zone or "UTC")
        return self.until.replace(tzinfo=zone).astimezone(datetime.UTC).astimezone(zone).replace(tzinfo=None)


class Dice(random.Random):
    def some(self, values, most: int) -> str:
        return ",".join(map(str, self.sample(list(values), self.randint(1, most))))

    def happens(self, chance: float) -> bool:
        return self.random() < chance


def cases(seed: int, count: int) -> list[Case]:
    dice = Dice(seed)
    return [_case(dice) for _ in range(count)]


def _case(dice: Dice) -> Case:
    all_day = dice.happens(0.2)
    parts = _parts(dice, all_day)
    start = Moment(dice.randint(1970, 2037), 1, 1) + datetime.timedelta(days=dice.randint(0, 365))
    if not all_day:
        start = start.replace(hour=dice.randint(0, 23), minute=dice.choice([0, 0, 30, 59]))
    span = HORIZON_DAYS[parts["FREQ"]] * int(parts.get("INTERVAL", 1))
    before = min(start + datetime.timedelta(days=dice.randint(span // 10, span)), Moment(LAST_YEAR, 1, 1))
    from_ = start + (before - start) * dice.choice([-0.1, 0, 0.5, 0.9, 0.99])
    case = Case(start, parts, from_.replace(microsecond=0), before, all_day=all_day)
    if not all_day and dice.happens(0.7):
        case.zone = dice.choice(ZONES)
    end = dice.random()
    if end < 0.25:
        case.count = dice.choice([1, 2, 3, 5, 10, 50, 400])
    elif end < 0.5:
        day = start + datetime.timedelta(days=dice.randint(0, span))
        case.until = min(day, before - datetime.timedelta(days=1))
    case.additions = _moments(dice, case) if dice.happens(0.1) else []
    case.exceptions = _moments(dice, case) if dice.happens(0.1) else []
    return case


def _moments(dice: Dice, case: Case) -> list[Moment]:
    """The start and days near it, at its time: some are what the rule gives."""
    return [case.start + datetime.timedelta(days=dice.choice([0, 1, 2, 7, 14, 28, 31, 365, 366])) for _ in range(4)]


def _parts(dice: Dice, all_day: bool) -> dict[str, str]:
    frequency = dice.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    parts = {"FREQ": frequency}
    if dice.happens(0.5):
        parts["INTERVAL"] = str(dice.choice([1, 2, 2, 3, 4, 5, 7, 12, 100]))
    if dice.happens(0.25):
        parts["BYMONTH"] = dice.some(range(1, 13), 3)
    if frequency == "YEARLY" and dice.happens(0.15):
        parts["BYWEEKNO"] = dice.some([1, 2, 10, 20, 51, 52, 53, -1, -2, -52, -53], 3)
    if frequency == "YEARLY" and dice.happens(0.15):
        parts["BYYEARDAY"] = dice.some([1, 59, 60, 61, 100, 200, 365, 366, -1, -306, -365, -366], 3)
    if frequency != "WEEKLY" and dice.happens(0.25):
        parts["BYMONTHDAY"] = dice.some([1, 2, 13, 15, 28, 29, 30, 31, -1, -2, -28, -30, -31], 3)
    if dice.happens(0.4):
        parts["BYDAY"] = _days(dice, parts)
    if not all_day:
        if dice.happens(0.1):
            parts["BYHOUR"] = dice.some(range(24), 3)
        if dice.happens(0.1):
            parts["BYMINUTE"] = dice.some(range(60), 2)
    if dice.happens(0.2) and any(name.startswith("BY") for name in parts):
        parts["BYSETPOS"] = dice.some([1, 2, 3, 5, -1, -2, -5], 2)
    if dice.happens(0.2):
        parts["WKST"] = dice.choice(WEEKDAYS)
    return parts


def _days(dice: Dice, parts: dict[str, str]) -> str:
    days = dice.sample(WEEKDAYS, dice.randint(1, 4))
    if parts["FREQ"] in ("MONTHLY", "YEARLY") and "BYWEEKNO" not in parts and dice.happens(0.5):
        # Numbers that the month does not have end python3-dateutil with an exception.
        in_year = parts["FREQ"] == "YEARLY" and "BYMONTH" not in parts
        numbers = [1, 2, 3, 4, -1, -2, -4] + ([5, 20, 52, -20, -52] if in_year else [5, -5])
        return ",".join(f"{dice.choice(numbers)}{day}" for day in days)
    return ",".join(days)
