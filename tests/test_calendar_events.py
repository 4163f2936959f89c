# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What changes in calendars is told at once: everything, once, in order, to everybody who may know, also over restarts."""

import collections
import http.client
import itertools
import json
import os
import signal
import threading
import time

import pytest
from calendar_client import CalendarClient, MONDAY, done, refused
from event_crowd import Crowd
from identity_client import start_house, start_server
from listening import Listener

# EVENT_CROWD=full is 1,000 listeners to 10,000 changes, which takes minutes.
FULL = os.environ.get("EVENT_CROWD") == "full"
LISTENERS = 1000 if FULL else 200
CHANGES = 10_000 if FULL else 2000
WRITERS = 4
CALENDARS = 4


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def bob(house):
    return CalendarClient(house, house.make_user("bob@example.org"))


class Ear(Listener):
    """Somebody's stream; where to go on from is known once it is made."""

    def __init__(self, client: CalendarClient, query: str = "", *headers: str):
        fields = [f"{name}: {value}" for name, value in (client.who).items()]
        super().__init__(client.house.server, *fields, *headers, path=f"/api/events{query}")
        self.last_id = ""
        if self.head.status == 200 and "last_event_id" not in query and not any("Last-Event-ID" in h for h in headers):
            self.last_id = self.next_event()["id"]

    def heard(self, count: int = 1) -> list[tuple[str, dict]]:
        """Names and texts of the next events."""
        events = []
        while len(events) < count:
            event = self.next_event()
            self.last_id = event.get("id", self.last_id)
            if "event" in event:
                events.append((event["event"], json.loads(event["data"])))
        return events

    def names(self, count: int = 1) -> list[str]:
        return [name for name, _ in self.heard(count)]


def test_changes_of_a_calendar_are_told_as_they_happen(ann):
    calendar = ann.make_calendar()
    with Ear(ann, f"?calendar_id={calendar}") as ear:
        entry = ann.make_entry(calendar, title="Standup")
        done(ann.put(f"/api/entries/{entry['id']}", {"title": "Stand-up"}))
        done(ann.delete(f"/api/entries/{entry['id']}"))
        done(ann.put(f"/api/calendars/{calendar}", {"name": "Office"}))
        (added, first), (updated, second), (deleted, third), (renamed, fourth) = ear.heard(4)
    assert (added, updated, deleted, renamed) == ("entry_added", "entry_updated", "entry_deleted", "calendar_updated")
    assert (first["entry"]["title"], first["date"]) == ("Standup", MONDAY)
    assert second["entry"]["title"] == "Stand-up"
    assert third == {"entry_id": entry["id"], "date": MONDAY}
    assert fourth["calendar"]["name"] == "Office"


def test_a_stream_is_announced_as_what_it_is(ann):
    with Ear(ann) as ear:
        assert ear.head.header("content-type") == "text/event-stream"
        assert ear.head.header("cache-control") == "no-store"


def test_the_header_counts_more_than_the_parameter(ann):
    calendar = ann.make_calendar()
    with Ear(ann, f"?calendar_id={calendar}") as ear:
        before = ear.last_id
        ann.make_entry(calendar, title="one")
        ear.heard()
        ann.make_entry(calendar, title="two")
        after_one = ear.last_id
    with Ear(ann, f"?calendar_id={calendar}&last_event_id={before}") as ear:
        assert [text["entry"]["title"] for _, text in ear.heard(2)] == ["one", "two"]
    with Ear(ann, f"?calendar_id={calendar}&last_event_id={before}", f"Last-Event-ID: {after_one}") as ear:
        assert [text["entry"]["title"] for _, text in ear.heard()] == ["two"]


def test_strangers_and_people_without_a_name_hear_nothing(house, ann, bob):
    calendar = ann.make_calendar()
    refused(bob.get(f"/api/events?calendar_id={calendar}"), 404)
    done(ann.invite(calendar, bob.email), 201)
    refused(bob.get(f"/api/events?calendar_id={calendar}"), 404)
    refused(ann.get("/api/events?calendar_id=x"), 400, "calendar_id")
    refused(house.get("/api/events"), 401)


def test_a_token_for_files_hears_nothing(house, ann):
    made = house.make_token(ann.who, scopes=["files:read"])
    refused(CalendarClient(house, ann.person, {"Authorization": f"Bearer {made['token']}"}).get("/api/events"), 403)


@pytest.mark.parametrize("last", ["17", "x", "00000000.1", "00000000.m1.11111111-1"])
def test_an_id_of_another_server_asks_for_a_refresh(ann, last):
    with Ear(ann, f"?last_event_id={last}") as ear:
        [(name, text)] = ear.heard()
        assert (name, text["reason"]) == ("refresh_required", "event_history_gap")
        assert text["message"]
        ann.make_calendar()
        assert ear.names(2) == ["member_added", "calendar_added"]


def test_a_reader_who_is_removed_gets_the_end_of_the_stream(ann, bob):
    calendar = ann.make_calendar()
    ann.share(calendar, bob)
    with Ear(bob, f"?calendar_id={calendar}") as ear:
        done(ann.delete(f"/api/calendars/{calendar}/members/{bob.id}"), 204)
        ann.make_entry(calendar, title="not for Bob")
        assert ear.names() == ["member_removed"]
        assert ear.next_chunk() == b""
        ear.connection.expect_closed()
    refused(bob.get(f"/api/events?calendar_id={calendar}&last_event_id={ear.last_id}"), 404)


def test_all_calendars_are_one_stream_that_follows_memberships(ann, bob):
    shared = ann.make_calendar("Shared")
    with Ear(bob) as ear:
        ann.make_entry(shared, title="too early")
        ann.share(shared, bob, "writer")
        assert ear.names(2) == ["member_added", "member_updated"]
        ann.make_entry(shared, title="for both")
        assert [text["entry"]["title"] for _, text in ear.heard()] == ["for both"]
        own = bob.make_calendar("Own")
        assert ear.names(2) == ["member_added", "calendar_added"]
        bob.make_entry(own, title="mine")
        assert [text["entry"]["title"] for _, text in ear.heard()] == ["mine"]
        done(ann.delete(f"/api/calendars/{shared}/members/{bob.id}"), 204)
        assert ear.names() == ["member_removed"]
        ann.make_entry(shared, title="not for Bob")
        bob.make_entry(own, title="still mine")
        assert [text["entry"]["title"] for _, text in ear.heard()] == ["still mine"]


def test_what_happened_while_one_was_away_is_told_once(ann, bob):
    first, second = ann.make_calendar("First"), ann.make_calendar("Second")
    ann.share(first, bob)
    with Ear(bob) as ear:
        ann.make_entry(first, title="heard")
        ear.heard()
    ann.make_entry(first, title="away")
    ann.share(second, bob)
    ann.make_entry(second, title="away too")
    with Ear(bob, "", f"Last-Event-ID: {ear.last_id}") as again:
        events = again.heard(4)
        assert [name for name, _ in events[:2]] == ["member_added", "member_updated"]
        assert sorted(text["entry"]["title"] for _, text in events[2:]) == ["away", "away too"]
        ann.make_entry(first, title="here")
        assert [text["entry"]["title"] for _, text in again.heard()] == ["here"]


def test_the_operator_listens_in_the_name_of_somebody(house, ann):
    # What the control socket may is asked there; over the network nobody can name another.
    other = CalendarClient(house, house.make_user("eve@example.org"))
    with Ear(other, f"?user={ann.email}") as ear:
        ann.make_calendar()
        other.make_calendar()
        [(_, text), _] = ear.heard(2)
        assert text["member"]["user_id"] == other.id


def test_ids_of_a_restored_store_ask_for_a_refresh(house, ann, make_server, tmp_path):
    calendar = ann.make_calendar()
    with Ear(ann, f"?calendar_id={calendar}") as one, Ear(ann) as all_of_them:
        ann.make_entry(calendar)
        ids = [(f"calendar_id={calendar}", one.heard() and one.last_id), ("", all_of_them.heard() and all_of_them.last_id)]
    assert house.atrium("store", "backup", "--to", tmp_path / "backups").returncode == 0
    house.server.stop()
    assert house.atrium("store", "restore", "--from", tmp_path / "backups", "--replace").returncode == 0
    house.server = start_server(make_server, data=house.server.data)
    for query, last in ids:
        with Ear(ann, f"?{query}&last_event_id={last}") as ear:
            assert ear.names() == ["refresh_required"]


def test_two_thousand_listeners_cost_no_thread(house, ann):
    calendar = ann.make_calendar()
    threads = house.server.thread_count()
    with Crowd(lambda: (house.server.address, house.server.port)) as crowd:
        for n in range(2000):
            crowd.add("/api/events" + (f"?calendar_id={calendar}" if n % 2 else ""), ann.who)
        crowd.start()
        assert house.server.thread_count() == threads
        for n in range(5):
            ann.make_entry(calendar, title=f"word {n}")
        crowd.wait(lambda member: len(member.titles) == 5, 60)
        assert {tuple(member.titles) for member in crowd.members} == {tuple(b"word %d" % n for n in range(5))}


# Everybody hears everything, whatever happens to the server.


class Writer:
    """Creates and changes entries one after another; asks again, under the same name, until it is answered."""

    def __init__(self, number: int, client: CalendarClient, calendars: list[str], count: int):
        self.number = number
        self.client = client
        self.calendars = calendars
        self.count = count
        self.written = 0
        self.fault: BaseException | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._entries: dict[int, str] = {}
        self.thread = threading.Thread(target=self._run)

    def title(self, n: int) -> str:
        return f"c{self._place(n)}-w{self.number}-{n}"

    def _place(self, n: int) -> int:
        return (n + self.number) % len(self.calendars)

    def _run(self) -> None:
        try:
            for n in range(self.count):
                self._write(n)
                self.written = n + 1
        except BaseException as fault:
            self.fault = fault
        finally:
            if self._connection is not None:
                self._connection.close()

    def _write(self, n: int) -> None:
        place = self._place(n)
        if place in self._entries and n % 2:
            self._ask("PUT", f"/api/entries/{self._entries[place]}", {"title": self.title(n)}, n)
            return
        body = {"calendarId": self.calendars[place], "kind": "all-day", "title": self.title(n), "startDate": MONDAY}
        self._entries[place] = self._ask("POST", "/api/entries", body, n)["id"]

    def _ask(self, method: str, path: str, body: dict, n: int) -> dict:
        headers = self.client.who | {"Content-Type": "application/json", "Idempotency-Key": f"w{self.number}-{n}"}
        until = time.monotonic() + 60
        while True:
            try:
                if self._connection is None:
                    server = self.client.house.server
                    self._connection = http.client.HTTPConnection(server.address, server.port, timeout=30)
                self._connection.request(method, path, json.dumps(body), headers)
                answer = self._connection.getresponse()
                text = answer.read()
            except (OSError, http.client.HTTPException):
                self._connection.close()
                self._connection = None
                assert time.monotonic() < until, "no answer for a minute"
                time.sleep(0.05)
                continue
            if answer.status == 503:
                time.sleep(0.05)
                continue
            assert answer.status in (200, 201), text
            return json.loads(text)


def restart(house, make_server, how: signal.Signals) -> None:
    if how == signal.SIGKILL:
        house.server.kill()
    else:
        house.server.stop()
    house.server = start_server(make_server, data=house.server.data)


def wait_for(writers: list[Writer], written: int) -> None:
    while sum(writer.written for writer in writers) < written:
        assert not (faults := [writer.fault for writer in writers if writer.fault]), faults
        time.sleep(0.01)


def by_calendar(titles: list[bytes]) -> dict[bytes, list[bytes]]:
    told = collections.defaultdict(list)
    for title in titles:
        told[title.split(b"-")[0]].append(title)
    return told


def test_a_crowd_hears_every_change_once_and_in_order_though_the_server_dies_and_restarts(
        house, ann, bob, make_server):
    signal.alarm(900 if FULL else 180)
    calendars = [ann.make_calendar(f"Calendar {n}") for n in range(CALENDARS)]
    for calendar in calendars:
        ann.share(calendar, bob)
    writers = [Writer(n, ann, calendars, CHANGES // WRITERS) for n in range(WRITERS)]
    with Crowd(lambda: (house.server.address, house.server.port)) as crowd:
        # One in five follows everything.
        for n in range(LISTENERS):
            which = n % (CALENDARS + 1)
            query = "" if which == CALENDARS else f"?calendar_id={calendars[which]}"
            crowd.add(f"/api/events{query}", (ann if n % 2 else bob).who)
        crowd.start()
        for writer in writers:
            writer.thread.start()
        wait_for(writers, CHANGES // 3)
        restart(house, make_server, signal.SIGKILL)
        wait_for(writers, CHANGES * 2 // 3)
        restart(house, make_server, signal.SIGTERM)
        wait_for(writers, CHANGES)
        one, everything = CHANGES // CALENDARS, CHANGES
        crowd.wait(lambda member: len(member.titles) >= (one if "?" in member.path else everything), 600 if FULL else 60)

    written = collections.defaultdict(set)
    for writer, n in itertools.product(writers, range(CHANGES // WRITERS)):
        title = writer.title(n).encode()
        written[title.split(b"-")[0]].add(title)
    order = by_calendar(crowd.members[CALENDARS].titles)
    for name, titles in order.items():
        # All of it, once, and what one writer did one after another stays in that order.
        assert len(titles) == len(written[name]) and set(titles) == written[name]
        for number in range(WRITERS):
            mine = [int(title.rpartition(b"-")[2]) for title in titles if b"-w%d-" % number in title]
            assert mine == sorted(mine)
    for n, member in enumerate(crowd.members):
        assert member.others == [], f"listener {n} heard {set(member.others)}"
        assert len(member.ids) == len(set(member.ids)), f"listener {n} heard an id twice"
        if "?" in member.path:
            assert member.titles == order[b"c%d" % (n % (CALENDARS + 1))], f"listener {n}"
        else:
            assert by_calendar(member.titles) == order, f"listener {n}"
    assert min(member.connections for member in crowd.members) == 3
