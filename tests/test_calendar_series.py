# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Changing one occurrence of a series, those from one on, or all of them."""

import pytest
from calendar_client import CalendarClient, done, path_of, refused, verified
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


def part(entry: dict, occurrence: str, scope: str) -> str:
    return f"{path_of(entry)}?occurrence={occurrence}&scope={scope}"


def weekly(client, calendar: str, rule: str = "FREQ=WEEKLY;COUNT=4", **more) -> dict:
    """Mondays in February 2026, at nine."""
    usual = {"title": "Weekly", "kind": "timed", "startTime": "09:00", "endTime": "10:00", "recurrence": {"rule": rule}}
    return client.make_entry(calendar, **(usual | more))


def february(client, calendar: str) -> list[tuple[str, str]]:
    """Day of month, time of day, title."""
    listed = client.listed(calendar, "2026-02-01", "2026-02-28")
    return [(one["startDate"][8:], one["startTime"], one["title"]) for one in listed]


class TestThisOne:
    def test_it_differs_and_the_others_do_not(self, ann, work):
        entry = weekly(ann, work)
        changed = done(ann.put(part(entry, "2026-02-09T09:00", "this"), {"title": "Special", "startTime": "11:00"}))
        assert changed["id"] == entry["id"] and changed["title"] == "Weekly"
        assert february(ann, work) == [("02", "09:00", "Weekly"), ("09", "11:00", "Special"), ("16", "09:00", "Weekly"),
                                       ("23", "09:00", "Weekly")]
        (one,) = ann.listed(work, "2026-02-09", "2026-02-09")
        assert (one["occurrence"], one["endTime"]) == ("2026-02-09T09:00", "12:00")
        assert done(ann.get(f"{path_of(entry)}?occurrence=2026-02-09T09:00"))["title"] == "Special"
        done(ann.put(part(entry, "2026-02-09T09:00", "this"), {"title": "Weekly", "startTime": "09:00"}))
        assert done(ann.get(path_of(entry)))["recurrence"]["overrides"] == []

    def test_it_moves_out_of_the_window_and_into_it(self, house, ann, work):
        entry = weekly(ann, work)
        done(ann.put(part(entry, "2026-02-09T09:00", "this"), {"startDate": "2026-05-01"}))
        done(ann.put(part(entry, "2026-02-16T09:00", "this"), {"startDate": "2025-12-31"}))
        assert [day for day, _, _ in february(ann, work)] == ["02", "23"]
        assert ann.starts(work, "2026-05-01", "2026-05-01") == ["2026-05-01 09:00"]
        assert ann.starts(work, "2025-12-31", "2025-12-31") == ["2025-12-31 09:00"]
        assert ann.starts(work, "2026-02-09", "2026-02-09") == []
        verified(house)

    def test_it_can_be_left_out(self, ann, work):
        entry = weekly(ann, work)
        gone = ann.delete(part(entry, "2026-02-09T09:00", "this"))
        assert (gone.status, gone.body) == (200, b"")
        assert [day for day, _, _ in february(ann, work)] == ["02", "16", "23"]
        refused(ann.get(f"{path_of(entry)}?occurrence=2026-02-09T09:00"), 404)
        refused(ann.delete(part(entry, "2026-02-09T09:00", "this")), 404)
        for day in ("02", "16", "23"):
            assert ann.delete(part(entry, f"2026-02-{day}T09:00", "this")).status == 200
        refused(ann.get(path_of(entry)), 404)
        assert done(ann.get(f"/api/calendars/{work}/trash"))["entries"][0]["id"] == entry["id"]

    def test_one_that_the_series_does_not_have_is_not_found(self, ann, work):
        entry = weekly(ann, work)
        for occurrence in ("2026-02-10T09:00", "2026-02-09T10:00", "2026-03-02T09:00", "2026-01-26T09:00"):
            for scope in ("this", "following", "all"):
                refused(ann.put(part(entry, occurrence, scope), {"title": "B"}), 404, "occurrence")
            refused(ann.delete(part(entry, occurrence, "this")), 404, "occurrence")

    def test_what_only_the_series_has_is_refused(self, ann, work):
        entry = weekly(ann, work)
        for fields in ({"kind": "task"}, {"timeZone": "UTC"}, {"recurrence": {"rule": "FREQ=DAILY"}},
                       {"reminders": [{"minutesBefore": 1}]}, {"transparent": True}):
            refused(ann.put(part(entry, "2026-02-09T09:00", "this"), fields), 400, "series")
        refused(ann.put(part(entry, "2026-02-09T09:00", "this"), {"title": " "}), 400, "title")
        assert len(february(ann, work)) == 4

    def test_a_task_is_done_once_at_a_time(self, ann, work):
        entry = ann.make_entry(work, kind="task", title="Bins", recurrence={"rule": "FREQ=WEEKLY"})
        toggled = ann.patch(f"{path_of(entry)}/toggle?occurrence=2026-02-09T00:00")
        assert done(toggled)["id"] == entry["id"]
        listed = ann.listed(work, "2026-02-01", "2026-02-28")
        assert [(one["startDate"][8:], one["completed"]) for one in listed] == [
            ("02", False), ("09", True), ("16", False), ("23", False)]
        done(ann.patch(f"{path_of(entry)}/toggle?occurrence=2026-02-09"))
        assert not any(one["completed"] for one in ann.listed(work, "2026-02-01", "2026-02-28"))
        refused(ann.patch(f"{path_of(entry)}/toggle?occurrence=2026-02-10T00:00"), 404)


class TestFromOneOn:
    def test_they_become_a_series_of_their_own(self, house, ann, work):
        entry = weekly(ann, work)
        rest = done(ann.put(part(entry, "2026-02-16T09:00", "following"), {"title": "Later", "startTime": "14:00"}))
        assert rest["id"] != entry["id"]
        assert (rest["startDate"], rest["endTime"], rest["sequence"]) == ("2026-02-16", "15:00", 0)
        assert february(ann, work) == [("02", "09:00", "Weekly"), ("09", "09:00", "Weekly"), ("16", "14:00", "Later"),
                                       ("23", "14:00", "Later")]
        assert ann.starts(work, "2026-03-01", "2026-04-30") == []
        verified(house)

    def test_what_was_special_stays_special_on_its_side(self, ann, work):
        entry = weekly(ann, work, "FREQ=WEEKLY")
        done(ann.put(part(entry, "2026-02-09T09:00", "this"), {"title": "Early"}))
        done(ann.put(part(entry, "2026-02-23T09:00", "this"), {"title": "Late"}))
        ann.delete(part(entry, "2026-03-02T09:00", "this"))
        done(ann.put(part(entry, "2026-02-16T09:00", "following"), {"location": "Elsewhere"}))
        assert [title for _, _, title in february(ann, work)] == ["Weekly", "Early", "Weekly", "Late"]
        listed = ann.listed(work, "2026-02-01", "2026-03-15")
        assert [one.get("location") for one in listed] == [None, None, "Elsewhere", "Elsewhere", "Elsewhere"]

    def test_they_move_to_another_day(self, ann, work):
        entry = weekly(ann, work, "FREQ=WEEKLY;BYDAY=MO")
        done(ann.put(part(entry, "2026-02-16T09:00", "following"), {"startDate": "2026-02-18"}))
        assert [day for day, _, _ in february(ann, work)] == ["02", "09", "18", "25"]

    def test_from_the_first_on_it_is_all_of_them(self, ann, work):
        entry = weekly(ann, work)
        changed = done(ann.put(part(entry, "2026-02-02T09:00", "following"), {"title": "All"}))
        assert changed["id"] == entry["id"]
        assert {title for _, _, title in february(ann, work)} == {"All"}

    def test_they_can_be_deleted(self, ann, work):
        entry = weekly(ann, work, "FREQ=WEEKLY")
        assert ann.delete(part(entry, "2026-02-16T09:00", "following")).status == 200
        assert [day for day, _, _ in february(ann, work)] == ["02", "09"]
        assert ann.starts(work, "2026-03-01", "2026-12-31") == []
        assert ann.delete(part(entry, "2026-02-02T09:00", "following")).status == 200
        refused(ann.get(path_of(entry)), 404)

    def test_it_happens_once_however_often_it_is_sent(self, ann, work):
        entry = weekly(ann, work)
        key = {"Idempotency-Key": "split"}
        path = part(entry, "2026-02-16T09:00", "following")
        first, second = (ann.put(path, {"title": "Later"}, headers=key) for _ in range(2))
        assert done(first) == done(second)
        assert len(february(ann, work)) == 4


class TestAllOfThem:
    def test_words_change_everywhere_but_where_they_differ(self, ann, work):
        entry = weekly(ann, work)
        done(ann.put(part(entry, "2026-02-09T09:00", "this"), {"title": "Special"}))
        done(ann.put(part(entry, "2026-02-16T09:00", "all"), {"title": "Other"}))
        assert [title for _, _, title in february(ann, work)] == ["Other", "Special", "Other", "Other"]
        done(ann.put(path_of(entry), {"title": "Third"}))
        assert [title for _, _, title in february(ann, work)] == ["Third", "Special", "Third", "Third"]

    def test_a_weekly_series_moves_to_another_weekday(self, ann, work):
        entry = weekly(ann, work, "FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260225T235959")
        done(ann.put(part(entry, "2026-02-04T09:00", "this"), {"title": "Special"}))
        ann.delete(part(entry, "2026-02-09T09:00", "this"))
        assert [day for day, _, _ in february(ann, work)] == ["02", "04", "11", "16", "18", "23", "25"]
        done(ann.put(part(entry, "2026-02-16T09:00", "all"), {"startDate": "2026-02-17"}))
        assert [(day, title) for day, _, title in february(ann, work)] == [
            ("03", "Weekly"), ("05", "Special"), ("12", "Weekly"), ("17", "Weekly"), ("19", "Weekly"), ("24", "Weekly"),
            ("26", "Weekly")]

    def test_the_last_one_comes_along_to_a_later_time(self, ann, work):
        entry = weekly(ann, work, "FREQ=WEEKLY;UNTIL=20260223T090000")
        done(ann.put(path_of(entry), {"startTime": "15:00"}))
        assert february(ann, work) == [(day, "15:00", "Weekly") for day in ("02", "09", "16", "23")]
        done(ann.put(path_of(entry), {"startDate": "2026-02-04"}))
        assert [day for day, _, _ in february(ann, work)] == ["04", "11", "18", "25"]

    def test_a_new_time_of_day_takes_exceptions_along(self, ann, work):
        entry = weekly(ann, work)
        ann.delete(part(entry, "2026-02-09T09:00", "this"))
        done(ann.put(part(entry, "2026-02-16T09:00", "this"), {"title": "Special"}))
        done(ann.put(path_of(entry), {"startTime": "10:30"}))
        assert february(ann, work) == [("02", "10:30", "Weekly"), ("16", "10:30", "Special"), ("23", "10:30", "Weekly")]

    def test_a_rule_that_names_its_days_must_come_along(self, ann, work):
        entry = weekly(ann, work, "FREQ=MONTHLY;BYMONTHDAY=2;COUNT=3")
        refused(ann.put(path_of(entry), {"startDate": "2026-02-03"}), 400, "rule")
        body = {"startDate": "2026-02-03", "recurrence": {"rule": "FREQ=MONTHLY;BYMONTHDAY=3;COUNT=3"}}
        done(ann.put(path_of(entry), body))
        assert ann.starts(work, "2026-01-01", "2026-12-31") == [f"2026-0{month}-03 09:00" for month in (2, 3, 4)]

    def test_an_end_that_is_named_is_that_of_the_occurrence(self, ann, work):
        entry = ann.make_entry(work, kind="multi-day", endDate="2026-02-03", recurrence={"rule": "FREQ=WEEKLY;COUNT=3"})
        done(ann.put(part(entry, "2026-02-09", "all"), {"endDate": "2026-02-11"}))
        listed = ann.listed(work, "2026-02-01", "2026-02-28")
        assert [(one["startDate"][8:], one["endDate"][8:]) for one in listed] == [
            ("02", "04"), ("09", "11"), ("16", "18")]

    def test_what_one_was_moved_by_is_not_what_all_move_by(self, ann, work):
        """Clients send a form back whole, with the days and times that they were shown."""
        entry = weekly(ann, work)
        done(ann.put(part(entry, "2026-02-09T09:00", "this"), {"startDate": "2026-02-11", "startTime": "13:00"}))
        (shown,) = ann.listed(work, "2026-02-11", "2026-02-11")
        form = {"title": "Other", "start_date": shown["startDate"], "end_date": shown["endDate"],
                "start_time": shown["startTime"], "end_time": shown["endTime"]}
        done(ann.put(part(entry, "2026-02-09T09:00", "all"), form=form))
        assert february(ann, work) == [("02", "09:00", "Other"), ("11", "13:00", "Other"), ("16", "09:00", "Other"),
                                       ("23", "09:00", "Other")]
        done(ann.put(part(entry, "2026-02-09T09:00", "all"), form=form | {"start_date": "2026-02-12",
                                                                         "end_date": "2026-02-12"}))
        assert [day for day, _, _ in february(ann, work)] == ["03", "12", "17", "24"]

    def test_a_shorter_rule_forgets_what_was_special_behind_it(self, ann, work):
        entry = weekly(ann, work)
        done(ann.put(part(entry, "2026-02-23T09:00", "this"), {"title": "Special"}))
        done(ann.put(path_of(entry), {"recurrence": {"rule": "FREQ=WEEKLY;COUNT=2"}}))
        assert [title for _, _, title in february(ann, work)] == ["Weekly", "Weekly"]

    def test_without_times_it_still_leaves_out_what_was_left_out(self, ann, work):
        entry = weekly(ann, work, "FREQ=WEEKLY;UNTIL=20260223T090000")
        ann.delete(part(entry, "2026-02-09T09:00", "this"))
        done(ann.put(part(entry, "2026-02-16T09:00", "this"), {"title": "Special", "startTime": "11:00"}))
        done(ann.put(path_of(entry), {"kind": "all-day"}))
        listed = ann.listed(work, "2026-02-01", "2026-02-28")
        assert [(one["startDate"][8:], one["title"]) for one in listed] == [
            ("02", "Weekly"), ("16", "Special"), ("23", "Weekly")]
        assert not any("startTime" in one for one in listed)

    def test_they_are_deleted_together(self, ann, work):
        entry = weekly(ann, work)
        assert ann.delete(part(entry, "2026-02-09T09:00", "all")).status == 200
        assert february(ann, work) == []

    def test_of_two_who_change_parts_at_once_nothing_is_lost(self, ann, work):
        entry = weekly(ann, work)
        tag = ann.tag(path_of(entry))
        done(ann.put(part(entry, "2026-02-09T09:00", "this"), {"title": "A"}, if_match=tag))
        refused(ann.put(part(entry, "2026-02-16T09:00", "this"), {"title": "B"}, if_match=tag), 412)
        refused(ann.delete(part(entry, "2026-02-16T09:00", "this"), if_match=tag), 412)
        done(ann.put(part(entry, "2026-02-16T09:00", "this"), {"title": "B"}))
        assert [title for _, _, title in february(ann, work)] == ["Weekly", "A", "B", "Weekly"]
