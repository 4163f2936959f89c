# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Work on the whole of a store takes memory while it lasts, and gives it back: however often it is done."""

import datetime
import random

import pytest
from calendar_client import CalendarClient, done
from identity_client import start_house
from programs import run

ENTRIES = 10_000
RUNS = 10
# What a run may leave behind, all runs together: fragments, and blocks that the cache took meanwhile.
ALLOWANCE = 64 << 20
MEMORY = 32 << 20
# While it lasts: the cache, and what is in hand.
PEAK = 400 << 20


def many_entries() -> str:
    """A file of appointments with something to say, about 20 MB."""
    words = random.Random(1)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Somebody//EN"]
    for number in range(ENTRIES):
        day = datetime.date(2000, 1, 1) + datetime.timedelta(days=number % 10_000)
        lines += ["BEGIN:VEVENT", f"UID:{number}@example.org", f"DTSTART:{day:%Y%m%d}T090000Z", f"SUMMARY:Entry {number}",
                  "DESCRIPTION:" + words.randbytes(1000).hex(), "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR"]) + "\r\n"


@pytest.fixture
def server(make_server):
    """With a store of which little fits into the cache."""
    house = start_house(make_server, config={"store": {"memory": MEMORY}})
    ann = CalendarClient(house, house.make_user("ann@example.org"))
    headers = ann.who | {"Content-Type": "text/calendar"}
    path = f"/api/calendars/{ann.make_calendar('Work')}/import"
    assert done(house.server.request("POST", path, many_entries(), headers, 120))["added"] == ENTRIES
    return house.server


@pytest.mark.parametrize("work", ["verify", "backup", "export"])
def test_memory_stays_where_it_is_however_often_the_whole_store_is_worked_on(server, build_folder, tmp_path, work):
    if server.sanitized:
        pytest.skip("memory is mostly the sanitizer's")

    def once(number: int) -> int:
        more = {"verify": [], "backup": ["--to", tmp_path / "backups"], "export": [tmp_path / f"{number}.zst"]}[work]
        ended = run(build_folder.resolve() / "atrium", "store", work, *more, "--data", server.data, folder=tmp_path)
        assert ended.returncode == 0, ended.stderr
        return server.rss_bytes()

    seen = [once(number) for number in range(RUNS)]
    assert max(seen[1:]) - seen[0] < ALLOWANCE, [one >> 20 for one in seen]
    assert server.peak_rss_bytes() < PEAK
