# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Calendars as wholes: made, listed, changed, copied, thrown away, had back, and gone for good."""

import concurrent.futures
import json

import pytest
from calendar_client import CalendarClient, done, lasting_rows, pages_of, path_of, refused, verified
from identity_client import start_house
from running_server import eventually


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org", name="Ann"))


@pytest.fixture
def bob(house):
    return CalendarClient(house, house.make_user("bob@example.org", name="Bob"))


class TestMaking:
    def test_a_form_makes_one_as_clients_of_calendsync_send_it(self, ann):
        made = ann.post("/api/calendars", form={"name": "Work & play", "color": "#3b82F6"})
        calendar = done(made, 201)
        assert (calendar["name"], calendar["color"], calendar["description"]) == ("Work & play", "#3b82F6", "")
        assert (calendar["is_default"], calendar["source"]) == (False, "people")
        assert calendar["created_at"] == calendar["updated_at"]
        shown = ann.get(f"/api/calendars/{calendar['id']}")
        assert done(shown) == calendar
        assert shown.header("etag") == made.header("etag")

    def test_json_makes_one_too(self, ann):
        made = done(ann.post("/api/calendars", {"name": "Büro", "color": "#000000", "description": "Hier"}), 201)
        assert (made["name"], made["description"]) == ("Büro", "Hier")
        assert set(made) >= {"id", "name", "color", "description", "is_default", "source", "created_at", "updated_at"}

    def test_without_a_colour_it_has_the_usual_one(self, ann):
        assert done(ann.post("/api/calendars", {"name": "Work"}), 201)["color"] == "#3B82F6"

    def test_what_cannot_be_is_refused_and_names_the_field(self, ann):
        for fields, words in (
                ({}, "name"), ({"name": ""}, "name"), ({"name": "   "}, "name"), ({"name": "x" * 101}, "name"),
                ({"name": "a\nb"}, "name"), ({"name": "A", "color": "blue"}, "color"),
                ({"name": "A", "color": ""}, "color"), ({"name": "A", "color": "#12345"}, "color"),
                ({"name": "A", "color": "#12345G"}, "color"), ({"name": "A", "description": "x" * 1001}, "description")):
            refused(ann.post("/api/calendars", fields), 400, words)
            refused(ann.post("/api/calendars", form=fields), 400, words)
        assert [one["name"] for one in ann.calendars()] == ["Ann's Calendar"]

    def test_a_hundred_letters_of_any_script_are_a_name(self, ann):
        assert done(ann.post("/api/calendars", {"name": "ü" * 100, "color": "#000000"}), 201)["name"] == "ü" * 100

    def test_unknown_members_of_json_are_refused(self, ann):
        refused(ann.post("/api/calendars", {"name": "A", "colour": "#000000"}), 400, "colour")

    def test_a_request_that_comes_twice_makes_one(self, ann):
        key = {"Idempotency-Key": "once"}
        body = {"name": "Work", "color": "#112233"}
        first, second = (ann.post("/api/calendars", body, headers=key) for _ in range(2))
        assert done(first, 201) == done(second, 201)
        assert first.header("etag") == second.header("etag")
        assert [one["name"] for one in ann.calendars()].count("Work") == 1


class TestTheDefaultCalendar:
    def test_everybody_has_one_from_the_first_look(self, ann):
        (calendar,) = done(ann.get("/api/calendars"))["calendars"]
        assert (calendar["name"], calendar["color"], calendar["is_default"]) == ("Ann's Calendar", "#3B82F6", True)
        assert (calendar["role"], calendar["status"]) == ("owner", "active")

    def test_sixteen_who_ask_at_once_make_one(self, ann):
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda _: ann.get("/api/calendars"), range(16)))
        assert {answer.status for answer in answers} == {200}
        ids = {one["id"] for answer in answers for one in answer.json()["calendars"]}
        assert len(ids) == 1
        assert [one["id"] for one in ann.calendars()] == list(ids)

    def test_it_cannot_be_deleted(self, ann):
        (calendar,) = ann.calendars()
        for query in ("", "?permanent=true"):
            refused(ann.delete(f"/api/calendars/{calendar['id']}{query}"), 409, "default")
        assert [one["id"] for one in ann.calendars()] == [calendar["id"]]

    def test_it_stays_with_its_owner_even_when_there_is_another(self, ann, bob):
        calendar = ann.calendars()[0]["id"]
        ann.share(calendar, bob, "owner")
        refused(ann.post(f"/api/calendars/{calendar}/transfer", {"to": bob.email}), 409, "default")
        refused(ann.delete(f"/api/calendars/{calendar}/members/me"), 409, "default")
        refused(bob.delete(f"/api/calendars/{calendar}/members/{ann.id}"), 409, "default")
        refused(bob.put(f"/api/calendars/{calendar}/members/{ann.id}", {"role": "reader"}), 409, "default")
        refused(bob.delete(f"/api/calendars/{calendar}"), 409, "default")
        assert done(bob.delete(f"/api/calendars/{calendar}/members/me"), 204) is None
        assert ann.members(calendar) == {ann.email: ("owner", "active")}

    def test_it_can_be_renamed(self, ann):
        calendar = ann.calendars()[0]["id"]
        assert done(ann.put(f"/api/calendars/{calendar}", {"name": "Mine"}))["is_default"] is True
        assert [one["name"] for one in ann.calendars()] == ["Mine"]


class TestLists:
    def test_they_come_in_pages_with_role_and_settings(self, ann):
        made = {ann.make_calendar(f"C{number:02}") for number in range(11)}
        pages = pages_of(ann, "/api/calendars", "calendars", 5)
        assert [len(page) for page in pages][:2] == [5, 5]
        listed = {one["id"]: one for page in pages for one in page}
        assert set(listed) >= made and len(listed) == 12
        assert sum(len(page) for page in pages) == 12
        for one in listed.values():
            assert (one["role"], one["status"]) == ("owner", "active")
            assert one["settings"] == {"viewMode": "compact", "showTasks": True, "entryStyle": "compact"}

    def test_a_version_in_a_list_is_the_etag(self, ann):
        calendar = ann.make_calendar()
        listed = next(one for one in ann.calendars() if one["id"] == calendar)
        assert ann.tag(f"/api/calendars/{calendar}") == f'"{listed["version"]}"'

    def test_pages_that_cannot_be_are_refused(self, ann):
        for query in ("limit=0", "limit=501", "limit=x", "after=%00"):
            refused(ann.get(f"/api/calendars?{query}"), 400)

    def test_invitations_are_in_the_long_list_only(self, ann, bob):
        calendar = ann.make_calendar()
        done(ann.invite(calendar, bob.email), 201)
        listed = {one["id"]: one["status"] for one in done(bob.get("/api/calendars"))["calendars"]}
        assert listed[calendar] == "invited"
        assert calendar not in [one["id"] for one in bob.calendars()]


class TestChanging:
    def test_what_is_not_named_stays(self, ann):
        made = done(ann.post("/api/calendars", {"name": "Work", "color": "#112233", "description": "Here"}), 201)
        path = f"/api/calendars/{made['id']}"
        changed = done(ann.put(path, form={"color": "#445566"}))
        assert (changed["name"], changed["color"], changed["description"]) == ("Work", "#445566", "Here")
        assert changed["updated_at"] > made["updated_at"] and changed["created_at"] == made["created_at"]
        assert done(ann.put(path, {"description": ""}))["description"] == ""
        assert done(ann.put(path, {"name": "Play"}))["name"] == "Play"

    def test_what_cannot_be_is_refused(self, ann):
        calendar = ann.make_calendar()
        for fields in ({"name": ""}, {"color": "red"}, {"name": "x" * 101}, {"description": "a\tb"}):
            refused(ann.put(f"/api/calendars/{calendar}", fields), 400, next(iter(fields)))
        assert ann.get(f"/api/calendars/{calendar}").json()["name"] == "Work"

    def test_who_demands_a_version_is_told_when_it_has_changed(self, ann):
        path = f"/api/calendars/{ann.make_calendar()}"
        tag = ann.tag(path)
        changed = ann.put(path, {"name": "A"}, if_match=tag)
        assert changed.status == 200 and changed.header("etag") != tag
        refused(ann.put(path, {"name": "B"}, if_match=tag), 412)
        refused(ann.delete(path, if_match=tag), 412)
        assert done(ann.get(path))["name"] == "A"
        assert ann.delete(path, if_match=changed.header("etag")).status == 200

    def test_settings_are_of_one_person_alone(self, ann, bob):
        calendar = ann.make_calendar()
        ann.share(calendar, bob)
        path = f"/api/calendars/{calendar}/settings"
        saved = done(bob.put(path, {"viewMode": "schedule", "showTasks": False}))
        assert (saved["viewMode"], saved["showTasks"], saved["entryStyle"]) == ("schedule", False, "compact")
        assert done(bob.put(path, {"entryStyle": "filled"}))["viewMode"] == "schedule"
        assert done(bob.get(path))["entryStyle"] == "filled"
        assert done(ann.get(path))["viewMode"] == "compact"
        shown = next(one for one in bob.calendars() if one["id"] == calendar)["settings"]
        assert (shown["viewMode"], shown["showTasks"], shown["entryStyle"]) == ("schedule", False, "filled")

    def test_settings_that_cannot_be_are_refused(self, ann):
        path = f"/api/calendars/{ann.make_calendar()}/settings"
        for body in ({"viewMode": "wide"}, {"showTasks": "yes"}, {"entryStyle": 1}, {"more": 1}, []):
            refused(ann.put(path, body), 400)


class TestCopying:
    def test_a_copy_has_all_entries_and_none_of_the_people(self, ann, bob):
        calendar = ann.make_calendar("Work", description="Where")
        for number in range(21):
            ann.make_entry(calendar, title=f"E{number:02}", startDate=f"2026-02-{number + 1:02}")
        ann.make_entry(calendar, title="Years", kind="multi-day", startDate="2022-01-01", endDate="2025-12-31",
                       description="x" * 16000)
        ann.make_entry(calendar, title="Weekly", startDate="2026-02-02", recurrence={"rule": "FREQ=WEEKLY;COUNT=3"})
        deleted = ann.make_entry(calendar, title="Gone")
        ann.delete(path_of(deleted))
        ann.share(calendar, bob)
        copy = done(bob.post(f"/api/calendars/{calendar}/copy", {"name": "Mine"}), 201)
        assert (copy["name"], copy["color"], copy["description"]) == ("Mine", "#112233", "Where")
        assert bob.members(copy["id"]) == {bob.email: ("owner", "active")}
        for first, last in (("2026-02-01", "2026-02-28"), ("2024-01-01", "2024-12-31")):
            assert sorted(bob.titles(copy["id"], first, last)) == sorted(ann.titles(calendar, first, last))
        assert done(bob.get(f"/api/calendars/{copy['id']}/trash"))["entries"] == []
        (years,) = bob.listed(copy["id"], "2024-01-01", "2024-01-01")
        assert years["createdBy"] == bob.id
        ann.delete(path_of(ann.listed(calendar, "2026-02-01", "2026-02-01")[0]))
        assert "E00" in bob.titles(copy["id"], "2026-02-01", "2026-02-01")

    def test_without_a_name_it_has_the_same_one(self, ann):
        calendar = ann.make_calendar("Work")
        assert done(ann.post(f"/api/calendars/{calendar}/copy"), 201)["name"] == "Work"
        refused(ann.post(f"/api/calendars/{calendar}/copy", {"name": ""}), 400, "name")

    def test_large_entries_are_copied_too(self, ann):
        calendar = ann.make_calendar()
        for number in range(8):
            ann.make_entry(calendar, title=f"E{number}", kind="multi-day", startDate="2022-01-01",
                           endDate="2026-12-31", description="ü" * 8192)
        copy = done(ann.post(f"/api/calendars/{calendar}/copy"), 201)["id"]
        assert sorted(ann.titles(copy, "2024-01-01", "2024-01-02")) == [f"E{number}" for number in range(8)]


class TestTrash:
    def test_what_is_deleted_is_out_of_sight_and_can_be_had_back(self, ann, bob):
        calendar = ann.make_calendar()
        entry = ann.make_entry(calendar)
        ann.share(calendar, bob, "writer")
        gone = ann.delete(f"/api/calendars/{calendar}")
        assert (gone.status, gone.body) == (200, b"")
        for client in (ann, bob):
            refused(client.get(f"/api/calendars/{calendar}"), 404)
            refused(client.get(path_of(entry)), 404)
            refused(client.delete(f"/api/calendars/{calendar}"), 404)
            assert calendar not in [one["id"] for one in done(client.get("/api/calendars"))["calendars"]]
        (trashed,) = done(ann.get("/api/calendars/trash"))["calendars"]
        assert trashed["id"] == calendar
        assert done(bob.get("/api/calendars/trash"))["calendars"] == []
        refused(bob.post(f"/api/calendars/{calendar}/restore"), 403, "owner")

        restored = done(ann.post(f"/api/calendars/{calendar}/restore"))
        assert restored["id"] == calendar
        assert "deleted_at" not in restored
        assert done(bob.get(path_of(entry)))["title"] == entry["title"]
        refused(ann.post(f"/api/calendars/{calendar}/restore"), 409, "not in the trash")
        assert done(ann.get("/api/calendars/trash"))["calendars"] == []

    def test_the_job_leaves_alone_what_is_in_the_trash(self, house, ann):
        calendar = ann.make_calendar()
        ann.delete(f"/api/calendars/{calendar}")
        house.run_job("calendar.erase")
        assert done(ann.post(f"/api/calendars/{calendar}/restore"))["id"] == calendar

    def test_what_goes_for_good_cannot_be_had_back(self, house, ann):
        calendar = ann.make_calendar()
        ann.delete(f"/api/calendars/{calendar}?permanent=true")
        assert ann.post(f"/api/calendars/{calendar}/restore").status in (404, 409)
        house.run_job("calendar.erase")
        refused(ann.post(f"/api/calendars/{calendar}/restore"), 404)
        assert done(ann.get("/api/calendars/trash"))["calendars"] == []

    def test_what_is_in_the_trash_can_go_for_good(self, house, ann, bob):
        calendar = ann.make_calendar()
        ann.share(calendar, bob, "writer")
        ann.delete(f"/api/calendars/{calendar}")
        refused(bob.delete(f"/api/calendars/{calendar}?permanent=true"), 403)
        assert ann.delete(f"/api/calendars/{calendar}?permanent=true").status == 200
        house.run_job("calendar.erase")
        assert done(ann.get("/api/calendars/trash"))["calendars"] == []

    def test_a_deletion_that_comes_twice_is_answered_twice(self, ann):
        calendar = ann.make_calendar()
        key = {"Idempotency-Key": "away"}
        first, second = (ann.delete(f"/api/calendars/{calendar}", headers=key) for _ in range(2))
        assert (first.status, first.body) == (second.status, second.body) == (200, b"")


class TestErasing:
    def test_nothing_is_left_of_three_hundred_entries(self, house, ann, bob, tmp_path):
        calendar, kept = ann.make_calendar("Doomed"), ann.make_calendar("Kept")
        ann.make_entry(kept, title="Stays")
        self.fill(ann, calendar)
        ann.share(calendar, bob, "writer")
        done(ann.invite(calendar, "nobody@example.org"), 201)
        done(bob.put(f"/api/calendars/{calendar}/settings", {"viewMode": "schedule"}))
        often = ann.make_entry(calendar, kind="task", title="Often")
        for _ in range(60):
            ann.patch(path_of(often) + "/toggle")
        assert ann.delete(f"/api/calendars/{calendar}?permanent=true").status == 200
        house.run_job("calendar.erase")
        assert ann.titles(kept, "2026-02-02", "2026-02-02") == ["Stays"]
        verified(house)
        left = [(row["table"], json.dumps(row)) for row in lasting_rows(house, tmp_path)]
        # The audit log stays, and invitations go a month after they ended, with who was invited.
        kept_for_a_while = ("audit", "invitations")
        assert [table for table, row in left
                if (calendar in row or "Doomed-" in row) and not table.startswith(kept_for_a_while)] == []

    @staticmethod
    def fill(client, calendar):
        for number in range(0, 300, 10):
            changes = [{"deed": "create", "entry": {"calendarId": calendar, "kind": "all-day",
                                                    "title": f"Doomed-{number + more}",
                                                    "startDate": f"2026-{1 + number % 12:02}-{1 + more:02}"}}
                       for more in range(10)]
            done(client.post("/api/entries/batch", {"changes": changes}))
        trashed = client.make_entry(calendar, title="Doomed-in-trash")
        client.delete(path_of(trashed))
        client.make_entry(calendar, title="Doomed-years", kind="multi-day", endDate="2029-01-01")
        client.make_entry(calendar, title="Doomed-for-ever", recurrence={"rule": "FREQ=DAILY"})

    def test_a_run_that_was_broken_off_is_taken_up(self, make_server, house, ann):
        calendar = ann.make_calendar()
        self.fill(ann, calendar)
        ann.delete(f"/api/calendars/{calendar}?permanent=true")
        before = self.commits(house)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pool.submit(house.atrium, "jobs", "run", "calendar.erase", "--json")
            eventually(lambda: self.commits(house) > before + 20)
            house.server.kill()
        house.server = make_server(data=house.server.data)
        house.run_job("calendar.erase")
        again = CalendarClient(house, ann.person)
        refused(again.post(f"/api/calendars/{calendar}/restore"), 404)
        verified(house)

    @staticmethod
    def commits(house) -> float:
        return house.server.metrics().total("atrium_store_operation_seconds_count", verb="commit")
