# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""When people have no time."""

import urllib.parse

import pytest
from calendar_client import MONDAY, CalendarClient, done, refused
from identity_client import start_house

FROM, TO = "2026-02-02T00:00:00Z", "2026-02-04T00:00:00Z"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def bob(house):
    return CalendarClient(house, house.make_user("bob@example.org"))


def ask(client: CalendarClient, *users: str, start: str = FROM, end: str = TO):
    query = urllib.parse.urlencode({"users": ",".join(users), "from": start, "to": end})
    return client.get("/api/freebusy?" + query)


def busy(client: CalendarClient, user: str, **more) -> list[tuple[str, str]]:
    person, = done(ask(client, user, **more))["people"]
    return [(time["start"][5:16], time["end"][5:16]) for time in person["busy"]]


def timed(calendar_owner: CalendarClient, calendar: str, start: str, end: str, **more) -> dict:
    return calendar_owner.make_entry(calendar, kind="timed", startDate=MONDAY, startTime=start, endTime=end,
                                     **({"timeZone": "UTC"} | more))


def test_others_see_when_and_not_what(ann, bob):
    work = ann.make_calendar()
    timed(ann, work, "09:00", "10:00", title="Secret")
    answer = ask(bob, ann.email)
    assert "Secret" not in answer.text
    assert done(answer)["people"][0] == {
        "user": ann.id, "email": ann.email,
        "busy": [{"start": "2026-02-02T09:00:00.000Z", "end": "2026-02-02T10:00:00.000Z"}]}
    assert busy(bob, ann.id) == [("02-02T09:00", "02-02T10:00")]


def test_what_overlaps_is_one_and_what_is_outside_is_cut(ann, bob):
    work, home = ann.make_calendar(), ann.make_calendar("Home")
    timed(ann, work, "09:00", "10:00")
    timed(ann, home, "09:30", "11:00")
    timed(ann, home, "11:00", "12:00")
    timed(ann, work, "14:00", "15:00", timeZone="Europe/Berlin")
    timed(ann, work, "23:00", "01:00", endDate="2026-02-03")
    assert busy(bob, ann.email) == [("02-02T09:00", "02-02T12:00"), ("02-02T13:00", "02-02T14:00"),
                                    ("02-02T23:00", "02-03T01:00")]
    assert busy(bob, ann.email, start="2026-02-02T09:15:00Z", end="2026-02-02T13:30:00Z") == \
        [("02-02T09:15", "02-02T12:00"), ("02-02T13:00", "02-02T13:30")]


def test_a_series_counts_each_time(ann, bob):
    timed(ann, ann.make_calendar(), "09:00", "10:00", recurrence={"rule": "FREQ=DAILY;COUNT=5"})
    assert busy(bob, ann.email) == [("02-02T09:00", "02-02T10:00"), ("02-03T09:00", "02-03T10:00")]


def test_days_are_those_of_the_person(house, bob):
    eve = CalendarClient(house, house.make_user("eve@example.org", time_zone="Asia/Tokyo"))
    eve.make_entry(eve.make_calendar(), startDate="2026-02-03")
    assert busy(bob, eve.email) == [("02-02T15:00", "02-03T15:00")]


def test_tasks_and_what_leaves_one_free_do_not_count(ann, bob):
    work = ann.make_calendar()
    ann.make_entry(work, kind="task", startDate=MONDAY, startTime="09:00", timeZone="UTC")
    timed(ann, work, "09:00", "10:00", transparent=True)
    assert busy(bob, ann.email) == []


def test_only_ones_own_calendars_count(house, ann, bob):
    work = ann.make_calendar()
    timed(ann, work, "09:00", "10:00")
    ann.share(work, bob, "writer")
    assert busy(ann, bob.email) == []
    done(ann.delete(f"/api/calendars/{work}"))
    assert busy(bob, ann.email) == []


def test_who_is_nobody_here_is_named(house, ann):
    org = house.make_org("Elsewhere", "elsewhere.example.org")
    house.make_user("eve@example.org", org=org)
    unknown = ["eve@example.org", "nobody@example.org", "not an address"]
    found = done(ask(ann, ann.email, *unknown))
    assert [one["email"] for one in found["people"]] == [ann.email]
    assert found["unknown"] == unknown


def test_bounds(ann):
    refused(ask(ann), 400, "users")
    refused(ask(ann, *(f"{number}@example.org" for number in range(51))), 400, "users")
    refused(ask(ann, ann.email, end=FROM), 400, "to")
    refused(ask(ann, ann.email, end="2026-04-06T00:00:00Z"), 400, "to")
    refused(ask(ann, ann.email, start="2026-02-02"), 400, "from")
