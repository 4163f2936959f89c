# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Several entries in one commit, and entries that go to another calendar."""

import pytest
from calendar_client import MONDAY, CalendarClient, done, path_of, refused, verified
from identity_client import start_house

NOWHERE = "00000000-0000-4000-8000-00000000dead"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def work(ann):
    return ann.make_calendar()


def creation(calendar: str, title: str, **more) -> dict:
    fields = {"calendarId": calendar, "kind": "all-day", "title": title, "startDate": MONDAY}
    return {"deed": "create", "entry": fields | more}


class TestMoving:
    def test_it_is_in_the_other_calendar_afterwards(self, house, ann, work):
        other = ann.make_calendar("Other")
        entry = ann.make_entry(work, recurrence={"rule": "FREQ=WEEKLY;COUNT=2"})
        moved = done(ann.post(path_of(entry) + "/move", {"calendar_id": other}))
        assert (moved["id"], moved["calendarId"], moved["sequence"]) == (entry["id"], other, 1)
        assert ann.listed(work, "2026-02-01", "2026-02-28") == []
        assert len(ann.listed(other, "2026-02-01", "2026-02-28")) == 2
        assert ann.history(entry)[0]["deed"] == "moved"
        verified(house)

    def test_to_where_it_is_nothing_happens(self, ann, work):
        entry = ann.make_entry(work)
        assert done(ann.post(path_of(entry) + "/move", {"calendar_id": work})) == entry

    def test_to_where_one_may_not_write_it_does_not_go(self, house, ann, work):
        bob = CalendarClient(house, house.make_user("bob@example.org"))
        his = bob.make_calendar("Bob's")
        entry = ann.make_entry(work)
        refused(ann.post(path_of(entry) + "/move", {"calendar_id": his}), 404)
        bob.share(his, ann, "reader")
        refused(ann.post(path_of(entry) + "/move", {"calendar_id": his}), 403)
        refused(ann.post(path_of(entry) + "/move", {"calendar_id": NOWHERE}), 404)
        for body in ({}, {"calendar_id": "x"}, {"calendarId": his}):
            refused(ann.post(path_of(entry) + "/move", body), 400)
        assert done(ann.get(path_of(entry))) == entry

    def test_what_moves_is_forgotten_by_those_who_stay_behind(self, house, ann, work):
        bob = CalendarClient(house, house.make_user("bob@example.org"))
        ann.share(work, bob, "writer")
        entry = ann.make_entry(work)
        done(ann.post(path_of(entry) + "/move", {"calendar_id": ann.make_calendar("Private")}))
        for path in ("", "/history"):
            refused(bob.get(path_of(entry) + path), 404)


class TestBatches:
    def test_all_of_them_happen(self, house, ann, work):
        changed, deleted = ann.make_entry(work, title="A"), ann.make_entry(work, title="B")
        changes = [creation(work, "C"), {"deed": "update", "id": changed["id"], "entry": {"title": "A2"}},
                   {"deed": "delete", "id": deleted["id"]}]
        entries = done(ann.post("/api/entries/batch", {"changes": changes}))["entries"]
        assert [one["title"] for one in entries] == ["C", "A2", "B"]
        assert "deletedAt" in entries[2]
        assert sorted(ann.titles(work, MONDAY, MONDAY)) == ["A2", "C"]
        assert ann.tag(path_of(changed)) == f'"{entries[1]["version"]}"'
        verified(house)

    def test_one_that_cannot_be_is_the_end_of_all(self, ann, work):
        entry = ann.make_entry(work, title="A")
        for wrong, status, words in (
                (creation(work, ""), 400, "title"), (creation(NOWHERE, "X"), 404, ""),
                ({"deed": "update", "id": NOWHERE, "entry": {}}, 404, ""), ({"deed": "delete", "id": NOWHERE}, 404, ""),
                ({"deed": "update", "id": entry["id"], "entry": {"color": "x"}}, 400, "color"),
                ({"deed": "update", "id": entry["id"], "entry": {"calendarId": NOWHERE}}, 400, "calendar_id")):
            detail = refused(ann.post("/api/entries/batch", {"changes": [creation(work, "New"), wrong]}), status, words)
            assert detail.startswith("changes/1: "), detail
        assert ann.titles(work, MONDAY, MONDAY) == ["A"]

    def test_one_to_ten_make_a_batch(self, ann, work):
        ten = [creation(work, f"E{number}") for number in range(10)]
        assert len(done(ann.post("/api/entries/batch", {"changes": ten}))["entries"]) == 10
        for changes in ([], [*ten, creation(work, "E10")]):
            refused(ann.post("/api/entries/batch", {"changes": changes}), 400, "10")
        for body in ({}, {"changes": {}}, {"changes": [{"deed": "copy"}]},
                     {"changes": [{"deed": "update", "entry": {}}]}):
            refused(ann.post("/api/entries/batch", body), 400, "changes")
        assert len(ann.listed(work, MONDAY, MONDAY)) == 10

    def test_what_is_too_much_for_one_commit_is_refused_with_a_word(self, ann, work):
        """Entries of several years have several rows each."""
        years = {"kind": "multi-day", "startDate": "2022-01-01", "endDate": "2026-12-31", "description": "x" * 16000}
        changes = [creation(work, f"E{number}", **years) for number in range(10)]
        refused(ann.post("/api/entries/batch", {"changes": changes}), 413, "changes: too much at once")
        assert ann.listed(work, "2024-01-01", "2024-01-01") == []
        assert len(done(ann.post("/api/entries/batch", {"changes": changes[:4]}))["entries"]) == 4

    def test_an_entry_is_named_once(self, ann, work):
        entry = ann.make_entry(work)
        twice = [{"deed": "update", "id": entry["id"], "entry": {"title": "B"}}, {"deed": "delete", "id": entry["id"]}]
        refused(ann.post("/api/entries/batch", {"changes": twice}), 400, "twice")
        assert done(ann.get(path_of(entry))) == entry

    def test_what_was_given_can_be_sent_back(self, ann, work):
        (entry,) = ann.listed(work, MONDAY, MONDAY) or [ann.make_entry(work)]
        del entry["updatedAt"]
        change = {"deed": "update", "id": entry["id"], "entry": entry | {"title": "Other"}}
        assert done(ann.post("/api/entries/batch", {"changes": [change]}))["entries"][0]["title"] == "Other"

    def test_the_same_batch_twice_happens_once(self, ann, work):
        key = {"Idempotency-Key": "batch"}
        body = {"changes": [creation(work, "A"), creation(work, "B")]}
        first, second = (ann.post("/api/entries/batch", body, headers=key) for _ in range(2))
        told = [{name: value for name, value in one.items() if name != "version"} for one in done(first)["entries"]]
        assert done(second)["entries"] == told
        assert sorted(ann.titles(work, MONDAY, MONDAY)) == ["A", "B"]

    def test_two_calendars_are_written_at_once(self, ann, work):
        other = ann.make_calendar("Other")
        done(ann.post("/api/entries/batch", {"changes": [creation(work, "A"), creation(other, "B")]}))
        assert (ann.titles(work, MONDAY, MONDAY), ann.titles(other, MONDAY, MONDAY)) == (["A"], ["B"])
