# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Calendars beside the bare edge, the bare store, CalDAV servers and the DynamoDB table they were kept in before."""

import datetime
import itertools
import json
import pathlib
import random
import statistics
import tempfile
import threading
import time
import typing
import urllib.parse

import caldav_peers
import our_server
import dynalite_peer
import measure
import store

CALENDARS = 100
ENTRIES_EACH = 1_000
# Half a thousand entries a year: about fifty of them fall into the month that is asked for.
FIRST_DAY = datetime.date(2025, 5, 1)
DAYS = 600
CONNECTIONS = 32
PEER_CLIENTS = 16
# The slowest of them answers less than one request a second.
PEER_SECONDS = 6
OLD_YEARS = 30
OLD_MONTH = datetime.date(2012, 6, 1)
MONTH_ENTRIES = 50
# Different questions about OLD_MONTH, shared out among the rounds.
WINDOWS = 900
IMPORTED = 20_000


def entry(calendar: str, number: int) -> dict:
    """About 600 bytes as the API answers it: what is stored is answered whole."""
    day = FIRST_DAY + datetime.timedelta(days=number * DAYS // ENTRIES_EACH)
    hour = 8 + number % 10
    return {"calendarId": calendar, "kind": "timed", "title": f"Meeting {number}", "location": "Room 5", "color": "#3B82F6",
            "startDate": day.isoformat(), "startTime": f"{hour:02}:00", "endTime": f"{hour:02}:30", "timeZone": "UTC"}


def fill_calendars(server: our_server.Server, calendars: list[str]) -> list[str]:
    """Answers the ids of the entries."""
    jobs = [[entry(calendar, number + i) for i in range(10)] for calendar in calendars
            for number in range(0, ENTRIES_EACH, 10)]
    return server.fill(jobs)


def month_lines(calendars: list[str]) -> list[str]:
    months = [datetime.date(2025, month, 1) for month in range(6, 13)]
    return [f"GET\t/api/entries?calendar_id={calendar}&from={first}&to={last_day(first)}\t"
            for calendar in calendars for first in months]


def last_day(first: datetime.date) -> datetime.date:
    return (first.replace(day=28) + datetime.timedelta(days=4)).replace(day=1) - datetime.timedelta(days=1)


def invite_people(server: our_server.Server, calendars: list[str]) -> list[str]:
    """The people dynalite knows, in the calendars they are in there. Answers their ids."""
    connection = server.connect()
    addresses = [dynalite_peer.address_of(number) for number in range(dynalite_peer.PEOPLE)]
    ids = [server.call(connection, "POST", "/api/users", {"email": address, "name": address.split("@")[0]})["id"]
           for address in addresses]
    for number, calendar in enumerate(calendars):
        for guest in dynalite_peer.guests_of(number):
            server.call(connection, "POST", f"/api/calendars/{calendar}/members", {"email": addresses[guest], "role": "writer"})
    return ids


def works(server: our_server.Server, calendars: list[str], people: list[str],
          ids: list[str]) -> dict[str, our_server.Load]:
    """What the peers are asked for, by the names they have for it."""
    by_id = server.load([f"GET\t/api/entries/{id}\t" for id in ids])
    return {"user by id": server.load([f"GET\t/api/users/{id}\t" for id in people]),
            "calendar by id": server.load([f"GET\t/api/calendars/{id}\t" for id in calendars]),
            "entry by id": by_id, "entry by GetItem": by_id,
            "members": server.load([f"GET\t/api/calendars/{id}/members\t" for id in calendars]),
            "own calendars": server.load(["GET\t/api/calendars/me\t"]),
            "month": server.load(month_lines(calendars)),
            "user by e-mail": server.load([f"GET\t/api/users?email={urllib.parse.quote(dynalite_peer.address_of(number))}\t"
                                           for number in range(len(people))]),
            "insert": server.load([insert_line(calendar) for calendar in calendars])}


def edge_rows(server: our_server.Server, calendars: list[str], ids: list[str], seconds: int,
              rounds: int) -> list[measure.Row]:
    """Reads beside the bare quick route of the same process."""
    by_id = server.load([f"GET\t/api/entries/{id}\t" for id in ids])
    months = server.load(month_lines(calendars))
    quick = server.load(["GET\t/lab/quick\t"])
    results = measure.in_turn({name: (lambda load=load: load.rate(seconds, CONNECTIONS))
                               for name, load in [("quick", quick), ("entry", by_id), ("month", months)]}, rounds)
    return [
        measure.compare("entry by id", "req/s", "bare quick route", 0.60,
                        {"ours": results["entry"], "theirs": results["quick"]}),
        measure.compare("one month, about 50 entries", "req/s", "bare quick route", 0.30,
                        {"ours": results["month"], "theirs": results["quick"]}),
    ]


def insert_line(calendar: str) -> str:
    body = entry(calendar, 17) | {"title": "Meeting NEW"}
    return f"POST\t/api/entries\t{json.dumps(body)}"


def insert_rows(server: our_server.Server, build: pathlib.Path, folder: pathlib.Path, calendars: list[str],
                seconds: int, rounds: int) -> list[measure.Row]:
    """Durable inserts beside what the store itself commits with as many writers."""
    inserts = server.load([insert_line(calendar) for calendar in calendars])
    bench = store.Bench(build, folder, seconds)
    commit = bench.anew("ours_commit", writers=CONNECTIONS)
    results = measure.in_turn({"ours": lambda: inserts.rate(seconds, CONNECTIONS),
                               "theirs": lambda: commit()["per_second"]}, rounds)
    return [measure.compare("durable insert, 32 connections", "req/s", "the store's commit", 0.60, results)]


def peer_rows(server: our_server.Server, folder: pathlib.Path, loads: dict[str, our_server.Load], seconds: int,
              rounds: int) -> list[measure.Row]:
    """The same work by Radicale, Xandikos and dynalite, sixteen clients each."""
    peers = [dynalite_peer.Dynalite(folder), dynalite_peer.SyncedDynalite(folder), caldav_peers.Radicale(folder),
             caldav_peers.Xandikos(folder)]
    rows = []
    for peer in peers:
        with peer:
            for work, target in peer.targets.items():
                theirs = peer.load(work)
                results = measure.in_turn({"ours": lambda load=loads[work]: load.rate(seconds, PEER_CLIENTS),
                                           "theirs": lambda load=theirs: load.rate(PEER_SECONDS, PEER_CLIENTS)},
                                          min(rounds, 3))
                rows.append(measure.compare(f"{work}, 16 clients", "req/s", peer.name, target, results))
            rows.append(measure.Row(name="resident memory", ours=server.resident_mb(), unit="MB", peer=peer.name,
                                    theirs=peer.resident_mb(), ratio=peer.resident_mb() / server.resident_mb(),
                                    target=0.0))
            rows.append(measure.Row(name="start, up to the first reply", ours=server.start_ms, unit="ms", peer=peer.name,
                                    theirs=peer.start_ms, ratio=peer.start_ms / server.start_ms, target=0.0))
    return rows


def old_entries(calendar: str, count: int) -> typing.Iterator[list[dict]]:
    """`count` entries over thirty years of which fifty are in OLD_MONTH, in tens."""
    random.seed(5)
    first = datetime.date(2000, 1, 1)
    span = OLD_YEARS * 365
    tens = []
    for number in range(count):
        if number < MONTH_ENTRIES:
            day = OLD_MONTH + datetime.timedelta(days=number % 28)
        else:
            day = OLD_MONTH
            while day.year == OLD_MONTH.year and day.month in (5, 6, 7):
                day = first + datetime.timedelta(days=random.randrange(span))
        tens.append(entry(calendar, number) | {"startDate": day.isoformat()})
        if len(tens) == 10:
            yield tens
            tens = []


def windows() -> typing.Iterator[str]:
    """Days that have just the entries of OLD_MONTH, never the same ones: what was asked for before is remembered."""
    for before, after in itertools.product(range(31), range(31)):
        first, last = OLD_MONTH - datetime.timedelta(days=before), last_day(OLD_MONTH) + datetime.timedelta(days=after)
        yield f"/api/entries?from={first}&to={last}&calendar_id="


def growth_rows(server: our_server.Server, entries: int, rounds: int) -> list[measure.Row]:
    """The same month of a calendar with few entries and of one with very many."""
    calendars = {count: server.make_calendar(f"{count} entries") for count in (1_000, entries)}
    for count, calendar in calendars.items():
        server.fill(old_entries(calendar, count))
    server.settle()
    paths = {count: windows() for count in calendars}
    for count, calendar in calendars.items():
        assert len(server.get(next(paths[count]) + calendar)["entries"]) == MONTH_ENTRIES

    def median(count: int) -> float:
        return server.quantile_us([path + calendars[count] for path in itertools.islice(paths[count], WINDOWS // rounds)], 0.5)

    results = measure.in_turn({str(count): (lambda count=count: median(count)) for count in calendars}, rounds)
    few, many = results["1000"], results[str(entries)]
    ratio = statistics.median(b / a for a, b in zip(many, few, strict=True))
    return [measure.Row(name=f"a month out of {entries:,}", ours=statistics.median(many), unit="us p50",
                        peer="out of 1,000 entries", theirs=statistics.median(few), ratio=ratio, target=1 / 1.5,
                        detail={"many": many, "few": few})]


def calendar_file(entries: int) -> bytes:
    events = []
    for number in range(entries):
        day = FIRST_DAY + datetime.timedelta(days=number % DAYS)
        events.append(f"BEGIN:VEVENT\r\nUID:import-{number}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:{day:%Y%m%d}T090000Z\r\n"
                      f"DTEND:{day:%Y%m%d}T093000Z\r\nSUMMARY:Imported {number}\r\nEND:VEVENT\r\n")
    return ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n" + "".join(events) + "END:VCALENDAR\r\n").encode()


def import_round(server: our_server.Server, paths: list[str], file: bytes) -> dict[str, float]:
    """Imports into a calendar of its own while another client asks for months."""
    target = server.make_calendar("Imported")
    idle = server.quantile_us(paths * 4, 0.99)
    started, took = time.monotonic(), []

    def send() -> None:
        report = server.upload(f"/api/calendars/{target}/import", "text/calendar", file)
        took.append(time.monotonic() - started)
        assert report["added"] == IMPORTED, report

    importer = threading.Thread(target=send)
    importer.start()
    samples: list[float] = []
    while importer.is_alive():
        samples += server.times_us(random.sample(paths, 50))
    importer.join()
    return {"idle": idle, "busy": statistics.quantiles(samples, n=100)[98], "seconds": took[0]}


def import_rows(server: our_server.Server, calendars: list[str], rounds: int) -> list[measure.Row]:
    """Another client's month while somebody imports a large file, beside the same month before."""
    paths = [line.split("\t")[1] for line in month_lines(calendars)]
    file = calendar_file(IMPORTED)
    all_rounds = [import_round(server, paths, file) for _ in range(rounds)]
    busy, idle, seconds = ([one[name] for one in all_rounds] for name in ("busy", "idle", "seconds"))
    took = statistics.median(seconds)
    ratio = statistics.median(a / b for a, b in zip(idle, busy, strict=True))
    return [measure.Row(name="a month during an import", ours=statistics.median(busy), unit="us p99", peer="the same before",
                        theirs=statistics.median(idle), ratio=ratio, target=1 / 3, detail={"busy": busy, "idle": idle}),
            measure.Row(name=f"import of {IMPORTED:,} entries", ours=took, unit="s", peer="a limit of 10 s", theirs=10,
                        ratio=10 / took, target=1.0)]


def run(build: pathlib.Path, seconds: int, rounds: int, entries: int) -> list[measure.Row]:
    with tempfile.TemporaryDirectory(dir=build) as temporary:
        folder = pathlib.Path(temporary)
        with our_server.start(build, folder) as server:
            calendars = [server.make_calendar(f"Calendar {number}") for number in range(CALENDARS)]
            ids = fill_calendars(server, calendars)
            server.settle()
            rows = edge_rows(server, calendars, ids, seconds, rounds)
            people = invite_people(server, calendars)
            rows += peer_rows(server, folder, works(server, calendars, people, ids), seconds, rounds)
            rows += insert_rows(server, build, folder, calendars, seconds, rounds)
            rows += import_rows(server, calendars, rounds)
            rows += growth_rows(server, entries, rounds)
        return rows
