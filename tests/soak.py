# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Mixed traffic for hours, by the calls of real clients: what a server takes of memory must come to rest.

usage: ./test --soak [MINUTES]        two hours unless said

Prints the least that was resident in each minute, with what the caches of the store hold of it. Ends with status 1 when the
median of the last quarter, without those caches, is above that of the second by more than ALLOWANCE, when the caches outgrow
what is configured, or when anything was answered wrongly. The first quarter does not count.

People pause between two deeds, so that hours of it leave a machine usable.
"""

import collections
import dataclasses
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile
import threading
import time
import traceback

from calendar_client import CalendarClient
from calendar_client import done as calendar_done
from conftest import BUILD
from files_client import FilesClient
from identity_client import UNHURRIED, IdentityClient
from listening import Listener
from raw_http import DEADLINE
from running_server import RunningServer
from seafile_client import FilesPerson

MINUTES = 120.0
ALLOWANCE = 16 << 20
STORE_MEMORY = 64 << 20
CACHES = ("block_cache", "recent_rows", "memtable")
SETTINGS = {"log": {"format": "json", "access": False}, "store": {"memory": STORE_MEMORY}, "http": UNHURRIED}
PAUSE_SECONDS = 0.15
# Of each kind.
WORKERS = 2
ENTRIES_KEPT = 200
FILES_KEPT = 40
MIB = 1 << 20


@dataclasses.dataclass
class Traffic:
    """What all workers share."""

    house: IdentityClient
    end: float
    counts: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    errors: list[str] = dataclasses.field(default_factory=list)

    def over(self) -> bool:
        return time.monotonic() > self.end or bool(self.errors)


class CalendarWorker:
    """Makes, changes, reads and erases entries."""

    def __init__(self, traffic: Traffic, number: int):
        self.client = CalendarClient(traffic.house, traffic.house.make_user(f"calendar-{number}@example.org"))
        self.calendar = self.client.make_calendar("Soak")
        self.entries: collections.deque[dict] = collections.deque()
        self.random = random.Random(number)

    def step(self) -> None:
        date = f"2026-{self.random.randrange(1, 13):02}-{self.random.randrange(1, 29):02}"
        self.entries.append(self.client.make_entry(self.calendar, title=f"On {date}", startDate=date,
                                                   description="x" * self.random.randrange(2000)))
        changed = self.random.choice(self.entries)
        calendar_done(self.client.put(f"/api/entries/{changed['id']}", {"title": "Changed"}))
        calendar_done(self.client.get(f"/api/entries?calendar_id={self.calendar}&from={date[:8]}01&to={date[:8]}28"))
        self.client.calendars()
        if len(self.entries) > ENTRIES_KEPT:
            calendar_done(self.client.delete(f"/api/entries/{self.entries.popleft()['id']}"))


class FilesWorker:
    """Uploads files over those that are there, downloads and lists them."""

    def __init__(self, traffic: Traffic, number: int):
        self.client = FilesClient(traffic.house, traffic.house.make_user(f"files-{number}@example.org"))
        self.library = self.client.make_library("Soak")
        self.random = random.Random(number)

    def step(self) -> None:
        path = f"/{self.random.randrange(FILES_KEPT)}.bin"
        content = self.random.randbytes(self.random.randrange(1, MIB // 2))
        self.client.upload(self.library, path, content, replace=True)
        assert self.client.download(self.library, path) == content
        self.client.names(self.library)


class SyncWorker:
    """Reads a library as a client does that syncs it for the first time, after it was changed."""

    def __init__(self, traffic: Traffic, number: int):
        person = traffic.house.make_user(f"sync-{number}@example.org")
        self.files = FilesClient(traffic.house, person)
        self.library = FilesPerson(traffic.house, person).make_library("Soak")
        self.random = random.Random(number)

    def step(self) -> None:
        name = f"/{self.random.randrange(FILES_KEPT)}.bin"
        self.files.upload(self.library.id, name, self.random.randbytes(20_000), replace=True)
        self.library.head()
        self.library.tree()


class ListeningWorker:
    """Listens to what changes in a calendar, hears of one change and goes."""

    def __init__(self, traffic: Traffic, number: int):
        self.client = CalendarClient(traffic.house, traffic.house.make_user(f"listener-{number}@example.org"))
        self.calendar = self.client.make_calendar("Heard")
        self.server = traffic.house.server

    def step(self) -> None:
        fields = [f"{name}: {value}" for name, value in self.client.who.items()]
        with Listener(self.server, *fields, path=f"/api/events?calendar_id={self.calendar}") as listener:
            listener.next_event()
            entry = self.client.make_entry(self.calendar, title="Heard")
            while listener.next_event(DEADLINE).get("event") != "entry_added":
                pass
        calendar_done(self.client.delete(f"/api/entries/{entry['id']}"))


class SessionWorker:
    """Signs in, looks who it is, and signs out."""

    def __init__(self, traffic: Traffic, number: int):
        self.house = traffic.house
        self.person = traffic.house.make_user(f"session-{number}@example.org")

    def step(self) -> None:
        who = self.house.sign_in(self.person)
        assert self.house.get("/api/me", who).status == 200
        assert self.house.post("/api/auth/logout", None, who).status in (200, 204)


KINDS = (CalendarWorker, FilesWorker, SyncWorker, ListeningWorker, SessionWorker)


def work(traffic: Traffic, worker) -> None:
    try:
        while not traffic.over():
            worker.step()
            traffic.counts[type(worker).__name__] += 1
            time.sleep(PAUSE_SECONDS)
    except Exception:
        traffic.errors.append(traceback.format_exc())


def start_server(folder: pathlib.Path) -> RunningServer:
    settings = folder / "atrium.yaml"
    settings.write_text(json.dumps(SETTINGS))
    command = [str(BUILD / "atrium"), "serve", "--config", str(settings), "--data", str(folder / "data"), "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ATRIUM_")}
    server = RunningServer(command, folder, environment)
    server.wait_until_listening()
    return server


@dataclasses.dataclass(frozen=True)
class Minute:
    """Bytes."""

    resident: int
    caches: dict[str, float]

    @property
    def cached(self) -> float:
        return sum(self.caches.values())

    @property
    def rest(self) -> float:
        return self.resident - self.cached

    def __str__(self) -> str:
        parts = " ".join(f"{name} {size / MIB:.0f}" for name, size in self.caches.items())
        return f"{self.resident / MIB:6.1f} MiB resident; {parts}; {self.rest / MIB:6.1f} the rest"


def caches_of(server: RunningServer) -> dict[str, float]:
    metrics = server.metrics()
    return {name: metrics.value(f"atrium_store_{name}_bytes") for name in CACHES}


def floor_of(server: RunningServer, until: float) -> int:
    """The least that was resident until then: what is kept, without what the requests of a moment need."""
    least = server.rss_bytes()
    while time.monotonic() < until:
        time.sleep(0.5)
        least = min(least, server.rss_bytes())
    return least


def watch(server: RunningServer, traffic: Traffic) -> list[Minute]:
    seen: list[Minute] = []
    begun = time.monotonic()
    while not traffic.over():
        resident = floor_of(server, min(begun + 60 * (len(seen) + 1), traffic.end))
        seen.append(Minute(resident, caches_of(server)))
        print(f"minute {len(seen):4}: {seen[-1]}; {server.thread_count()} threads; {sum(traffic.counts.values())} steps", flush=True)
    return seen


def judge(seen: list[Minute]) -> str:
    """Empty when memory has come to rest."""
    quarter = len(seen) // 4
    if quarter == 0:
        return "too short to say anything: four minutes at least"
    second, last = (statistics.median(minute.rest for minute in part) for part in (seen[quarter:2 * quarter], seen[-quarter:]))
    print(f"without caches: second quarter {second / MIB:.1f} MiB, last quarter {last / MIB:.1f} MiB, "
          f"{(last - second) / MIB:+.1f} of {ALLOWANCE / MIB:.0f} allowed")
    if max(minute.cached for minute in seen) > STORE_MEMORY:
        return "the caches of the store take more than is configured"
    return "memory grows" if last - second > ALLOWANCE else ""


def soak(minutes: float) -> int:
    with tempfile.TemporaryDirectory(prefix="atrium-soak-") as folder:
        server = start_server(pathlib.Path(folder))
        traffic = Traffic(IdentityClient(server).set_up(), time.monotonic() + 60 * minutes)
        workers = [kind(traffic, number) for kind in KINDS for number in range(WORKERS)]
        threads = [threading.Thread(target=work, args=(traffic, worker)) for worker in workers]
        for thread in threads:
            thread.start()
        seen = watch(server, traffic)
        for thread in threads:
            thread.join()
        print(json.dumps(traffic.counts))
        complaint = "\n".join(traffic.errors) or judge(seen)
        server.stop()
    if complaint:
        print(complaint, file=sys.stderr)
    return 1 if complaint else 0


if __name__ == "__main__":
    sys.exit(soak(float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES))
