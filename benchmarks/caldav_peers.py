# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Radicale and Xandikos with the same entries as ours, each an event of a calendar over CalDAV."""

import datetime
import http.client
import pathlib
import subprocess
import time

import our_server
import measure

# Fewer than ours have, in their favour: both become slower the more there are.
CALENDARS = 10
ENTRIES_EACH = 1_000
FIRST_DAY = datetime.date(2025, 5, 1)
DAYS = 600

QUERY = ('<?xml version="1.0"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>'
         '<D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">'
         '<C:time-range start="{start}T000000Z" end="{end}T000000Z"/></C:comp-filter></C:comp-filter></C:filter>'
         '</C:calendar-query>')
MAKE = ('<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>'
        '<D:displayname>Calendar</D:displayname></D:prop></D:set></C:mkcalendar>')


def event(uid: str, number: int) -> str:
    day = FIRST_DAY + datetime.timedelta(days=number * DAYS // ENTRIES_EACH)
    hour = 8 + number % 10
    return (f"BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20250101T000000Z\r\nDTSTART:{day:%Y%m%d}T{hour:02}0000Z\r\n"
            f"DTEND:{day:%Y%m%d}T{hour:02}3000Z\r\nSUMMARY:Meeting {number}\r\nLOCATION:Room 5\r\nEND:VEVENT\r\n")


def file_of(*events: str) -> str:
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n" + "".join(events) + "END:VCALENDAR\r\n"


class CalDavPeer:
    """Starts with `with`, fills itself, and answers loads."""

    name = ""
    root = ""
    targets = {"entry by id": 10.0, "month": 25.0, "insert": 5.0}

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder / self.name.lower()
        self.folder.mkdir()
        self.port = measure.free_port()
        self.headers = {"Authorization": "Basic YmVuY2g6YmVuY2g=", "Content-Type": "application/xml", "Depth": "1"}

    def command(self) -> list[str]:
        raise NotImplementedError

    def __enter__(self) -> "CalDavPeer":
        started = time.monotonic()
        self.process = measure.running(self.command(), self.port, log=self.folder / "log")
        self.pid = self.process.__enter__().pid
        self.start_ms = (time.monotonic() - started) * 1000
        self.fill()
        return self

    def __exit__(self, *error: object) -> None:
        self.process.__exit__(*error)

    def call(self, method: str, path: str, body: str, expected: tuple[int, ...]) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        headers = self.headers | ({"Content-Type": "text/calendar"} if method == "PUT" else {})
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        text = reply.read()
        if reply.status not in expected:
            raise SystemExit(f"{self.name}: {method} {path}: {reply.status} {text[:300]!r}")
        return text

    def fill(self) -> None:
        raise NotImplementedError

    def load(self, work: str) -> our_server.Load:
        paths = [f"{self.root}calendar{number}/" for number in range(CALENDARS)]
        if work == "entry by id":
            lines = [f"GET\t{path}e{number}.ics\t" for path in paths for number in range(0, ENTRIES_EACH, 7)]
        elif work == "month":
            self.check_month(paths[0])
            lines = [f"REPORT\t{path}\t{self.month(month)}" for path in paths for month in range(6, 12)]
        else:
            body = file_of(event("NEW", 17)).replace("\r\n", "\\r\\n")
            lines = [f"PUT\t{path}NEW.ics\t{body}" for path in paths]
        headers = self.headers | ({"Content-Type": "text/calendar"} if work == "insert" else {})
        return our_server.Load.make(self.port, self.folder, lines, headers)

    def month(self, month: int) -> str:
        return QUERY.format(start=f"2025{month:02}01", end=f"2025{month + 1:02}01")

    def check_month(self, path: str) -> None:
        found = self.call("REPORT", path, self.month(6), (207,)).count(b"BEGIN:VEVENT")
        if not 45 <= found <= 55:
            raise SystemExit(f"{self.name}: a month has {found} entries")

    def resident_mb(self) -> float:
        return measure.resident_bytes(self.pid) / 1e6


class Radicale(CalDavPeer):
    name = "Radicale"
    root = "/bench/"

    def command(self) -> list[str]:
        config = self.folder / "config"
        config.write_text(f"[server]\nhosts = 127.0.0.1:{self.port}\nmax_connections = 64\ntimeout = 120\n[auth]\n"
                          f"type = none\n[rights]\ntype = authenticated\n[storage]\n"
                          f"filesystem_folder = {self.folder}/data\n[logging]\nlevel = error\n")
        return ["/usr/bin/radicale", "--config", str(config)]

    def fill(self) -> None:
        # A whole calendar is one PUT, and its members are then named by their uids.
        for number in range(CALENDARS):
            self.call("PUT", f"{self.root}calendar{number}/",
                      file_of(*(event(f"e{entry}", entry) for entry in range(ENTRIES_EACH))), (201,))


class Xandikos(CalDavPeer):
    name = "Xandikos"
    root = "/bench/calendars/"

    def command(self) -> list[str]:
        return ["/usr/bin/xandikos", "-d", f"{self.folder}/data", "-l", "127.0.0.1", "-p", str(self.port), "--defaults",
                "--current-user-principal", "/bench/"]

    def fill(self) -> None:
        # Each calendar is a git repository: one commit each, instead of minutes of single PUTs.
        for number in range(CALENDARS):
            self.call("MKCALENDAR", f"{self.root}calendar{number}/", MAKE, (201,))
            repository = f"{self.folder}/data{self.root}calendar{number}"
            for entry in range(ENTRIES_EACH):
                pathlib.Path(repository, f"e{entry}.ics").write_text(file_of(event(f"e{entry}", entry)), newline="")
            git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-C", repository]
            subprocess.run([*git, "add", "-A"], check=True)
            subprocess.run([*git, "commit", "-q", "-m", "load"], check=True)
