# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Entries one by one and a few at once: their shapes, what is refused, and what becomes of changes that meet."""

import concurrent.futures
import datetime
import gzip
import threading

import pytest
from calendar_client import MONDAY, CalendarClient, done, path_of, refused
from identity_client import start_house

NOWHERE = "00000000-0000-4000-8000-00000000dead"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org", time_zone="Europe/Berlin"))


@pytest.fixture
def work(ann):
    return ann.make_calendar()


def form_of(calendar: str, kind: str, **more) -> dict:
    return {"calendar_id": calendar, "title": "Something", "start_date": MONDAY, "entry_type": kind} | more


def later(stamp: str, milliseconds: int) -> str:
    then = datetime.datetime.fromisoformat(stamp.replace("Z", "+00:00")) + datetime.timedelta(milliseconds=milliseconds)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


ALWAYS = {"id", "calendarId", "kind", "completed", "isMultiDay", "isAllDay", "isTimed", "isTask", "title", "startDate",
          "endDate", "reminders", "transparent", "uid", "sequence", "createdAt", "updatedAt", "createdBy", "updatedBy"}
FLAGS = {"all-day": "isAllDay", "timed": "isTimed", "task": "isTask", "multi-day": "isMultiDay"}


class TestKinds:
    @pytest.mark.parametrize("way", ["form", "json"])
    def test_all_four_have_the_shape_that_clients_know(self, ann, work, way):
        timed = {"start_time": "09:00", "end_time": "10:30"}
        for sent, kind, more, also in (
                ("all_day", "all-day", {}, {}),
                ("timed", "timed", timed, {"startTime": "09:00", "endTime": "10:30", "timeZone": "Europe/Berlin"}),
                ("task", "task", {}, {}),
                ("task", "task", {"start_time": "17:00"},
                 {"startTime": "17:00", "endTime": "17:00", "timeZone": "Europe/Berlin"}),
                ("multi_day", "multi-day", {"end_date": "2026-02-06"}, {})):
            made = self.make(ann, way, form_of(work, sent, **more), kind)
            entry = done(made, 201)
            assert set(entry) == ALWAYS | set(also), kind
            assert {name: entry[name] for name in also} == also
            assert (entry["calendarId"], entry["kind"], entry["title"]) == (work, kind, "Something")
            assert [name for name, flag in FLAGS.items() if entry[flag]] == [kind]
            assert (entry["startDate"], entry["endDate"]) == (MONDAY, more.get("end_date", MONDAY))
            assert (entry["completed"], entry["sequence"], entry["createdBy"]) == (False, 0, ann.id)
            shown = ann.get(path_of(entry))
            assert done(shown) == entry
            assert shown.header("etag") == made.header("etag")

    @staticmethod
    def make(client, way, form, kind):
        if way == "form":
            return client.post("/api/entries", form=form)
        names = {"calendar_id": "calendarId", "start_date": "startDate", "end_date": "endDate",
                 "start_time": "startTime", "end_time": "endTime"}
        body = {names.get(name, name): value for name, value in form.items() if name != "entry_type"}
        return client.post("/api/entries", body | {"kind": kind})

    def test_texts_and_colour_are_kept_as_they_are(self, ann, work):
        texts = {"title": "Zähne 🦷", "description": "a\nb\tc & d=e", "location": "Köln+Bonn", "color": "#aBcDeF"}
        entry = done(ann.post("/api/entries", form=form_of(work, "all_day", **texts)), 201)
        assert {name: entry[name] for name in texts} == texts

    def test_reminders_and_transparency_are_kept(self, ann, work):
        reminders = [{"minutesBefore": 10}, {"minutesBefore": 1440}]
        entry = ann.make_entry(work, reminders=reminders, transparent=True)
        assert (entry["reminders"], entry["transparent"]) == (reminders, True)

    def test_over_midnight_it_names_its_last_day(self, ann, work):
        night = {"calendarId": work, "title": "N", "startDate": MONDAY, "kind": "timed", "startTime": "22:00",
                 "endTime": "06:00"}
        refused(ann.post("/api/entries", night), 400, "end_time")
        entry = done(ann.post("/api/entries", night | {"endDate": "2026-02-03"}), 201)
        assert (entry["startDate"], entry["endDate"]) == (MONDAY, "2026-02-03")

    def test_later_ones_have_greater_ids(self, ann, work):
        """So that what is made at one time lies in one place of the store."""
        ids = [ann.make_entry(work)["id"] for _ in range(20)]
        assert ids == sorted(ids)

    def test_the_same_request_twice_makes_one(self, ann, work):
        key = {"Idempotency-Key": "k"}
        first, second = (ann.post("/api/entries", form=form_of(work, "all_day"), headers=key) for _ in range(2))
        assert done(first, 201) == done(second, 201)
        assert first.header("etag") == second.header("etag")
        assert len(ann.listed(work, MONDAY, MONDAY)) == 1


class TestLists:
    def test_a_long_list_comes_compressed_to_who_takes_it(self, ann, work):
        for number in range(20):
            ann.make_entry(work, title=f"Entry {number}")
        path = f"/api/entries?calendar_id={work}&from={MONDAY}&to={MONDAY}"
        plain, packed = ann.get(path), ann.get(path, headers={"Accept-Encoding": "gzip, br"})
        assert plain.header("content-encoding") is None
        assert packed.header("content-encoding") == "gzip"
        assert plain.header("vary") == packed.header("vary") == "Accept-Encoding"
        assert gzip.decompress(packed.body) == plain.body
        assert len(packed.body) < len(plain.body) / 4


class TestRefusals:
    def test_every_field_is_checked_and_named(self, ann, work):
        timed = {"entry_type": "timed", "start_time": "09:00", "end_time": "10:00"}
        for fields, words in (
                ({"calendar_id": ""}, "calendar_id"), ({"calendar_id": "x"}, "calendar_id"),
                ({"title": ""}, "title"), ({"title": "  "}, "title"), ({"title": "x" * 201}, "title"),
                ({"title": "a\nb"}, "title"), ({"entry_type": ""}, "kind"), ({"entry_type": "party"}, "entry_type"),
                ({"start_date": ""}, "start_date"), ({"start_date": "2026-02-30"}, "start_date"),
                ({"start_date": "2025-02-29"}, "start_date"), ({"start_date": "02.02.2026"}, "start_date"),
                ({"entry_type": "multi_day"}, "end_date"),
                ({"entry_type": "multi_day", "end_date": "2026-02-01"}, "end_date"),
                ({"entry_type": "multi_day", "end_date": "2126-02-01"}, "end_date"),
                ({"entry_type": "timed"}, "start_time"), (timed | {"end_time": ""}, "end_time"),
                (timed | {"start_time": ""}, "start_time"), (timed | {"start_time": "24:00"}, "start_time"),
                (timed | {"end_time": "08:00"}, "end_time"), (timed | {"end_time": "9 am"}, "end_time"),
                (timed | {"time_zone": "Mars/Base"}, "zone"), ({"color": "red"}, "color"),
                ({"location": "x" * 501}, "location"), ({"description": "x" * 16385}, "description"),
                ({"description": "\x01"}, "description"), ({"completed": "perhaps"}, "completed"),
                ({"updated_at": "yesterday"}, "updated_at"), ({"rule": "FREQ=NEVER"}, "")):
            form = {name: value for name, value in (form_of(work, "all_day") | fields).items()}
            refused(ann.post("/api/entries", form=form), 400, words)
        assert ann.listed(work, "2026-01-01", "2026-12-31") == []

    def test_json_is_checked_and_names_the_field(self, ann, work):
        body = {"calendarId": work, "kind": "all-day", "title": "A", "startDate": MONDAY}
        for fields, words in (
                ({"kind": "all_day"}, "kind"), ({"title": 1}, "title"), ({"startDate": "soon"}, "startDate"),
                ({"reminders": [{"minutesBefore": -1}]}, "reminders"),
                ({"reminders": [{"minutesBefore": 1}] * 11}, "reminders"),
                ({"reminders": [{"minutesBefore": 40321}]}, "reminders"), ({"start": MONDAY}, "start"),
                ({"completed": "true"}, "completed"), ({"calendarId": NOWHERE[:-1]}, "calendarId"),
                ({"recurrence": {"rule": "FREQ=DAILY;COUNT=0"}}, ""), ({"recurrence": {"rules": "x"}}, "rules")):
            refused(ann.post("/api/entries", body | fields), 400, words)
        refused(ann.post("/api/entries", []), 400)
        refused(ann.post("/api/entries", body | {"calendarId": NOWHERE}), 404)

    def test_another_kind_of_body_is_no_entry(self, ann, work):
        answer = ann.call("POST", "/api/entries", headers={"Content-Type": "text/plain"})
        assert answer.status in (400, 415)

    def test_what_is_not_there_is_not_found(self, ann):
        for method, path, body in (("GET", "", None), ("PUT", "", {}), ("DELETE", "", None), ("PATCH", "/toggle", None),
                                   ("GET", "/history", None), ("POST", "/undo", None), ("POST", "/restore", None)):
            refused(ann.call(method, f"/api/entries/{NOWHERE}{path}", body), 404)
        assert ann.get("/api/entries/x").status in (400, 404)


class TestUpdates:
    def test_what_is_not_named_stays(self, ann, work):
        entry = ann.make_entry(work, kind="timed", startTime="09:00", endTime="10:00", description="D", location="L",
                               color="#112233", reminders=[{"minutesBefore": 5}])
        changed = done(ann.put(path_of(entry), form={"title": "Other"}))
        told = {"title": "Other", "sequence": 1, "updatedAt": changed["updatedAt"]}
        assert changed == entry | told
        assert changed["updatedAt"] > entry["updatedAt"]

    def test_an_empty_text_clears_and_says_nothing_elsewhere(self, ann, work):
        entry = ann.make_entry(work, kind="timed", startTime="09:00", endTime="10:00", description="D", location="L",
                               color="#112233")
        empty = dict.fromkeys(("title", "start_date", "end_date", "start_time", "end_time", "entry_type", "time_zone",
                               "completed", "updated_at"), "")
        same = done(ann.put(path_of(entry), form=empty))
        for name in ("title", "startDate", "endDate", "startTime", "endTime", "kind", "timeZone", "description"):
            assert same[name] == entry[name], name
        cleared = done(ann.put(path_of(entry), form={"description": "", "location": "", "color": ""}))
        assert not {"description", "location", "color"} & set(cleared)
        body = {"description": "D", "location": "L", "color": "#112233"}
        assert done(ann.put(path_of(entry), body))["location"] == "L"
        assert not set(body) & set(done(ann.put(path_of(entry), dict.fromkeys(body, ""))))

    def test_what_was_given_can_be_sent_back(self, ann, work):
        entry = ann.make_entry(work, kind="timed", startTime="09:00", endTime="10:00",
                               recurrence={"rule": "FREQ=DAILY"})
        given = done(ann.get(path_of(entry)))
        del given["updatedAt"]
        changed = done(ann.put(path_of(entry), given | {"title": "Other"}))
        assert changed["title"] == "Other"
        (listed,) = ann.listed(work, MONDAY, MONDAY)
        del listed["updatedAt"]
        one = path_of(entry) + f"?occurrence={listed['occurrence']}&scope=this"
        assert done(ann.put(one, listed | {"title": "This"}))
        assert ann.titles(work, MONDAY, "2026-02-03") == ["This", "Other"]

    def test_the_end_goes_along_with_the_start(self, ann, work):
        timed = ann.make_entry(work, kind="timed", startTime="22:00", endTime="01:00", endDate="2026-02-03")
        moved = done(ann.put(path_of(timed), {"startDate": "2026-03-10", "startTime": "21:00"}))
        assert (moved["endDate"], moved["endTime"]) == ("2026-03-11", "00:00")
        days = ann.make_entry(work, kind="multi-day", endDate="2026-02-06")
        assert done(ann.put(path_of(days), {"startDate": "2026-02-09"}))["endDate"] == "2026-02-13"
        assert done(ann.put(path_of(days), {"endDate": "2026-02-10"}))["startDate"] == "2026-02-09"
        refused(ann.put(path_of(days), {"endDate": "2026-02-08"}), 400, "end_date")

    def test_a_kind_turns_into_another(self, ann, work):
        entry = ann.make_entry(work)
        timed = done(ann.put(path_of(entry), form={"entry_type": "timed"}))
        assert (timed["startTime"], timed["endTime"], timed["timeZone"]) == ("09:00", "10:00", "Europe/Berlin")
        timed = done(ann.put(path_of(entry), form={"start_time": "11:00", "end_time": "11:30"}))
        assert (timed["startTime"], timed["endTime"]) == ("11:00", "11:30")
        days = done(ann.put(path_of(entry), {"kind": "multi-day", "endDate": "2026-02-04"}))
        assert (days["kind"], days["endDate"]) == ("multi-day", "2026-02-04")
        assert not {"startTime", "endTime", "timeZone"} & set(days)
        day = done(ann.put(path_of(entry), {"kind": "all-day"}))
        assert (day["isAllDay"], day["isMultiDay"], day["endDate"]) == (True, False, MONDAY)
        task = done(ann.put(path_of(entry), {"kind": "task", "completed": True}))
        assert (task["isTask"], task["completed"]) == (True, True)
        assert done(ann.put(path_of(entry), {"kind": "all-day"}))["completed"] is False

    def test_an_end_is_not_named_over_and_over(self, ann, work):
        entry = done(ann.post("/api/entries", form=form_of(work, "timed", start_time="09:00", end_time="10:00")), 201)
        moved = done(ann.put(path_of(entry), form={"start_time": "11:00"}))
        assert (moved["startTime"], moved["endTime"]) == ("11:00", "12:00")

    def test_refused_changes_change_nothing(self, ann, work):
        entry = ann.make_entry(work)
        for fields, words in (({"title": "  "}, "title"), ({"startDate": "2026-02-31"}, "startDate"),
                              ({"color": "x"}, "color"), ({"calendarId": NOWHERE}, "calendar_id"),
                              ({"kind": "none"}, "kind"), ({"kind": "timed", "timeZone": "x"}, "zone")):
            refused(ann.put(path_of(entry), fields), 400, words)
        for query in ("scope=some", "occurrence=x&scope=this", "scope=this", "scope=following",
                      f"scope=this&occurrence={MONDAY}"):
            refused(ann.put(f"{path_of(entry)}?{query}", {"title": "B"}), 400)
        assert done(ann.get(path_of(entry))) == entry


class TestTheLaterWriterWins:
    def test_a_newer_stamp_wins_and_ties_and_older_ones_lose(self, ann, work):
        entry = ann.make_entry(work)
        for milliseconds in (0, -1, -86_400_000):
            stamp = later(entry["updatedAt"], milliseconds)
            for sent in ({"form": {"title": "Stale", "updated_at": stamp}},
                         {"body": {"title": "Stale", "updatedAt": stamp}}):
                answer = ann.put(path_of(entry), **sent)
                assert done(answer) == entry
                assert answer.header("etag") == ann.tag(path_of(entry))
        newer = {"title": "Newer", "updated_at": later(entry["updatedAt"], 1)}
        changed = done(ann.put(path_of(entry), form=newer))
        assert changed["title"] == "Newer" and changed["updatedAt"] > entry["updatedAt"]
        assert len(ann.history(entry)) == 2

    def test_without_a_stamp_it_is_applied(self, ann, work):
        entry = ann.make_entry(work)
        assert done(ann.put(path_of(entry), form={"title": "B"}))["title"] == "B"

    def test_a_toggle_makes_edits_from_before_it_stale(self, ann, work):
        entry = ann.make_entry(work, kind="task")
        toggled = done(ann.patch(path_of(entry) + "/toggle"))
        assert toggled["completed"] is True and toggled["updatedAt"] > entry["updatedAt"]
        stale = {"title": "Stale", "completed": "false", "updated_at": entry["updatedAt"]}
        assert done(ann.put(path_of(entry), form=stale)) == toggled

    def test_in_a_batch_it_counts_too(self, ann, work):
        entry = ann.make_entry(work)
        stale = {"deed": "update", "id": entry["id"], "entry": {"title": "Stale", "updatedAt": entry["updatedAt"]}}
        fresh = {"deed": "create", "entry": {"calendarId": work, "kind": "task", "title": "T", "startDate": MONDAY}}
        first, second = done(ann.post("/api/entries/batch", {"changes": [stale, fresh]}))["entries"]
        assert (first["title"], second["title"]) == ("Something", "T")
        (only,) = done(ann.post("/api/entries/batch", {"changes": [stale]}))["entries"]
        assert only["title"] == "Something"
        assert done(ann.get(path_of(entry))) == entry


class TestMeetings:
    def test_of_two_writers_the_stale_one_is_told(self, ann, work):
        entry = ann.make_entry(work, kind="task")
        tag = ann.tag(path_of(entry))
        answer = ann.put(path_of(entry), {"title": "First"}, if_match=tag)
        assert answer.status == 200 and answer.header("etag") != tag
        refused(ann.put(path_of(entry), {"title": "Second"}, if_match=tag), 412)
        refused(ann.patch(path_of(entry) + "/toggle", if_match=tag), 412)
        refused(ann.delete(path_of(entry), if_match=tag), 412)
        assert done(ann.get(path_of(entry)))["title"] == "First"
        assert ann.delete(path_of(entry), if_match=answer.header("etag")).status == 200

    def test_no_toggle_of_sixteen_clients_is_lost(self, ann, work):
        entry = ann.make_entry(work, kind="task")
        rounds, start = 4, threading.Barrier(16)

        def toggle_until_heard(_):
            start.wait()
            for _ in range(rounds):
                while ann.patch(path_of(entry) + "/toggle", if_match=ann.tag(path_of(entry))).status == 412:
                    pass

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(toggle_until_heard, range(16)))
        now = done(ann.get(path_of(entry)))
        assert (now["sequence"], now["completed"]) == (16 * rounds, False)
        done_or_not = [change["entry"]["completed"] for change in ann.history(entry)]
        assert all(newer != older for newer, older in zip(done_or_not, done_or_not[1:]))

    def test_without_a_version_they_are_applied_one_after_the_other(self, ann, work):
        entry = ann.make_entry(work, kind="task")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(lambda _: ann.patch(path_of(entry) + "/toggle").status, range(8)))
        now = done(ann.get(path_of(entry)))
        assert now["sequence"] == statuses.count(200)
        assert set(statuses) <= {200, 412}

    def test_only_tasks_are_toggled(self, ann, work):
        refused(ann.patch(path_of(ann.make_entry(work)) + "/toggle"), 400, "task")
