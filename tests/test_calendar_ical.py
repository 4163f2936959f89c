# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Calendars as iCalendar files: brought in, taken out, and brought in elsewhere."""

import concurrent.futures
import datetime
import json

import icalendar
import pytest
from calendar_client import MONDAY, CalendarClient, done, path_of, refused, verified
from identity_client import start_house

# Importing many entries takes as long as the machine is busy with other things.
PATIENCE = 120.0


def lines(*texts: str) -> str:
    return "".join(text + "\r\n" for text in texts)


def event(uid: str, *more: str, start: str = "20260202T090000Z", summary: str = "Standup") -> str:
    return lines("BEGIN:VEVENT", f"UID:{uid}", f"DTSTART:{start}", f"SUMMARY:{summary}", *more, "END:VEVENT")


def calendar_file(*items: str, head: str = "") -> str:
    return lines("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Somebody//EN") + head + "".join(items) + \
        lines("END:VCALENDAR")


def many(count: int) -> str:
    """A file of appointments over thirty years, some of them repeated."""
    first = datetime.date(2000, 1, 1)
    items = []
    for number in range(count):
        day = (first + datetime.timedelta(days=number % 10_000)).strftime("%Y%m%d")
        more = ["RRULE:FREQ=WEEKLY;COUNT=5"] if number % 20 == 0 else []
        items.append(event(f"{number}@example.org", "DURATION:PT1H", *more, start=f"{day}T{number % 24:02}0000Z",
                           summary=f"Appointment {number}"))
    return calendar_file(*items)


def bring_in(client: CalendarClient, calendar: str, text: str, accept: str = "application/json"):
    headers = client.who | {"Content-Type": "text/calendar", "Accept": accept}
    return client.house.server.request("POST", f"/api/calendars/{calendar}/import", text.encode(), headers, PATIENCE)


def take_out(client: CalendarClient, calendar: str) -> str:
    answer = client.get(f"/api/calendars/{calendar}/export", deadline=PATIENCE)
    assert answer.status == 200, answer.text
    assert answer.header("content-type") == "text/calendar; charset=utf-8"
    return answer.text


def counts(report: dict) -> tuple[int, int, int, int]:
    return report["added"], report["updated"], report["unchanged"], report["refused_count"]


def all_entries(client: CalendarClient, calendar: str) -> list[dict]:
    """The records, by title, without what another server has otherwise."""
    found = {}
    answer = done(client.get(f"/api/search?calendar_id={calendar}&q=the&limit=500"))
    for one in answer["entries"]:
        found[one["title"]] = {name: value for name, value in client.entry(one).items() if name not in (
            "id", "calendarId", "uid", "sequence", "createdAt", "updatedAt", "createdBy", "updatedBy")}
    return [found[title] for title in sorted(found)]


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def work(ann):
    return ann.make_calendar()


class TestImport:
    def test_entries_are_there_afterwards(self, house, ann, work):
        text = calendar_file(
            event("a@x", "DTEND:20260202T093000Z", "LOCATION:Room 1"),
            lines("BEGIN:VEVENT", "UID:b@x", "DTSTART;VALUE=DATE:20260203", "DTEND;VALUE=DATE:20260206",
                  "SUMMARY:Holidays", "TRANSP:TRANSPARENT", "END:VEVENT"),
            lines("BEGIN:VTODO", "UID:c@x", "DUE;VALUE=DATE:20260204", "SUMMARY:Taxes", "STATUS:COMPLETED", "END:VTODO"))
        assert counts(done(bring_in(ann, work, text))) == (3, 0, 0, 0)
        standup, holidays, taxes = ann.listed(work, "2026-02-01", "2026-02-28")
        assert (standup["kind"], standup["startTime"], standup["timeZone"]) == ("timed", "09:00", "UTC")
        assert (standup["location"], standup["uid"], standup["endTime"]) == ("Room 1", "a@x", "09:30")
        assert (holidays["kind"], holidays["endDate"], holidays["transparent"]) == ("multi-day", "2026-02-05", True)
        assert (taxes["kind"], taxes["completed"], taxes["startDate"]) == ("task", True, "2026-02-04")
        assert ann.history(standup)[0]["label"] == "import"
        verified(house)

    def test_the_same_uid_changes_instead_of_doubling(self, ann, work):
        assert counts(done(bring_in(ann, work, calendar_file(event("a@x"))))) == (1, 0, 0, 0)
        before = ann.listed(work, MONDAY, MONDAY)
        stamped = calendar_file(event("a@x", "DTSTAMP:20300101T000000Z", "SEQUENCE:7"))
        assert counts(done(bring_in(ann, work, stamped))) == (0, 0, 1, 0)
        assert ann.listed(work, MONDAY, MONDAY) == before
        assert counts(done(bring_in(ann, work, calendar_file(event("a@x", summary="Later"))))) == (0, 1, 0, 0)
        assert ann.titles(work, MONDAY, MONDAY) == ["Later"]

    def test_occurrences_find_their_series_wherever_they_stand(self, ann, work):
        moved = event("s@x", "RECURRENCE-ID:20260203T090000Z", start="20260203T110000Z", summary="Moved")
        gone = event("s@x", "RECURRENCE-ID:20260204T090000Z", "STATUS:CANCELLED")
        series = event("s@x", "RRULE:FREQ=DAILY;COUNT=4", "DURATION:PT1H")
        assert counts(done(bring_in(ann, work, calendar_file(moved, series, gone)))) == (1, 0, 0, 0)
        assert ann.starts(work, "2026-02-01", "2026-02-28") == \
            ["2026-02-02 09:00", "2026-02-03 11:00", "2026-02-05 09:00"]
        assert ann.titles(work, "2026-02-03", "2026-02-03") == ["Moved"]
        assert counts(done(bring_in(ann, work, calendar_file(series, gone, moved)))) == (0, 0, 1, 0)
        later = event("s@x", "RECURRENCE-ID:20260205T090000Z", start="20260206T090000Z", summary="Late")
        assert counts(done(bring_in(ann, work, calendar_file(later)))) == (0, 1, 0, 0)
        assert ann.titles(work, "2026-02-01", "2026-02-28") == ["Standup", "Moved", "Late"]

    def test_an_occurrence_without_series_is_an_entry(self, ann, work):
        alone = event("s@x", "RECURRENCE-ID:20260203T090000Z", start="20260203T110000Z", summary="Alone")
        assert counts(done(bring_in(ann, work, calendar_file(alone)))) == (1, 0, 0, 0)
        assert counts(done(bring_in(ann, work, calendar_file(alone)))) == (0, 0, 1, 0)
        assert ann.starts(work, "2026-02-01", "2026-02-28") == ["2026-02-03 11:00"]

    def test_what_is_refused_is_named_with_its_line(self, ann, work):
        text = calendar_file(event("a@x", summary="Good"), event("b@x", "RRULE:FREQ=NEVER", summary="Bad rule"),
                             event("c@x", start="20260230T090000Z", summary="No such day"),
                             event("d@x", summary="Good as well"))
        report = done(bring_in(ann, work, text))
        assert counts(report) == (2, 0, 0, 2)
        assert [(one["line"], one["uid"], one["summary"]) for one in report["refused"]] == \
            [(9, "b@x", "Bad rule"), (15, "c@x", "No such day")]
        assert all(one["reason"] for one in report["refused"])
        assert "line 13" in report["refused"][0]["reason"]
        assert sorted(ann.titles(work, MONDAY, MONDAY)) == ["Good", "Good as well"]

    def test_long_words_are_cut_and_that_is_told(self, ann, work):
        report = done(bring_in(ann, work, calendar_file(event("a@x", summary="ä" * 300))))
        assert counts(report) == (1, 0, 0, 0)
        assert ann.titles(work, MONDAY, MONDAY) == ["ä" * 200]
        assert any(note.startswith("line 4: SUMMARY cut") for note in report["notes"])

    def test_of_two_with_one_uid_one_counts(self, ann, work):
        report = done(bring_in(ann, work, calendar_file(
            event("a@x", "SEQUENCE:2", summary="Newer"), event("a@x", "SEQUENCE:1", summary="Older"))))
        assert counts(report) == (1, 0, 0, 1)
        assert ann.titles(work, MONDAY, MONDAY) == ["Newer"]

    def test_a_cancelled_one_goes(self, ann, work):
        done(bring_in(ann, work, calendar_file(event("a@x"))))
        assert counts(done(bring_in(ann, work, calendar_file(event("a@x", "STATUS:CANCELLED"))))) == (0, 1, 0, 0)
        assert ann.titles(work, MONDAY, MONDAY) == []
        assert counts(done(bring_in(ann, work, calendar_file(event("a@x", "STATUS:CANCELLED"))))) == (0, 0, 1, 0)

    def test_progress_comes_line_by_line(self, ann, work):
        answer = bring_in(ann, work, many(600), "application/x-ndjson")
        assert (answer.status, answer.header("content-type")) == (200, "application/x-ndjson")
        *progress, report = (json.loads(line) for line in answer.text.splitlines())
        assert [one["of"] for one in progress] == [600] * len(progress)
        assert len(progress) >= 2 and progress[-1]["done"] == 600
        assert counts(report) == (600, 0, 0, 0)

    def test_who_may_not_write_brings_nothing_in(self, house, ann, work):
        bob = CalendarClient(house, house.make_user("bob@example.org"))
        refused(bring_in(bob, work, calendar_file(event("a@x"))), 404)
        ann.share(work, bob, "reader")
        refused(bring_in(bob, work, calendar_file(event("a@x"))), 403)

    def test_what_is_no_calendar_is_told_apart(self, ann, work):
        refused(bring_in(ann, work, "Dear Sir"), 400, "not an iCalendar file")
        refused(bring_in(ann, work, lines("BEGIN:VCALENDAR", "VERSION:1.0", "END:VCALENDAR")), 400, "1.0")
        refused(ann.post(f"/api/calendars/{work}/import", {}), 400, "text/calendar")


class TestExport:
    def make_entries(self, ann, work) -> None:
        ann.make_entry(work, title="the meeting", kind="timed", startDate=MONDAY, startTime="09:00", endTime="10:30",
                       timeZone="Europe/Berlin", description="a\nb; c, \\d", location="Room; 1", color="#AABBCC",
                       reminders=[{"minutesBefore": 10}, {"minutesBefore": 60}], transparent=True)
        ann.make_entry(work, title="the night", kind="timed", startDate=MONDAY, startTime="23:00", endDate="2026-02-03",
                       endTime="01:00", timeZone="America/New_York")
        ann.make_entry(work, title="the day 🎉", startDate="2026-02-28")
        ann.make_entry(work, title="the week", kind="multi-day", startDate=MONDAY, endDate="2026-02-08")
        ann.make_entry(work, title="the task", kind="task", startDate=MONDAY, completed=True)
        ann.make_entry(work, title="the task at noon", kind="task", startDate=MONDAY, startTime="12:00",
                       timeZone="Asia/Tokyo", recurrence={"rule": "FREQ=WEEKLY;COUNT=3"})
        series = ann.make_entry(work, title="the series", kind="timed", startDate=MONDAY, startTime="09:00",
                                endTime="10:00", timeZone="Europe/Berlin",
                                recurrence={"rule": "FREQ=DAILY;UNTIL=20260501T000000", "additions": ["2026-06-01T15:00"],
                                            "exceptions": ["2026-02-05T09:00"]})
        one = path_of(series)
        done(ann.put(f"{one}?occurrence=2026-02-03T09:00&scope=this", {"title": "another title", "startTime": "11:00"}))
        done(ann.put(f"{one}?occurrence=2026-02-04T09:00&scope=this", {"location": "Elsewhere"}))
        done(ann.delete(f"{one}?occurrence=2026-02-06T09:00&scope=this"))

    def test_brought_in_elsewhere_everything_is_the_same(self, make_server, house, ann, work):
        self.make_entries(ann, work)
        exported = take_out(ann, work)
        there = start_house(make_server)
        bob = CalendarClient(there, there.make_user("bob@example.org"))
        other = bob.make_calendar("Other")
        assert counts(done(bring_in(bob, other, exported))) == (7, 0, 0, 0)
        assert all_entries(bob, other) == all_entries(ann, work)
        assert len(all_entries(ann, work)) == 7
        assert bob.starts(other, "2026-02-01", "2026-06-30") == ann.starts(work, "2026-02-01", "2026-06-30")
        verified(there)

    def test_brought_in_at_home_nothing_changes(self, ann, work):
        self.make_entries(ann, work)
        assert counts(done(bring_in(ann, work, take_out(ann, work)))) == (0, 0, 7, 0)

    def test_it_says_what_it_is(self, ann):
        calendar = ann.make_calendar('Ä "plan"/x', color="#112233", description="What we do")
        answer = ann.get(f"/api/calendars/{calendar}/export")
        assert answer.header("content-disposition") == \
            'attachment; filename="__ _plan__x.ics"; filename*=UTF-8\'\'%C3%84%20%22plan%22%2Fx.ics'
        assert "X-WR-CALNAME:Ä \"plan\"/x\r\n" in answer.text
        assert "X-APPLE-CALENDAR-COLOR:#112233\r\n" in answer.text
        assert answer.text.endswith("END:VCALENDAR\r\n")

    def test_another_reader_understands_it(self, ann, work):
        self.make_entries(ann, work)
        read = icalendar.Calendar.from_ical(take_out(ann, work))
        summaries = sorted(str(one["SUMMARY"]) for one in read.walk() if one.name in ("VEVENT", "VTODO"))
        assert summaries == ["another title", "the day 🎉", "the meeting", "the night", "the series", "the series",
                             "the task", "the task at noon", "the week"]
        meeting = next(one for one in read.walk("VEVENT") if one["SUMMARY"] == "the meeting")
        assert meeting.decoded("DTSTART").isoformat() == "2026-02-02T09:00:00+01:00"
        assert str(meeting["DESCRIPTION"]) == "a\nb; c, \\d"

    def test_readers_may_and_others_may_not(self, house, ann, work):
        bob = CalendarClient(house, house.make_user("bob@example.org"))
        refused(bob.get(f"/api/calendars/{work}/export"), 404)
        ann.share(work, bob, "reader")
        assert "VCALENDAR" in take_out(bob, work)


class TestMany:
    def test_twenty_thousand_come_in_while_others_ask(self, house, ann, work):
        bob = CalendarClient(house, house.make_user("bob@example.org"))
        ann.share(work, bob, "reader")
        text = many(20_000)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            bringing = pool.submit(bring_in, ann, work, text)
            asked = 0
            while not bringing.done():
                done(bob.get(f"/api/entries?calendar_id={work}&from=2010-03-01&to=2010-03-31", deadline=PATIENCE))
                asked += 1
        assert asked > 10
        assert counts(done(bringing.result())) == (20_000, 0, 0, 0)
        exported = take_out(ann, work)
        other = ann.make_calendar("Other")
        assert counts(done(bring_in(ann, other, exported))) == (20_000, 0, 0, 0)
        assert counts(done(bring_in(ann, other, exported))) == (0, 0, 20_000, 0)
        months = ("2005-07", "2012-11", "2020-02")
        for month in months:
            assert ann.starts(other, f"{month}-01", f"{month}-28") == ann.starts(work, f"{month}-01", f"{month}-28")
