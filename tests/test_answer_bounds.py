# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Every route that reads, of a house full of long things: its answer has a bound, or is sent while it is made.

The routes come from `atrium routes --json`. One with a path that this file cannot fill in, or that answers with an error,
fails the test: say in VALUES and QUESTIONS how it is asked, and put enough into the house that it would answer too much.
"""

import contextlib
import json
import random
import re
import zlib

import pytest
from calendar_client import MONDAY, CalendarClient
from files_client import FilesClient
from files_client import done
from identity_client import start_house
from programs import run
from raw_http import RawConnection
from seafile_client import FilesPerson, SyncedLibrary, pack, sha1, unpack

MIB = 1 << 20
# What is made in memory. Routes that need more say so, and are few.
ANSWER_BYTES_MAX = 8 * MIB
LONGER = {
    "/api2/repo_history_changes/{id}": 16 * MIB,
}

TEXT = "x" * 16_000
ENTRIES = 300
FILES = 40

# What the query of a route needs, with names from VALUES; everything else is asked for as much as a page may have.
MOST = "limit=500&per_page=100"
FOLDER, FILE = "p=/", "p=/papers/report.txt"
QUESTIONS = {
    "/api/entries": "calendar_id={calendar}&from=2026-02-02&to=2027-02-01",
    "/api/search": "q=x&limit=500",
    "/api/freebusy": "users=ann@example.org&from=2026-02-02T00:00:00Z&to=2026-04-04T00:00:00Z",
    "/api/audit/export": "after=0",
    "/api/v2.1/repos/{id}/dir/detail": "path=/papers",
    "/api2/repos/{id}/file/detail": FILE,
    "/api/v2.1/repos/{id}/file": FILE,
    "/api2/repos/{id}/file": FILE,
    "/api2/repos/{id}/file/download-link": FILE,
    "/api2/repos/{id}/file-uploaded-bytes": "parent_dir=/&file_name=x",
    "/api/v2.1/repos/{id}/file-uploaded-bytes": "parent_dir=/&file_name=x",
    "/api/v2.1/repos/{id}/zip-task": "parent_dir=/&dirents=papers",
    "/api2/repos/{id}/dir/download": "p=/papers",
    "/api/v2.1/query-zip-progress": "token=x",
    "/api2/repo_history_changes/{id}": "commit_id={commit}",
    "/api/v2.1/repos/{id}/file/history": "path=/papers/report.txt&limit=100",
    "/api/v2.1/repos/{id}/file/new_history": "path=/papers/report.txt&per_page=100",
    "/api2/repo/file_revisions/{id}": FILE,
    "/api/v2.1/repos/{id}/commits/{commit}/dir": "path=/papers",
    "/api/v2.1/repos/{id}/commit/{commit}/dir": "path=/papers",
    "/api2/repos/{id}/file/revision": FILE + "&commit_id={commit}",
    "/repo/{id}/history/download": FILE + "&commit_id={commit}",
    "/repo/{id}/history/raw": FILE + "&commit_id={commit}",
    "/api2/search": "q=report&per_page=500",
    "/api/v2.1/search-file": "q=report&repo_id={id}&per_page=500",
    "/seafhttp/repo/{library}/fs-id-list": "server-head={commit}",
    "/seafhttp/repo/{library}/quota-check": "delta=1",
    "/seafhttp/accessible-repos": "repo_id={library}",
    "/api2/repo-tokens": "repos={id}",
    "/api/admin/series": "name=requests",
}

# What has nothing to list here, and says so.
REFUSED = {
    "/auth/{provider}/login": 404,
    "/auth/{provider}/callback": 401,
    "/api/users/{id}/photo": 404,
    "/api/join/waiting": 404,
    "/api/calendars/{calendar}/subscription": 404,
    # To a link.
    "/repo/{id}/history/download": 302,
    "/repo/{id}/history/raw": 302,
    "/api/v2.1/query-copy-move-progress": 400,
    "/{path...}": 404,
}

# Events and sockets stay open; a page of the app is a file.
OPEN_ENDED = {"/api/events", "/notification"}


def heavy_file() -> str:
    """Series of every day, each with a text as long as they may be."""
    items = "".join(f"BEGIN:VEVENT\r\nUID:heavy-{number}\r\nDTSTART;VALUE=DATE:20260202\r\nSUMMARY:Standup {number}\r\n"
                    f"DESCRIPTION:{TEXT}\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\n" for number in range(ENTRIES))
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{items}END:VCALENDAR\r\n"


def fill_calendars(ann: CalendarClient) -> dict[str, str]:
    """Two calendars full of long entries, of which all in one were deleted."""
    for name in ("Heavy", "Bin"):
        calendar = ann.make_calendar(name, description="y" * 1000)
        answer = ann.house.server.request("POST", f"/api/calendars/{calendar}/import", heavy_file(),
                                          ann.who | {"Content-Type": "text/calendar"}, 60)
        assert done(answer)["added"] == ENTRIES
        if name == "Heavy":
            heavy = calendar
    listed = done(ann.get(f"/api/entries?calendar_id={calendar}&from={MONDAY}&to={MONDAY}"))["entries"]
    for first in range(0, len(listed), 10):
        orders = [{"deed": "delete", "id": one["id"]} for one in listed[first:first + 10]]
        done(ann.post("/api/entries/batch", {"changes": orders}))
    entry = done(ann.get(f"/api/entries?calendar_id={heavy}&from={MONDAY}&to={MONDAY}"))["entries"][0]["id"]
    for number in range(60):
        done(ann.put(f"/api/entries/{entry}?scope=all", {"title": f"Standup, the {number}th"}))
    feed = done(ann.post(f"/api/calendars/{heavy}/feeds", {"name": "Phone"}), 201)["url"].rsplit("/", 1)[1]
    return {"calendar": heavy, "entry": entry, "feed": feed}


def fill_library(ann: FilesClient) -> dict[str, str]:
    library = ann.make_library("Papers")
    for number in range(FILES):
        ann.upload(library, "/papers/report.txt", f"draft {number}".encode(), replace=True)
        ann.upload(library, f"/papers/{'long' * 50} {number}.txt", b"report")
    done(ann.delete(f"/api2/repos/{library}/file/?p=/papers/{'long' * 50}%200.txt"))
    info = done(ann.get(f"/api2/repos/{library}/download-info/"))
    synced = SyncedLibrary(ann.house.server, library, info["token"])
    head = synced.head()
    root = synced.object(synced.commit(head)["root_id"])
    papers = synced.object(root["dirents"][0]["id"])
    file = next(one["id"] for one in papers["dirents"] if one["name"] == "report.txt")
    link = ann.download_link(library, "/papers/report.txt")
    zipped = done(ann.get(f"/api/v2.1/repos/{library}/zip-task/?parent_dir=/&dirents=papers"))["zip_token"]
    return {"library": library, "sync_token": info["token"], "commit": head, "object": synced.commit(head)["root_id"],
            "file": file, "block": synced.object(file)["block_ids"][0], "token": link.split("/files/")[1].split("/")[0],
            "zip": zipped}


@pytest.fixture
def house(make_server):
    return start_house(make_server)


def routes(build_folder) -> list[dict]:
    listed = json.loads(run(build_folder / "atrium", "routes", "--json").stdout)
    return [one for one in listed if one["method"] == "GET" and one["access"] != "control"]


class Asker:
    """Fills in paths, and asks as whoever may."""

    def __init__(self, house):
        self.house = house
        person = house.make_user("ann@example.org")
        who = house.sign_in(person)
        calendars = fill_calendars(CalendarClient(house, person, who))
        files = fill_library(FilesClient(house, person, who))
        for number in range(30):
            house.make_token(who, name=f"{'a long name ' * 5}{number}", type="api")
        self.ann = who
        self.values = calendars | files | {"provider": "nobody", "name": "calendar.erase", "page": "x", "path": "x"}

    def value(self, route: dict, name: str) -> str:
        """Of one parameter; what `id` means depends on what the path is about."""
        path = route["path"]
        if name == "id":
            about = path.split("{id}")[0]
            return {"/api/users/": self.house.root_id, "/api/orgs/": self.org()}.get(about, self.values["library"])
        if name == "file" and path.startswith("/feeds/"):
            return self.values["feed"]
        if name == "token" and path.startswith("/seafhttp/zip/"):
            return self.values["zip"]
        if name == "name" and path.startswith("/seafhttp/files/"):
            return "report.txt"
        return self.values[name]

    def org(self) -> str:
        return self.house.get("/api/me", self.house.root).json()["user"]["org"]

    def target(self, route: dict) -> str:
        def fill(match: re.Match) -> str:
            return self.value(route, match[1].removesuffix("..."))

        query = QUESTIONS.get(route["path"], MOST)
        return re.sub(r"\{([^}]+)\}", fill, route["path"]) + "?" + re.sub(r"\{([^}]+)\}", fill, query)

    def headers(self, route: dict) -> dict[str, str]:
        if route["path"].startswith("/seafhttp/"):
            return {"Seafile-Repo-Token": self.values["sync_token"]}
        if route["access"] in ("admin", "superadmin", "operators"):
            return self.house.root
        return {} if route["access"] in ("anyone", "public") else self.ann

    def complaint(self, route: dict) -> str | None:
        """What is wrong with the answer of a route."""
        path = route["path"]
        try:
            target = self.target(route)
        except KeyError as missing:
            return f"{path}: VALUES has no {missing}"
        answer = self.house.server.request("GET", target, None, self.headers(route), 60)
        if answer.status != REFUSED.get(path, 200):
            return f"{path}: {answer.status} {answer.text[:200]}; say in QUESTIONS how it is asked"
        is_streamed = answer.header("transfer-encoding") == "chunked"
        if not is_streamed and len(answer.body) > route["answer_bytes_max"]:
            return f"{path}: {len(answer.body)} bytes"
        return None


def test_every_route_that_reads_has_a_bound(build_folder):
    bounds = {one["path"]: one["answer_bytes_max"] for one in routes(build_folder)}
    assert {path: bound for path, bound in bounds.items() if bound != ANSWER_BYTES_MAX} == LONGER


def test_every_answer_keeps_to_its_bound_however_much_there_is(house, build_folder):
    asker = Asker(house)
    before = house.server.peak_rss_bytes()
    complaints = [asker.complaint(route) for route in routes(build_folder) if route["path"] not in OPEN_ENDED]
    assert "\n".join(one for one in complaints if one is not None) == ""
    assert not any("bytes in memory" in line.get("error", "") for line in house.server.log_lines())
    if not house.server.sanitized:
        assert house.server.peak_rss_bytes() - before < 96 * MIB


def test_what_lists_runs_on_no_io_thread(build_folder):
    """It may have to go through hundreds of rows."""
    quick = {one["path"] for one in routes(build_folder) if one["work"] == "quick"}
    assert not quick & {"/api/entries", "/api/users", "/api/orgs", "/api/tokens", "/api/me/sessions", "/api/calendars/trash",
                        "/api/calendars/{calendar}/trash", "/api/calendars/{calendar}/members", "/api/invitations",
                        "/api/entries/{entry}/history", "/api/v2.1/repos",
                        "/api/v2.1/deleted-repos"}


def file_object(blocks: list[str]) -> bytes:
    return json.dumps({"block_ids": blocks, "size": len(blocks), "type": 1, "version": 1}).encode()


def asked(library: SyncedLibrary, method: str, path: str, body: str = "") -> RawConnection:
    """A request whose answer nobody has read yet."""
    connection = library.server.connect()
    connection.send(f"{method} /seafhttp/repo/{library.id}/{path} HTTP/1.1\r\nHost: {library.server.address}\r\n"
                    f"Seafile-Repo-Token: {library.token}\r\nContent-Length: {len(body)}\r\n\r\n{body}")
    return connection


class TestLongObjects:
    """Sixty megabytes of text, of which one deflates to nothing and the other to half."""

    BLOCKS = 60 * MIB // 44

    @pytest.fixture
    def library(self, house) -> SyncedLibrary:
        return FilesPerson(house, house.make_user("ann@example.org")).make_library()

    def put(self, library: SyncedLibrary, text: bytes) -> str:
        assert library.call("POST", "recv-fs/", pack([text]), deadline=60).status == 200
        return sha1(text)

    def hold_open(self, library: SyncedLibrary, method: str, path: str, body: str = "") -> int:
        """By how much the memory of the server grows while a dozen do not read their answers."""
        before = library.server.rss_bytes()
        with contextlib.ExitStack() as stack:
            readers = [stack.enter_context(asked(library, method, path, body)) for _ in range(12)]
            for reader in readers:
                head = reader.read_head(deadline=60)
                assert head.status == 200
                assert int(head.header("Content-Length")) > 30 * MIB
            return library.server.rss_bytes() - before

    def test_they_are_inflated_while_they_are_sent(self, library):
        text = file_object([sha1(b"x")] * self.BLOCKS)
        path = f"fs/{self.put(library, text)}"
        assert library.call("GET", path, deadline=60).body == text
        assert library.server.sanitized or self.hold_open(library, "GET", path) < 200 * MIB

    def test_they_are_read_while_they_are_sent(self, library):
        short = file_object([sha1(b"x")])
        text = file_object([random.randbytes(20).hex() for _ in range(self.BLOCKS)])
        ids = [self.put(library, one) for one in (short, text)]
        body = json.dumps(ids)
        answer = library.call("POST", "pack-fs/", body, deadline=60)
        assert [(name, zlib.decompress(packed)) for name, packed in unpack(answer.body)] == list(zip(ids, (short, text)))
        assert library.server.sanitized or self.hold_open(library, "POST", "pack-fs/", body) < 200 * MIB
