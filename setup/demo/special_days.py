# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Days that come every year: birthdays, and the public holidays of Germany."""

import datetime
import typing

BIRTHDAYS = [
    ("Alex", 1986, 30), ("Mira", 1988, -47), ("Jonas", 1991, 12), ("Ruth", 1956, -110), ("Teo", 1990, 95), ("Ida", 2014, 4),
    ("Emil", 2017, -75), ("Hana", 1985, 61), ("Sam", 1983, -20), ("Grandma", 1948, 140), ("Noah", 2016, 5), ("Lena", 2006, -150),
]


def birthdays(today: datetime.date) -> list[dict[str, typing.Any]]:
    """`days` from today, so that there is always one soon."""
    entries = []
    for name, year, days in BIRTHDAYS:
        day = today + datetime.timedelta(days=days)
        # Nobody here was born on a day that most years lack.
        born = datetime.date(year, day.month, min(day.day, 28))
        entries.append({"kind": "all-day", "title": f"{name}'s birthday", "description": f"Born in {year}.",
                        "startDate": str(born), "recurrence": {"rule": "FREQ=YEARLY"}, "transparent": True})
    return entries


def easter(year: int) -> datetime.date:
    """Easter Sunday, after Meeus, Jones and Butcher."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    i = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * i) // 451
    month, day = divmod(h + i - 7 * m + 114, 31)
    return datetime.date(year, month, day + 1)


FIXED = [("New Year's Day", 1, 1), ("Labour Day", 5, 1), ("Day of German Unity", 10, 3), ("Christmas Eve", 12, 24),
         ("Christmas Day", 12, 25), ("Boxing Day", 12, 26), ("New Year's Eve", 12, 31)]
MOVING = [("Good Friday", -2), ("Easter Sunday", 0), ("Easter Monday", 1), ("Ascension Day", 39), ("Whit Monday", 50)]


def holidays(today: datetime.date) -> list[dict[str, typing.Any]]:
    fixed = [{"title": title, "startDate": str(datetime.date(today.year - 1, month, day)),
              "recurrence": {"rule": "FREQ=YEARLY"}} for title, month, day in FIXED]
    moving = [{"title": title, "startDate": str(easter(year) + datetime.timedelta(days=days))}
              for year in (today.year - 1, today.year, today.year + 1) for title, days in MOVING]
    return [{"kind": "all-day", "transparent": True} | entry for entry in fixed + moving]
