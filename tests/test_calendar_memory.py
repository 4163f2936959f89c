# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What is remembered of entries: their history, ways back, the trash and its end; and how they are found by words."""

import datetime
import time
import urllib.parse

import pytest
from calendar_client import (MONDAY, CalendarClient, done, export_store, lasting_rows, pages_of, path_of, refused,
                             verified)
from exported_store import rewrite
from identity_client import IdentityClient, start_house

NOWHERE = "00000000-0000-4000-8000-00000000dead"


def await_next_millisecond() -> None:
    """What is done in the same millisecond has no order in time."""
    begun = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 == begun:
        pass


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def bob(house):
    return CalendarClient(house, house.make_user("bob@example.org"))


@pytest.fixture
def work(ann):
    return ann.make_calendar()


class TestHistory:
    def test_it_says_who_did_what_when_newest_first(self, ann, bob, work):
        ann.share(work, bob, "writer")
        entry = ann.make_entry(work, kind="task", title="A")
        done(bob.put(path_of(entry), {"title": "B"}))
        done(ann.patch(path_of(entry) + "/toggle"))
        ann.delete(path_of(entry))
        done(bob.post(path_of(entry) + "/restore"))
        changes = ann.history(entry)
        assert [(one["number"], one["deed"], one["label"], one["by"]) for one in changes] == [
            (4, "restored", bob.email, bob.id), (3, "deleted", ann.email, ann.id), (2, "updated", ann.email, ann.id),
            (1, "updated", bob.email, bob.id), (0, "created", ann.email, ann.id)]
        assert [one["entry"]["title"] for one in changes] == ["B", "B", "B", "B", "A"]
        assert [one["at"] for one in changes] == sorted((one["at"] for one in changes), reverse=True)
        assert changes[0]["entry"] == done(ann.get(path_of(entry)))

    def test_the_last_fifty_changes_are_kept(self, house, ann, work):
        entry = ann.make_entry(work, kind="task")
        for _ in range(55):
            done(ann.patch(path_of(entry) + "/toggle"))
        assert [one["number"] for one in ann.history(entry)] == list(range(55, 5, -1))
        refused(ann.post(path_of(entry) + "/revert", {"number": 5}), 404, "number")
        assert done(ann.post(path_of(entry) + "/revert", {"number": 7}))["completed"] is True
        verified(house)

    def test_of_an_entry_in_the_trash_it_is_still_told(self, ann, work):
        entry = ann.make_entry(work)
        ann.delete(path_of(entry))
        assert [one["deed"] for one in ann.history(entry)] == ["deleted", "created"]


class TestWaysBack:
    def test_revert_makes_it_as_it_was_after_a_change(self, house, ann, work):
        entry = ann.make_entry(work, title="A", location="L")
        done(ann.put(path_of(entry), {"title": "B", "location": "", "startDate": "2026-07-01"}))
        done(ann.put(path_of(entry), {"title": "C", "recurrence": {"rule": "FREQ=DAILY;COUNT=9"}}))
        back = done(ann.post(path_of(entry) + "/revert", {"number": 0}))
        assert (back["title"], back["location"], back["startDate"], back["sequence"]) == ("A", "L", MONDAY, 3)
        assert "recurrence" not in back and back["updatedAt"] > entry["updatedAt"]
        assert ann.history(entry)[0]["deed"] == "reverted"
        assert ann.starts(work, "2026-01-01", "2026-12-31") == [MONDAY]
        verified(house)

    def test_revert_brings_back_what_was_deleted(self, ann, work):
        entry = ann.make_entry(work, title="A")
        done(ann.put(path_of(entry), {"title": "B"}))
        ann.delete(path_of(entry))
        assert done(ann.post(path_of(entry) + "/revert", {"number": 0}))["title"] == "A"
        assert ann.titles(work, MONDAY, MONDAY) == ["A"]
        refused(ann.post(path_of(entry) + "/revert", {"number": 2}), 400, "deleted")
        refused(ann.post(path_of(entry) + "/revert", {"number": 99}), 404, "number")
        refused(ann.post(path_of(entry) + "/revert", {}), 400, "number")
        refused(ann.post(path_of(entry) + "/revert", {"number": -1}), 400, "number")

    def test_undo_takes_the_last_change_back(self, ann, work):
        entry = ann.make_entry(work, title="A")
        refused(ann.post(path_of(entry) + "/undo"), 409, "nothing")
        done(ann.put(path_of(entry), {"title": "B"}))
        assert done(ann.post(path_of(entry) + "/undo"))["title"] == "A"
        assert done(ann.post(path_of(entry) + "/undo"))["title"] == "B", "an undo is a change, too"

    def test_undo_of_a_deletion_brings_it_back(self, house, ann, work):
        entry = ann.make_entry(work, title="A", recurrence={"rule": "FREQ=DAILY;COUNT=2"})
        ann.delete(path_of(entry))
        assert ann.titles(work, MONDAY, "2026-02-28") == []
        back = done(ann.post(path_of(entry) + "/undo"))
        assert "deletedAt" not in back
        assert ann.titles(work, MONDAY, "2026-02-28") == ["A", "A"]
        assert done(ann.get(f"/api/calendars/{work}/trash"))["entries"] == []
        verified(house)

    def test_undo_of_a_move_brings_it_home(self, house, ann, bob, work):
        other = ann.make_calendar("Other")
        entry = ann.make_entry(work)
        done(ann.post(path_of(entry) + "/move", {"calendar_id": other}))
        assert done(ann.post(path_of(entry) + "/undo"))["calendarId"] == work
        assert len(ann.listed(work, MONDAY, MONDAY)) == 1 and ann.listed(other, MONDAY, MONDAY) == []
        done(ann.post(path_of(entry) + "/move", {"calendar_id": other}))
        ann.share(other, bob, "writer")
        refused(bob.post(path_of(entry) + "/undo"), 409, "calendar")
        verified(house)

    def test_undo_of_one_occurrence_leaves_the_others(self, ann, work):
        entry = ann.make_entry(work, title="A", recurrence={"rule": "FREQ=DAILY;COUNT=3"})
        done(ann.put(f"{path_of(entry)}?occurrence=2026-02-03&scope=this", {"title": "B"}))
        ann.delete(f"{path_of(entry)}?occurrence=2026-02-04&scope=this")
        assert ann.titles(work, MONDAY, "2026-02-28") == ["A", "B"]
        done(ann.post(path_of(entry) + "/undo"))
        assert ann.titles(work, MONDAY, "2026-02-28") == ["A", "B", "A"]

    def test_who_knows_an_older_state_is_told(self, ann, work):
        other = ann.make_calendar("Other")
        entry = ann.make_entry(work, title="A")
        stale = ann.tag(path_of(entry))
        done(ann.put(path_of(entry), {"title": "B"}))
        for way, body in [("undo", None), ("revert", {"number": 0}), ("move", {"calendar_id": other})]:
            refused(ann.post(f"{path_of(entry)}/{way}", body, if_match=stale), 412)
        fresh = ann.tag(path_of(entry))
        ann.delete(path_of(entry))
        refused(ann.post(f"{path_of(entry)}/restore", if_match=fresh), 412)
        assert done(ann.post(f"{path_of(entry)}/restore"))["title"] == "B"
        done(ann.post(f"{path_of(entry)}/undo", if_match=ann.tag(path_of(entry))))
        assert [one["deed"] for one in ann.history(entry)] == ["reverted", "restored", "deleted", "updated", "created"]

    def test_each_change_shows_what_it_led_to(self, ann, work):
        entry = ann.make_entry(work, title="0")
        for number in range(1, 4):
            done(ann.put(path_of(entry), {"title": str(number), "location": "L" * number}))
        changes = ann.history(entry)
        assert [(one["number"], one["entry"]["title"], one["entry"]["sequence"]) for one in changes] == [
            (3, "3", 3), (2, "2", 2), (1, "1", 1), (0, "0", 0)]
        assert changes[-1]["entry"] == entry
        assert done(ann.post(path_of(entry) + "/revert", {"number": 3}))["title"] == "3", "as it is now"


class TestTrash:
    def test_it_is_listed_newest_first_in_pages(self, ann, work):
        entries = [ann.make_entry(work, title=f"E{number}") for number in range(7)]
        for entry in entries:
            ann.delete(path_of(entry))
            await_next_millisecond()
        pages = pages_of(ann, f"/api/calendars/{work}/trash", "entries", 3)
        assert [one["title"] for page in pages for one in page] == [f"E{number}" for number in range(6, -1, -1)]
        assert [len(page) for page in pages][:2] == [3, 3]
        assert all("deletedAt" in one and "version" in one for page in pages for one in page)

    def test_what_is_in_it_is_out_of_sight(self, ann, work):
        entry = ann.make_entry(work, kind="task")
        ann.delete(path_of(entry))
        for method, path, body in (("GET", "", None), ("PUT", "", {"title": "B"}), ("DELETE", "", None),
                                   ("PATCH", "/toggle", None), ("POST", "/move", {"calendar_id": work})):
            refused(ann.call(method, path_of(entry) + path, body), 404)
        assert ann.listed(work, MONDAY, MONDAY) == []
        assert done(ann.get("/api/search?q=something"))["entries"] == []

    def test_a_deletion_that_comes_twice_is_answered_twice(self, ann, work):
        entry = ann.make_entry(work)
        answers = [ann.delete(path_of(entry), headers={"Idempotency-Key": "away"}) for _ in range(2)]
        assert [(answer.status, answer.body) for answer in answers] == [(200, b"")] * 2

    def test_restoring_brings_it_back_once(self, ann, work):
        entry = ann.make_entry(work)
        refused(ann.post(path_of(entry) + "/restore"), 409, "not in the trash")
        ann.delete(path_of(entry))
        restored = done(ann.post(path_of(entry) + "/restore"))
        assert (restored["id"], restored["title"]) == (entry["id"], entry["title"])
        assert done(ann.get(path_of(entry))) == restored
        refused(ann.post(path_of(entry) + "/restore"), 409)

    def test_after_thirty_days_it_is_gone_for_good(self, make_server, house, ann, work, tmp_path):
        old, young = (ann.make_entry(work, title=title) for title in ("Old", "Young"))
        done(ann.put(path_of(old), {"title": "Old-2"}))
        for entry in (old, young):
            ann.delete(path_of(entry))
        deleted = {old["id"]: _days_ago(31.5), young["id"]: _days_ago(29)}
        later = self.start_with(make_server, house, tmp_path, deleted)
        later.run_job("calendar.purge-trash")
        again = CalendarClient(later, ann.person)
        assert [one["id"] for one in done(again.get(f"/api/calendars/{work}/trash"))["entries"]] == [young["id"]]
        refused(again.post(path_of(old) + "/restore"), 404)
        assert done(again.post(path_of(young) + "/restore"))["title"] == "Young"
        verified(later)
        assert [row["table"] for row in lasting_rows(later, tmp_path) if old["id"] in str(row)] == []

    @staticmethod
    def start_with(make_server, house, folder, deleted: dict[str, str]) -> IdentityClient:
        """A server on the same store, in which entries were deleted at other times."""
        file = export_store(house, folder)

        def age(row):
            if row["table"] in ("entry_trash", "entries_to_erase"):
                return None
            if row["table"] == "entries" and row["partition"] in deleted:
                row["document"]["deletedAt"] = deleted[row["partition"]]
            return row

        rewrite(file, age)
        house.server.data = folder / "aged"
        for words in (("store", "import", file), ("store", "verify", "--repair")):
            carried = house.atrium(*words)
            assert carried.returncode == 0, carried.stdout + carried.stderr
        later = IdentityClient(make_server(data=house.server.data))
        later.root = house.root
        return later


def _days_ago(days: float) -> str:
    then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def found(client, words: str, **more) -> list[str]:
    query = urllib.parse.urlencode({"q": words} | more)
    return sorted(one["title"] for one in done(client.get(f"/api/search?{query}"))["entries"])


class TestSearch:
    def test_it_finds_in_titles_locations_and_descriptions(self, ann, work):
        ann.make_entry(work, title="Dentist")
        ann.make_entry(work, title="Lunch", location="next to the dentist")
        ann.make_entry(work, title="Note", description="Ask\nthe DENTIST")
        ann.make_entry(work, title="Other")
        for words in ("dentist", "DENTIST", "dEnTi", " dentist "):
            assert found(ann, words) == ["Dentist", "Lunch", "Note"], words
        assert found(ann, "dentists") == []

    def test_case_of_all_scripts_is_one(self, ann, work):
        for title in ("MÜNCHEN ÄÖÜ", "Ελλάδα", "МОСКВА"):
            ann.make_entry(work, title=title)
        assert found(ann, "münchen") == found(ann, "äöü") == ["MÜNCHEN ÄÖÜ"]
        assert found(ann, "ΕΛΛΆΔΑ") == ["Ελλάδα"]
        assert found(ann, "москва") == ["МОСКВА"]

    def test_all_words_must_be_there_in_any_order(self, ann, work):
        ann.make_entry(work, title="Red house", description="by the sea")
        ann.make_entry(work, title="Red car")
        assert found(ann, "red") == ["Red car", "Red house"]
        assert found(ann, "sea red") == ["Red house"]
        assert found(ann, "red plane") == []

    def test_a_series_and_a_long_entry_are_found_once(self, ann, work):
        ann.make_entry(work, title="Years", kind="multi-day", startDate="2023-01-01", endDate="2026-12-31")
        ann.make_entry(work, title="Years on end", recurrence={"rule": "FREQ=DAILY"})
        ann.make_entry(work, title="Years of weeks", kind="multi-day", endDate="2026-02-12")
        assert found(ann, "years") == ["Years", "Years of weeks", "Years on end"]

    def test_it_comes_in_pages(self, ann, work):
        other = ann.make_calendar("Other")
        expected = set()
        for number in range(11):
            expected.add(ann.make_entry((work, other)[number % 2], title=f"Thing {number}")["id"])
            ann.make_entry(work, title=f"Nothing of the kind {number}".replace("thing", "-"))
        pages = pages_of(ann, "/api/search?q=thing", "entries", 4)
        ids = [one["id"] for page in pages for one in page]
        assert len(ids) == len(set(ids)) and set(ids) == expected
        assert all(len(page) <= 4 for page in pages)

    def test_only_what_one_may_see_is_found(self, house, ann, bob, work):
        secret, shared = ann.make_calendar("Secret"), ann.make_calendar("Shared")
        pending, trashed = ann.make_calendar("Pending"), ann.make_calendar("Trashed")
        for calendar, title in ((secret, "Plan S"), (shared, "Plan T"), (pending, "Plan P"), (trashed, "Plan X")):
            ann.make_entry(calendar, title=title)
        ann.delete(path_of(ann.make_entry(shared, title="Plan deleted")))
        ann.share(shared, bob)
        ann.share(trashed, bob)
        done(ann.invite(pending, bob.email, "owner"), 201)
        ann.delete(f"/api/calendars/{trashed}")
        assert found(bob, "plan") == ["Plan T"]
        assert found(ann, "plan") == ["Plan P", "Plan S", "Plan T"]
        assert found(ann, "plan", calendar_id=f"{secret},{pending}") == ["Plan P", "Plan S"]
        for calendar in (secret, pending, trashed, f"{shared},{secret}", NOWHERE):
            refused(bob.get(f"/api/search?q=plan&calendar_id={calendar}"), 404)
        done(ann.delete(f"/api/calendars/{shared}/members/{bob.id}"), 204)
        assert found(bob, "plan") == []

    def test_questions_that_cannot_be_are_refused(self, ann, work):
        for query in ("", "q=", "q=%20%20", "q=" + "+".join("abcdefghijk"), "q=a&limit=0", "q=a&limit=501",
                      "q=a&after=%21", "q=a&calendar_id=x", "q=%ff"):
            refused(ann.get(f"/api/search?{query}"), 400)
        assert ann.get("/api/search?q=" + "x" * 200).status == 200
        assert found(ann, "%_*\\\"'") == []
