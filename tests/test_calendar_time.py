# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""When entries take place: lists of days, zones and their clocks, and what was there before the window began."""

import time
import uuid

import pytest
from calendar_client import MONDAY, CalendarClient, done, refused
from identity_client import start_house


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org", time_zone="Europe/Berlin"))


@pytest.fixture
def work(ann):
    return ann.make_calendar()


def days_of(client, calendar: str, day: str, before: int = 1, after: int = 1) -> dict[str, list[str]]:
    """Titles by day, as the list of days has them."""
    path = f"/api/entries?calendar_id={calendar}&highlighted_day={day}&before={before}&after={after}"
    return {one["date"]: [entry["title"] for entry in one["entries"]] for one in done(client.get(path))}


def timed(start: str, end: str, **more) -> dict:
    return {"kind": "timed", "startTime": start, "endTime": end} | more


class TestDays:
    def test_there_is_one_element_for_each_day(self, ann, work):
        listed = done(ann.get(f"/api/entries?calendar_id={work}&highlighted_day=2024-02-28&before=1&after=3"))
        assert [one["date"] for one in listed] == ["2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"]
        assert all(one["entries"] == [] for one in listed)
        assert len(done(ann.get(f"/api/entries?calendar_id={work}"))) == 731
        assert len(done(ann.get(f"/api/entries?calendar_id={work}&highlighted_day={MONDAY}&before=0&after=0"))) == 1

    def test_an_entry_stands_on_every_day_it_touches(self, ann, work):
        ann.make_entry(work, title="Trip", kind="multi-day", startDate="2026-01-30", endDate="2026-02-03")
        ann.make_entry(work, title="Night", startDate="2026-02-01", endDate="2026-02-02", **timed("22:00", "06:00"))
        ann.make_entry(work, title="Day", startDate="2026-02-02")
        assert days_of(ann, work, "2026-02-02", 2, 2) == {
            "2026-01-31": ["Trip"], "2026-02-01": ["Trip", "Night"], "2026-02-02": ["Trip", "Night", "Day"],
            "2026-02-03": ["Trip"], "2026-02-04": []}

    def test_what_ends_at_midnight_is_not_on_the_day_that_begins(self, ann, work):
        ann.make_entry(work, title="Evening", endDate="2026-02-03", **timed("20:00", "00:00"))
        ann.make_entry(work, title="Evenings", startDate="2026-03-02", endDate="2026-03-03",
                       recurrence={"rule": "FREQ=WEEKLY;COUNT=2"}, **timed("20:00", "00:00"))
        assert days_of(ann, work, "2026-02-03") == {"2026-02-02": ["Evening"], "2026-02-03": [], "2026-02-04": []}
        assert days_of(ann, work, "2026-03-10") == {"2026-03-09": ["Evenings"], "2026-03-10": [], "2026-03-11": []}
        assert ann.titles(work, "2026-02-03", "2026-02-03") == []
        assert ann.titles(work, "2026-02-03", "2026-02-03", "Europe/Berlin") == []

    def test_what_began_before_the_window_is_found(self, ann, work):
        ann.make_entry(work, title="Week", kind="multi-day", startDate="2026-01-28", endDate="2026-02-09")
        ann.make_entry(work, title="Month", kind="multi-day", startDate="2026-01-05", endDate="2026-02-28")
        ann.make_entry(work, title="Year", kind="multi-day", startDate="2025-06-01", endDate="2026-05-31")
        ann.make_entry(work, title="Decade", kind="multi-day", startDate="2018-01-01", endDate="2027-12-31")
        ann.make_entry(work, title="Yearly", startDate="1990-02-04", recurrence={"rule": "FREQ=YEARLY"})
        ann.make_entry(work, title="Counted", startDate="2025-12-01", recurrence={"rule": "FREQ=DAILY;COUNT=66"})
        ann.make_entry(work, title="Long", kind="multi-day", startDate="2025-12-01", endDate="2025-12-20",
                       recurrence={"rule": "FREQ=MONTHLY;INTERVAL=2"})
        found = {"Week", "Month", "Year", "Decade", "Yearly", "Counted", "Long"}
        assert set(ann.titles(work, "2026-02-04", "2026-02-04")) == found
        assert set(days_of(ann, work, "2026-02-04", 0, 0)["2026-02-04"]) == found
        assert set(ann.titles(work, "2026-02-04", "2026-02-04", "Asia/Tokyo")) == found
        assert set(ann.titles(work, "2026-02-05", "2026-02-05")) == found - {"Yearly", "Counted"}
        assert ann.titles(work, "2028-01-01", "2028-01-31") == []

    def test_every_place_in_a_short_entry_is_found(self, ann, work):
        """An index by weeks has edges: all starts and lengths against all days."""
        for start in range(1, 15):
            for length in (0, 1, 6, 7, 8, 13, 14, 15):
                ann.make_entry(work, title=f"{start}+{length}", kind="multi-day", startDate=f"2026-06-{start:02}",
                               endDate=f"2026-06-{start + length:02}")
        for day in range(1, 31):
            expected = {f"{start}+{length}" for start in range(1, 15) for length in (0, 1, 6, 7, 8, 13, 14, 15)
                        if start <= day <= start + length}
            titles = ann.titles(work, f"2026-06-{day:02}", f"2026-06-{day:02}")
            assert len(titles) == len(set(titles))
            assert set(titles) == expected, day

    def test_several_calendars_are_one_list_by_start(self, ann, work):
        other = ann.make_calendar("Other")
        ann.make_entry(work, title="9", **timed("09:00", "10:00"))
        ann.make_entry(other, title="8", **timed("08:00", "10:00"))
        ann.make_entry(other, title="0")
        assert ann.titles(f"{work},{other},{work}", MONDAY, MONDAY) == ["0", "8", "9"]
        assert days_of(ann, f"{work},{other}", MONDAY, 0, 0) == {MONDAY: ["0", "8", "9"]}

    def test_questions_that_cannot_be_are_refused(self, ann, work):
        many = ",".join(str(uuid.uuid4()) for _ in range(21))
        for query in ("", "calendar_id=x", f"calendar_id={many}"):
            refused(ann.get(f"/api/entries?{query}"), 400, "calendar_id")
        for query, words in (
                ("highlighted_day=x", "highlighted_day"), ("before=-1", "before"), ("after=1001", "after"),
                ("from=2026-01-01", "to"), ("to=2026-01-01", "from"), ("from=2026-01-02&to=2026-01-01", "to"),
                ("from=2026-01-01&to=2027-02-05", "to"), ("from=2026-01-01&to=2026-01-01&time_zone=Mars", "zone")):
            refused(ann.get(f"/api/entries?calendar_id={work}&{query}"), 400, words)
        assert ann.listed(work, "2026-01-01", "2027-02-04") == []


class TestZones:
    def test_late_in_new_york_is_tomorrow_in_berlin(self, ann, work):
        ann.make_entry(work, title="Call", timeZone="America/New_York", **timed("23:00", "23:30"))
        assert ann.titles(work, MONDAY, MONDAY) == ["Call"]
        assert ann.titles(work, MONDAY, MONDAY, "America/New_York") == ["Call"]
        assert ann.titles(work, MONDAY, MONDAY, "Europe/Berlin") == []
        assert ann.titles(work, "2026-02-03", "2026-02-03", "Europe/Berlin") == ["Call"]
        (call,) = ann.listed(work, "2026-02-03", "2026-02-03", "Europe/Berlin")
        assert (call["startDate"], call["startTime"], call["timeZone"]) == (MONDAY, "23:00", "America/New_York")

    def test_the_other_side_of_the_date_line_is_reached(self, ann, work):
        ann.make_entry(work, title="Early", startDate="2026-02-03", timeZone="Pacific/Kiritimati",
                       **timed("00:30", "01:00"))
        assert ann.titles(work, "2026-02-01", "2026-02-01", "Pacific/Pago_Pago") == ["Early"]
        ann.make_entry(work, title="Late", startDate="2026-02-10", timeZone="Pacific/Pago_Pago",
                       **timed("23:30", "23:59"))
        assert ann.titles(work, "2026-02-12", "2026-02-12", "Pacific/Kiritimati") == ["Late"]

    def test_occurrences_are_placed_in_the_zone_one_by_one(self, ann, work):
        ann.make_entry(work, title="Daily", timeZone="America/New_York", recurrence={"rule": "FREQ=DAILY;COUNT=3"},
                       **timed("23:00", "23:30"))
        found = [ann.titles(work, day, day, "Europe/Berlin")
                 for day in ("2026-02-02", "2026-02-03", "2026-02-05", "2026-02-06")]
        assert found == [[], ["Daily"], ["Daily"], []]

    def test_a_whole_day_is_the_same_day_everywhere(self, ann, work):
        ann.make_entry(work, title="Day", timeZone="America/New_York")
        ann.make_entry(work, title="Days", kind="multi-day", endDate="2026-02-03")
        ann.make_entry(work, title="Task", kind="task")
        for zone in (None, "Pacific/Kiritimati", "Pacific/Pago_Pago"):
            assert set(ann.titles(work, MONDAY, MONDAY, zone)) == {"Day", "Days", "Task"}
            assert ann.titles(work, "2026-02-01", "2026-02-01", zone) == []
            assert ann.titles(work, "2026-02-03", "2026-02-03", zone) == ["Days"]
        assert all("timeZone" not in one for one in ann.listed(work, MONDAY, MONDAY))

    def test_clocks_that_change_keep_the_time_of_day(self, ann, work):
        for title, start in (("Spring", "2026-03-27"), ("Autumn", "2026-10-23")):
            ann.make_entry(work, title=title, startDate=start, recurrence={"rule": "FREQ=DAILY;COUNT=5"},
                           **timed("09:00", "10:00"))
        spring = ann.listed(work, "2026-03-27", "2026-03-31", "Europe/Berlin")
        assert [(one["startDate"], one["startTime"]) for one in spring] == [
            (f"2026-03-{day}", "09:00") for day in range(27, 32)]
        assert len(ann.listed(work, "2026-10-23", "2026-10-27", "Europe/Berlin")) == 5
        # Half past eight in Berlin is after midnight in Los Angeles, and before it once Berlin has changed its clocks.
        ann.make_entry(work, title="Call", startDate="2026-03-27", recurrence={"rule": "FREQ=DAILY;COUNT=5"},
                       **timed("08:30", "08:45"))
        abroad = [ann.titles(work, f"2026-03-{day}", f"2026-03-{day}", "America/Los_Angeles").count("Call")
                  for day in range(26, 32)]
        assert abroad == [0, 1, 2, 1, 1, 0]

    def test_an_hour_that_does_not_exist_or_comes_twice_is_no_trouble(self, ann, work):
        ann.make_entry(work, title="Gap", startDate="2026-03-28", recurrence={"rule": "FREQ=DAILY;COUNT=3"},
                       **timed("02:30", "03:00"))
        ann.make_entry(work, title="Twice", startDate="2026-10-24", recurrence={"rule": "FREQ=DAILY;COUNT=3"},
                       **timed("02:30", "03:00"))
        for first, last, title in (("2026-03-28", "2026-03-30", "Gap"), ("2026-10-24", "2026-10-26", "Twice")):
            for zone in (None, "Europe/Berlin", "UTC"):
                assert ann.titles(work, first, last, zone) == [title] * 3

    def test_the_day_on_which_clocks_go_back_has_its_last_hour(self, ann, work):
        ann.make_entry(work, title="Last", startDate="2026-10-25", **timed("23:30", "23:45"))
        ann.make_entry(work, title="First", startDate="2026-10-25", **timed("00:00", "00:15"))
        assert ann.titles(work, "2026-10-25", "2026-10-25", "Europe/Berlin") == ["First", "Last"]
        assert ann.titles(work, "2026-10-24", "2026-10-24", "Europe/Berlin") == []
        assert ann.titles(work, "2026-10-26", "2026-10-26", "Europe/Berlin") == []


class TestRules:
    def test_leap_days_come_in_leap_years(self, ann, work):
        entry = ann.make_entry(work, title="Leap", startDate="2024-02-29", recurrence={"rule": "FREQ=YEARLY"})
        assert entry["startDate"] == "2024-02-29"
        found = [ann.starts(work, f"{year}-02-01", f"{year}-03-31") for year in range(2024, 2029)]
        assert found == [["2024-02-29"], [], [], [], ["2028-02-29"]]
        assert ann.starts(work, "2104-02-01", "2104-03-31") == ["2104-02-29"]
        assert ann.starts(work, "2100-02-01", "2100-03-31") == []

    def test_additions_and_exceptions_count(self, ann, work):
        ann.make_entry(work, title="A", recurrence={
            "rule": "FREQ=WEEKLY;COUNT=3", "additions": ["2026-02-05T00:00"], "exceptions": ["2026-02-09T00:00"]})
        assert ann.starts(work, "2026-02-01", "2026-03-31") == ["2026-02-02", "2026-02-05", "2026-02-16"]

    def test_a_form_brings_a_rule_and_takes_it_away(self, ann, work):
        form = {"calendar_id": work, "title": "A", "start_date": MONDAY, "entry_type": "all_day",
                "rule": "FREQ=DAILY;COUNT=3"}
        entry = done(ann.post("/api/entries", form=form), 201)
        assert entry["recurrence"]["rule"] == "FREQ=DAILY;COUNT=3"
        assert len(ann.listed(work, MONDAY, "2026-02-28")) == 3
        done(ann.put(f"/api/entries/{entry['id']}", form={"rule": "FREQ=DAILY;COUNT=4"}))
        assert len(ann.listed(work, MONDAY, "2026-02-28")) == 4
        assert "recurrence" not in done(ann.put(f"/api/entries/{entry['id']}", form={"rule": ""}))
        assert len(ann.listed(work, MONDAY, "2026-02-28")) == 1

    def test_hostile_rules_are_refused_quickly_and_plainly(self, ann, work):
        for rule in ("FREQ=SECONDLY", "FREQ=MINUTELY", "FREQ=HOURLY", "FREQ=DAILY;COUNT=1000000000",
                     "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=2;UNTIL=20300101", "FREQ=DAILY;BYHOUR=" + ",".join(map(str, range(24))) +
                     ";BYMINUTE=" + ",".join(map(str, range(60))), "FREQ=YEARLY;BYMONTH=13", "FREQ=" + "X" * 4000,
                     "FREQ=DAILY;FREQ=DAILY", "RSCALE=HEBREW;FREQ=YEARLY", "FREQ=WEEKLY;BYDAY=1MO", "no rule at all"):
            began = time.monotonic()
            for kind in ({"kind": "all-day"}, timed("09:00", "10:00")):
                body = {"calendarId": work, "title": "A", "startDate": MONDAY, "recurrence": {"rule": rule}} | kind
                assert len(refused(ann.post("/api/entries", body), 400)) > 10, rule
            assert time.monotonic() - began < 2, rule

    def test_rules_that_never_come_are_no_trouble(self, ann, work):
        for rule in ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6,9,11",
                     "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31;COUNT=10000", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6"):
            began = time.monotonic()
            answer = ann.post("/api/entries", {"calendarId": work, "kind": "all-day", "title": "A", "startDate": MONDAY,
                                               "recurrence": {"rule": rule}})
            assert answer.status in (201, 400, 413), answer.text
            assert time.monotonic() - began < 2, rule
        assert {*ann.starts(work, "2026-01-01", "2026-12-31")} <= {MONDAY}

    def test_a_preview_stores_nothing(self, ann, work):
        body = {"start": "2026-03-28T02:30", "rule": "freq=daily;count=3", "time_zone": "Europe/Berlin"}
        preview = done(ann.post("/api/recurrence/preview", body))
        assert preview == {"rule": "FREQ=DAILY;COUNT=3",
                           "starts": ["2026-03-28T02:30", "2026-03-29T02:30", "2026-03-30T02:30"]}
        endless = done(ann.post("/api/recurrence/preview", {"start": "2026-01-01T00:00", "rule": "FREQ=DAILY"}))
        assert len(endless["starts"]) == 10
        for more in ({"count": 0}, {"count": 101}, {"rule": "x"}, {"start": "x"}, {"time_zone": "x"}):
            refused(ann.post("/api/recurrence/preview", body | more), 400)
