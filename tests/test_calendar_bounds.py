# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of calendars costs what is answered, not what it would be if it were all spelled out."""

import contextlib
import gzip
import json
import threading
import time
import urllib.parse

import pytest
from calendar_client import MONDAY, CalendarClient, done, refused, verified
from identity_client import start_house

MIB = 1 << 20
# Of one answer that is made in memory.
PAGE_BYTES = 4 * MIB
# What all that a test asks for may take besides what the server takes anyway: eight pages, each as text and compressed, and
# what the allocator keeps for a second. All of it spelled out would be 740 MB for each reader.
EXTRA_BYTES = 128 * MIB
# What others may have to wait meanwhile: a scheduler's hiccup, not a piece of work. A machine with other things to do has
# longer ones.
PROMPT_SECONDS = 0.5
HICCUPS = 5

SERIES = 124
TEXT = "Bring your own chair. " * 744  # 16 kB


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def bob(house):
    return CalendarClient(house, house.make_user("bob@example.org"))


def fill(client: CalendarClient, calendar: str, count: int, **fields) -> None:
    """Makes that many entries, ten at a time."""
    usual = {"calendarId": calendar, "kind": "all-day", "title": "Standup", "startDate": MONDAY} | fields
    for first in range(0, count, 10):
        orders = [{"deed": "create", "entry": usual} for _ in range(min(10, count - first))]
        done(client.post("/api/entries/batch", {"changes": orders}))


@pytest.fixture
def heavy(ann):
    """124 series of every day, each with a long text: 2 MB stored, 740 MB when a year of it is spelled out."""
    calendar = ann.make_calendar("Heavy")
    fill(ann, calendar, SERIES, description=TEXT, recurrence={"rule": "FREQ=DAILY"})
    return calendar


def year_of(*calendars: str) -> str:
    return f"/api/entries?calendar_id={','.join(calendars)}&from=2026-02-02&to=2027-02-01"


def sign_of_life(server) -> float:
    """How long it takes, in seconds."""
    began = time.monotonic()
    assert server.get("/livez").status == 200
    return time.monotonic() - began


@contextlib.contextmanager
def nobody_waits(server):
    """While the block runs, /livez answers about as promptly as before it."""
    idle = max(sign_of_life(server) for _ in range(50))
    over, waits = threading.Event(), [0.0]

    def ask():
        while not over.is_set():
            waits.append(sign_of_life(server))

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if not server.sanitized:
        assert max(waits) < PROMPT_SECONDS + HICCUPS * idle


def at_once(count: int, ask) -> list:
    answers: list = [None] * count

    def one(number: int) -> None:
        answers[number] = ask()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def pages_of(client: CalendarClient, path: str):
    """The entries of every page, page by page."""
    after = ""
    while after is not None:
        answer = client.get(path + (f"&after={urllib.parse.quote(after)}" if after else ""))
        assert len(answer.body) <= PAGE_BYTES + MIB
        page = done(answer)
        yield page["entries"]
        after = page.get("after")


class TestAYearOfHeavySeries:
    def test_readers_who_ask_for_it_take_little_memory_and_nobody_waits(self, house, ann, bob, heavy):
        ann.share(heavy, bob, "reader")
        before = house.server.peak_rss_bytes()
        with nobody_waits(house.server):
            answers = [bob.get(year_of(heavy))]
            answers += at_once(4, lambda: bob.get(year_of(heavy)))
            answers += at_once(4, lambda: bob.get(year_of(heavy), headers={"Accept-Encoding": "gzip"}))
        assert {answer.status for answer in answers} == {200}
        assert max(len(answer.body) for answer in answers) <= PAGE_BYTES + MIB
        if not house.server.sanitized:
            assert house.server.peak_rss_bytes() - before < EXTRA_BYTES

    def test_by_day_it_is_refused_before_any_of_it_is_made(self, house, ann, heavy):
        before = house.server.peak_rss_bytes()
        path = f"/api/entries?calendar_id={heavy}&highlighted_day=2026-08-01"
        with nobody_waits(house.server):
            for answer in at_once(8, lambda: ann.get(path)):
                refused(answer, 413, "ask for fewer")
        if not house.server.sanitized:
            assert house.server.peak_rss_bytes() - before < EXTRA_BYTES

    def test_whoever_is_busy_with_it_is_told_quickly(self, house, ann, heavy):
        before = house.server.peak_rss_bytes()
        path = f"/api/freebusy?users={ann.email}&from=2026-02-02T00:00:00Z&to=2026-04-04T00:00:00Z"
        answers = at_once(4, lambda: done(ann.get(path)))
        assert all(len(one["people"][0]["busy"]) == 1 for one in answers)
        if not house.server.sanitized:
            assert house.server.peak_rss_bytes() - before < EXTRA_BYTES

    def test_a_file_of_it_is_as_long_as_what_is_stored(self, house, ann, heavy):
        before = house.server.peak_rss_bytes()
        feed = done(ann.post(f"/api/calendars/{heavy}/feeds", {"name": "Phone"}), 201)
        for path in (f"/api/calendars/{heavy}/export", urllib.parse.urlsplit(feed["url"]).path):
            answer = ann.get(path)
            assert answer.text.count("BEGIN:VEVENT") == SERIES
            assert answer.header("transfer-encoding") == "chunked"
        if not house.server.sanitized:
            assert house.server.peak_rss_bytes() - before < EXTRA_BYTES


class TestPages:
    def test_together_they_have_everything_once_and_in_order(self, house, ann):
        work, home = ann.make_calendar("Work"), ann.make_calendar("Home")
        fill(ann, work, 20, description=TEXT, recurrence={"rule": "FREQ=DAILY;COUNT=30"})
        fill(ann, work, 60, description=TEXT, startDate="2026-02-10", kind="timed", startTime="09:00", endTime="10:00",
             timeZone="Europe/Berlin")
        fill(ann, home, 60, description=TEXT, startDate="2026-02-14", endDate="2026-02-20", kind="multi-day")
        for zone in ("", "&time_zone=Asia/Tokyo"):
            pages = list(pages_of(ann, year_of(work, home) + zone))
            assert len(pages) > 2
            everything = [entry for page in pages for entry in page]
            assert len(everything) == 20 * 30 + 60 + 60
            assert len({(one["id"], one.get("occurrence")) for one in everything}) == len(everything)
            if not zone:
                starts = [(one["startDate"], one.get("startTime") or "") for one in everything]
                assert starts == sorted(starts)

    def test_what_began_before_the_first_day_is_on_the_first_page(self, ann):
        work = ann.make_calendar()
        fill(ann, work, 300, description=TEXT, kind="multi-day", startDate="2026-02-07", endDate="2026-02-12")
        fill(ann, work, 10, startDate="2026-02-12")
        path = f"/api/entries?calendar_id={work}&from=2026-02-11&to=2026-02-20"
        pages = list(pages_of(ann, path))
        assert [len(page) for page in pages][0] < 300 and sum(map(len, pages)) == 310
        assert {one["startDate"] for one in pages[0]} == {"2026-02-07"}

    def test_a_moved_occurrence_at_the_time_of_another_is_not_lost(self, ann):
        work = ann.make_calendar()
        series = ann.make_entry(work, kind="timed", startTime="09:00", endTime="10:00", timeZone="UTC",
                                description=TEXT, recurrence={"rule": "FREQ=DAILY;COUNT=400"})
        for day in ("03", "04", "05"):
            done(ann.put(f"/api/entries/{series['id']}?occurrence=2026-02-{day}T09:00&scope=this",
                         {"startDate": "2026-02-06", "endDate": "2026-02-06"}))
        pages = list(pages_of(ann, year_of(work)))
        assert len(pages) > 1 and sum(map(len, pages)) == 365

    def test_a_place_that_no_page_named_is_refused(self, ann):
        path = year_of(ann.make_calendar())
        for wrong in ("x", "AAAA", "MjAyNi0wMi0wMg"):
            refused(ann.get(f"{path}&after={wrong}"), 400)

    def test_a_short_answer_has_no_further_page(self, ann):
        work = ann.make_calendar()
        ann.make_entry(work)
        assert "after" not in done(ann.get(year_of(work)))

    def test_the_trash_and_the_search_end_a_page_by_its_length(self, ann):
        work = ann.make_calendar()
        fill(ann, work, 400, description=TEXT)
        found = [one for page in pages_of(ann, f"/api/search?q=chair&calendar_id={work}&limit=500") for one in page]
        assert len({one["id"] for one in found}) == 400
        for first in range(0, 400, 10):
            orders = [{"deed": "delete", "id": one["id"]} for one in found[first:first + 10]]
            done(ann.post("/api/entries/batch", {"changes": orders}))
        pages = list(pages_of(ann, f"/api/calendars/{work}/trash?limit=500"))
        assert len(pages) > 1 and len({one["id"] for page in pages for one in page}) == 400


def test_too_many_occurrences_are_refused_without_keeping_others_waiting(house, ann):
    """Short entries, so that it is their number that is too much."""
    work = ann.make_calendar()
    fill(ann, work, 900, recurrence={"rule": "FREQ=DAILY"})
    answers: list = []
    with nobody_waits(house.server):
        for _ in range(4):
            answers += at_once(8, lambda: ann.get(year_of(work)))
    assert {answer.status for answer in answers} <= {200, 413}
    verified(house)


def test_a_month_is_answered_alike_by_io_threads_and_by_workers(ann):
    work = ann.make_calendar()
    fill(ann, work, 50, recurrence={"rule": "FREQ=WEEKLY"})
    path = f"/api/entries?calendar_id={work}&from=2026-02-01&to=2026-02-28"
    read, kept = ann.get(path), ann.get(path)
    assert done(read) == done(kept) and len(done(kept)["entries"]) == 200
    short = ann.get(path, headers={"Accept-Encoding": "gzip"})
    assert short.header("content-encoding") == "gzip"
    assert json.loads(gzip.decompress(short.body)) == done(kept)
