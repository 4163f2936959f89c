# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""`atrium calendar`, `entry` and `events`: on a data folder that nobody serves, through the server that runs on it, and
over the network with a token."""

import contextlib
import json
import queue
import subprocess
import threading

import pytest
from identity_client import start_house, start_server
from programs import clean_environment, run
from raw_http import TimedOut
from running_server import eventually

DONE, FAILED, MISUSED = 0, 1, 2
DAY = "2026-03-01"


def good(printed) -> str:
    assert printed.returncode == DONE, printed.stderr
    assert printed.stderr == ""
    return printed.stdout


def refused(printed, *words: str) -> None:
    """It failed, printed nothing that could be taken for an outcome, and said why."""
    assert (printed.returncode, printed.stdout) == (FAILED, ""), printed.stdout + printed.stderr
    assert all(word in printed.stderr for word in words), printed.stderr


class Desk:
    """Somebody's calendars by commands, through one of the three doors."""

    def __init__(self, house, email: str, where: list, env: dict[str, str] | None = None):
        self.house = house
        self.email = email
        self.where = where
        self.env = env or {}
        self.program = house.server.command[0]

    def atrium(self, *words):
        return run(self.program, *words, *self.where, env=self.env)

    def json(self, *words):
        return json.loads(good(self.atrium(*words, "--json")))

    def make_calendar(self, name: str = "Work") -> str:
        return self.json("calendar", "create", name)["id"]

    def add(self, calendar: str, title: str, *words) -> dict:
        return self.json("entry", "add", title, "--calendar", calendar, "--date", DAY, *words)

    def entries(self, calendar: str, first: str = DAY, last: str = DAY) -> list[dict]:
        return self.json("entry", "list", "--calendar", calendar, "--from", first, "--to", last)

    @contextlib.contextmanager
    def watching(self, *words):
        """The lines that `events watch` prints, as a queue."""
        command = [self.program, "events", "watch", *words, *map(str, self.where)]
        with subprocess.Popen(command, env=clean_environment(self.env), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as watch:
            lines = queue.Queue()
            reader = threading.Thread(target=lambda: [lines.put(line) for line in watch.stdout])
            reader.start()
            try:
                yield lines
            finally:
                watch.terminate()
                reader.join()


def next_line(lines: queue.Queue, deadline: float = 20) -> str:
    try:
        return lines.get(timeout=deadline)
    except queue.Empty:
        raise TimedOut("no line was printed") from None


def make_desk(house, door: str, email: str = "ann@example.org") -> Desk:
    person = house.make_user(email)
    if door == "network":
        secret = house.make_token(house.sign_in(person), scopes=["calendars:read", "calendars:write"])["token"]
        return Desk(house, email, ["--server", house.server.url], {"ATRIUM_TOKEN": secret})
    if door == "folder":
        house.server.stop()
    return Desk(house, email, ["--data", house.server.data, "--user", email])


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture(params=["network", "socket", "folder"])
def desk(house, request) -> Desk:
    return make_desk(house, request.param)


@pytest.fixture(params=["network", "socket"])
def served(house, request) -> Desk:
    return make_desk(house, request.param)


def test_calendars_are_made_and_listed(desk):
    made = desk.json("calendar", "create", "Garden", "--color", "#00AA00", "--description", "What grows")
    assert (made["name"], made["color"], made["description"]) == ("Garden", "#00AA00", "What grows")
    listed = {one["name"]: one for one in desk.json("calendar", "list")}
    assert listed["Garden"]["id"] == made["id"]
    assert listed["Garden"]["role"] == "owner"
    assert sum(one["is_default"] for one in listed.values()) == 1
    table = good(desk.atrium("calendar", "list")).splitlines()
    assert table[0].split() == ["NAME", "ROLE", "STATUS", "COLOR", "DEFAULT", "ID"]
    assert any(line.startswith("Garden") and made["id"] in line for line in table)


def test_what_the_server_refuses_is_said(desk):
    refused(desk.atrium("calendar", "create", "Garden", "--color", "green"), "color")
    refused(desk.atrium("entry", "add", "x", "--calendar", "0", "--date", DAY))
    refused(desk.atrium("calendar", "seed", "--calendar", "0"))
    refused(desk.atrium("entry", "remove", "00000000-0000-4000-8000-000000000000"), "no such entry")


def test_entries_of_all_kinds_are_added_and_listed(desk):
    calendar = desk.make_calendar()
    desk.add(calendar, "Flea market", "--location", "Mill square")
    desk.add(calendar, "Yoga", "--start-time", "18:00", "--end-time", "19:00", "--time-zone", "Europe/Berlin")
    desk.add(calendar, "Holidays", "--end-date", "2026-03-08")
    task = desk.add(calendar, "Water the plants", "--kind", "task")
    assert {one["title"]: one["kind"] for one in desk.entries(calendar)} == {
        "Flea market": "all-day", "Yoga": "timed", "Holidays": "multi-day", "Water the plants": "task"}
    table = good(desk.atrium("entry", "list", "--from", DAY, "--to", DAY))
    assert "Mill square" in table and "18:00" in table and task["id"] in table


def test_a_task_is_done_however_often_one_says_so(desk):
    calendar = desk.make_calendar()
    task = desk.add(calendar, "Water the plants", "--kind", "task")
    for _ in range(2):
        assert desk.json("entry", "done", task["id"])["completed"] is True
    day = desk.add(calendar, "Flea market")
    refused(desk.atrium("entry", "done", day["id"]), "not a task")


def test_one_occurrence_is_done_or_removed(desk):
    calendar = desk.make_calendar()
    series = desk.add(calendar, "Water the plants", "--kind", "task", "--rule", "FREQ=DAILY;COUNT=4")
    desk.json("entry", "done", series["id"], "--occurrence", "2026-03-02T00:00")
    good(desk.atrium("entry", "remove", series["id"], "--occurrence", "2026-03-03T00:00", "--scope", "this"))
    left = {one["startDate"]: one["completed"] for one in desk.entries(calendar, DAY, "2026-03-10")}
    assert left == {DAY: False, "2026-03-02": True, "2026-03-04": False}
    good(desk.atrium("entry", "remove", series["id"]))
    assert desk.entries(calendar, DAY, "2026-03-10") == []


def test_a_seed_has_the_promised_mix_and_is_the_same_for_the_same_words(desk):
    calendar = desk.make_calendar()
    seed = ["calendar", "seed", "--calendar", calendar, "--highlighted-day", DAY]
    # Each share is rounded up.
    assert desk.json(*seed) == {"created": 16}
    first = desk.entries(calendar, "2026-01-01", "2026-06-30")
    kinds = {kind: len({one["id"] for one in first if one["kind"] == kind})
             for kind in ("multi-day", "all-day", "timed", "task")}
    assert kinds == {"multi-day": 3, "all-day": 3, "timed": 7, "task": 3}
    assert {one["kind"] for one in first if one["startDate"] == DAY} == set(kinds)
    assert any(one.get("occurrence") for one in first)
    assert good(desk.atrium(*seed)) == "16 entries\n"
    again = desk.entries(calendar, "2026-01-01", "2026-06-30")
    assert sorted(one["title"] for one in again) == sorted(2 * [one["title"] for one in first])


def test_a_large_seed_goes_in_batches(served):
    calendar = served.make_calendar()
    assert served.json("calendar", "seed", "--calendar", calendar, "--highlighted-day", DAY, "--count", 200) == {
        "created": 200}


def test_what_is_exported_can_be_imported_elsewhere(desk, tmp_path):
    here, there = desk.make_calendar("Here"), desk.make_calendar("There")
    desk.json("calendar", "seed", "--calendar", here, "--highlighted-day", DAY)
    file = tmp_path / "calendar.ics"
    good(desk.atrium("calendar", "export", file, "--calendar", here))
    text = file.read_text()
    assert text.startswith("BEGIN:VCALENDAR") and text.rstrip().endswith("END:VCALENDAR")
    assert good(desk.atrium("calendar", "export", "--calendar", here)).startswith("BEGIN:VCALENDAR")
    refused(desk.atrium("calendar", "export", file, "--calendar", here), "exists")
    report = desk.json("calendar", "import", file, "--calendar", there)
    assert (report["added"], report["refused"]) == (16, [])
    assert good(desk.atrium("calendar", "import", file, "--calendar", there)).startswith(
        "added 0, updated 0, unchanged 16\n")
    days = ("2026-01-01", "2026-06-30")
    assert (sorted(one["title"] for one in desk.entries(here, *days))
            == sorted(one["title"] for one in desk.entries(there, *days)))


def test_an_import_says_which_zones_were_taken_and_what_was_not_kept(desk, tmp_path):
    calendar = desk.make_calendar("Here")
    file = tmp_path / "exchange.ics"
    file.write_text("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a@x\r\nSUMMARY:Meeting\r\n"
                    "DTSTART;TZID=W. Europe Standard Time:20260706T090000\r\nURL:javascript:alert(1)\r\n"
                    "END:VEVENT\r\nEND:VCALENDAR\r\n")
    told = good(desk.atrium("calendar", "import", file, "--calendar", calendar))
    assert told.startswith("added 1, updated 0, unchanged 0\ntime zones 1:\n")
    assert any(line.split() == ["W.", "Europe", "Standard", "Time", "Europe/Berlin", "-"] for line in told.splitlines())
    assert 'line 3: URL not kept: "javascript:alert(1)"' in told


def test_a_calendar_that_is_not_there_leaves_no_file(desk, tmp_path):
    file = tmp_path / "calendar.ics"
    refused(desk.atrium("calendar", "export", file, "--calendar", "00000000-0000-4000-8000-000000000000"))
    assert not file.exists()


def test_calendars_are_shared(house):
    ann, bob = make_desk(house, "socket"), make_desk(house, "socket", "bob@example.org")
    calendar = ann.make_calendar()
    good(ann.atrium("calendar", "invite", bob.email, "--calendar", calendar, "--role", "writer"))
    good(bob.atrium("calendar", "accept", "--calendar", calendar))
    bob.add(calendar, "Flea market")
    assert [one["title"] for one in ann.entries(calendar)] == ["Flea market"]


def test_the_operator_says_whose_calendars_are_meant(house):
    desk = make_desk(house, "socket")
    desk.where = ["--data", house.server.data]
    refused(desk.atrium("calendar", "list"), "user")
    desk.where += ["--user", "nobody@example.org"]
    refused(desk.atrium("calendar", "list"), "nobody of that name")


def test_events_are_printed_as_they_happen(served):
    calendar = served.make_calendar()
    with served.watching("--calendar", calendar) as lines, served.watching("--json") as documents:

        def told() -> bool:
            # Until both listen.
            served.add(calendar, "Yoga")
            return not lines.empty() and not documents.empty()

        eventually(told, 20, "both watchers")
        line = next_line(lines)
        assert line.split() == ["entry_added", DAY, "Yoga"]
        event = json.loads(next_line(documents))
        assert event["event"] == "entry_added" and event["data"]["entry"]["title"] == "Yoga"
        assert event["id"]
    with served.watching("--json", "--last-event-id", event["id"]) as documents:
        served.add(calendar, "behind it")
        seen = json.loads(next_line(documents))
        while seen["data"]["entry"]["title"] != "behind it":
            assert seen["id"] != event["id"]
            seen = json.loads(next_line(documents))


def test_a_watcher_goes_on_when_the_server_comes_back(house, make_server):
    desk = make_desk(house, "socket")
    calendar = desk.make_calendar()
    with desk.watching("--json", "--calendar", calendar) as documents:

        def told() -> bool:
            desk.add(calendar, "before")
            return not documents.empty()

        eventually(told, 20, "the watcher")
        house.server.stop()
        desk.add(calendar, "while nobody served")
        house.server = start_server(make_server, data=house.server.data)
        desk.add(calendar, "after")
        numbers, titles = [], []
        while "after" not in titles:
            event = json.loads(next_line(documents))
            numbers.append(int(event["id"].partition(".")[2]))
            titles.append(event["data"]["entry"]["title"])
        assert titles[-2:] == ["while nobody served", "after"]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_watcher_without_a_server_says_so(house):
    desk = make_desk(house, "folder")
    refused(desk.atrium("events", "watch"), "running server")


def test_a_watcher_who_may_not_listen_ends(served):
    refused(served.atrium("events", "watch", "--calendar", "00000000-0000-4000-8000-000000000000"), "no such calendar")


@pytest.mark.parametrize("words", [
    ["calendar"], ["calendar", "create"], ["calendar", "seed"], ["calendar", "seed", "--calendar", "c", "--count", "0"],
    ["calendar", "import", "--calendar", "c"], ["entry", "add", "x"], ["entry", "add", "x", "--kind", "party"],
    ["entry", "remove"], ["events"], ["calendar", "list", "--user", "u", "--server", "http://a"]], ids=" ".join)
def test_what_makes_no_sense_is_refused(build_folder, tmp_path, words):
    assert run(build_folder / "atrium", *words, folder=tmp_path).returncode == MISUSED
