# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What derives from a credential ends with it: every route that streams or hands out a link or a token, as `atrium routes --json`
says, against every way in which a credential can end. A new route is covered without being listed here; one whose parameters
nobody has filled in yet fails."""

import contextlib
import dataclasses
import datetime
import hashlib
import json
import socket
import time
import typing
import urllib.parse

import pytest
from calendar_client import CalendarClient
from files_client import FilesClient, multipart
from identity_client import PASSWORD, IdentityClient, Person, basic, bearer, session, start_house, token
from listening import Listener
from programs import run
from raw_http import RawConnection, Response
from raw_websocket import TEXT, RawWebSocket, frame
from running_server import eventually
from seafile_client import FilesPerson

OTHER_PASSWORD = "a kettle full of snow"
# A second is promised; the rest is for a machine that has other things to do.
SOON = 4
# The last two are of the laboratory.
OPEN_TO_ALL = {"anyone", "public", "throws-later", "slow-later"}


def giving_routes(build_folder) -> list[dict]:
    done = run(build_folder / "atrium_lab", "routes", "--json")
    assert done.returncode == 0, done.stderr
    return [route for route in json.loads(done.stdout) if route["gives"] != "nothing"]


@pytest.fixture
def house(make_server):
    return start_house(make_server, binary="atrium_lab")


# ---- Ways in which a credential can end.


@dataclasses.dataclass
class Holder:
    """Somebody with a credential that is about to end, and a session of their own to end it with."""

    house: IdentityClient
    person: Person
    other: dict[str, str]
    who: dict[str, str] = dataclasses.field(default_factory=dict)
    id: str = ""
    is_device: bool = False

    def with_session(self) -> "Holder":
        self.who = session(self.house.open_session(self.person))
        (self.id,) = [one["id"] for one in self.house.get("/api/me/sessions", self.who).json()["sessions"] if one["current"]]
        return self

    def with_token(self, carry: typing.Callable = bearer, **wanted) -> "Holder":
        made = self.house.make_token(self.other, scopes=["*"], **wanted)
        self.who, self.id = carry(made["token"]), made["id"]
        return self

    def with_device(self) -> "Holder":
        form = {"username": self.person.email, "password": PASSWORD, "platform": "linux", "device_id": "d" * 40,
                "device_name": "laptop"}
        answer = self.house.server.request("POST", "/api2/auth-token/", urllib.parse.urlencode(form),
                                           {"Content-Type": "application/x-www-form-urlencoded"})
        assert answer.status == 200, answer.text
        self.who, self.is_device = token(answer.json()["token"]), True
        (self.id,) = [one["id"] for one in self.house.get("/api/tokens", self.other).json()["tokens"]]
        return self

    def done(self, method: str, path: str, body=None, who=None) -> None:
        answer = self.house.call(method, path, body, who or self.other)
        assert answer.status in (200, 204), answer.text

    def end_token(self) -> None:
        self.done("DELETE", f"/api/tokens/{self.id}")

    def change_password(self) -> None:
        self.done("POST", "/api/me/password", {"current": PASSWORD, "password": OTHER_PASSWORD})

    def log_out_everywhere(self) -> None:
        self.done("POST", "/api/auth/logout-all", {})

    def deactivate(self) -> None:
        self.done("PATCH", f"/api/users/{self.person.id}", {"status": "deactivated"}, self.house.root)

    def erase(self) -> None:
        self.done("DELETE", f"/api/users/{self.person.id}", None, self.house.root)

    def expire(self) -> None:
        eventually(lambda: not self.house.knows(self.who), deadline=20)


def soon() -> str:
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=10)).isoformat()


WAYS = {
    "a session is signed out": (Holder.with_session, lambda held: held.done("POST", "/api/auth/logout", {}, held.who)),
    "a session is ended elsewhere": (Holder.with_session, lambda held: held.done("DELETE", f"/api/me/sessions/{held.id}")),
    "a session ends with all": (Holder.with_session, Holder.log_out_everywhere),
    "a session ends with the password": (Holder.with_session, Holder.change_password),
    "a session's person is deactivated": (Holder.with_session, Holder.deactivate),
    "a session's person is erased": (Holder.with_session, Holder.erase),
    "a token is revoked": (Holder.with_token, Holder.end_token),
    "a token ends with the password": (Holder.with_token, Holder.change_password),
    "a token's person is deactivated": (Holder.with_token, Holder.deactivate),
    "a token's person is erased": (Holder.with_token, Holder.erase),
    "a token expires": (lambda held: held.with_token(expires_at=soon()), Holder.expire),
    "an app password is revoked": (
        lambda held: held.with_token(lambda secret: basic(held.person.email, secret), type="app_password"),
        Holder.end_token),
    "a device is revoked": (Holder.with_device, Holder.end_token),
    "a device ends with all": (Holder.with_device, Holder.log_out_everywhere),
}


# ---- What a route gives, tried out.


@dataclasses.dataclass
class Gift:
    """Something that a route gave. `works` tries it out; it never lasts longer than it takes to be refused."""

    name: str
    works: typing.Callable[[], bool]
    ends_soon: bool = False


class Shelf:
    """A library with a file and a folder, of the person who asks, by what is to end."""

    def __init__(self, held: Holder):
        self.held = held
        self.server = held.house.server
        owner = FilesClient(held.house, held.person, held.other)
        self.library = owner.make_library("Shelf")
        owner.make_folder(self.library, "/folder")
        owner.upload(self.library, "/folder/a.txt", b"hello")
        self.opened: list[RawConnection] = []
        self.commit = owner.get(f"/api2/repos/{self.library}/history/").json()["commits"][0]["id"]

    def path_of(self, route: dict) -> str:
        filled = route["path"]
        for name in ("id", "library"):
            filled = filled.replace("{%s}" % name, self.library)
        assert "{" not in filled, f"{route['method']} {route['path']}: nobody has said what to fill in"
        return filled

    def ask(self, route: dict, who: dict[str, str]) -> Response:
        """With everything that such routes want to know; what they do not know they pass over."""
        answer = None
        for path in ("/folder", "/folder/a.txt"):
            fields = {"p": path, "parent_dir": "/", "dirents": "folder", "repos": self.library, "commit_id": self.commit,
                      "name": "Another", "file_name": "a.txt"}
            query = "?" + urllib.parse.urlencode(fields)
            headers = dict(who)
            body = None
            if route["method"] == "POST":
                body, headers["Content-Type"] = urllib.parse.urlencode(fields), "application/x-www-form-urlencoded"
            answer = self.server.request(route["method"], self.path_of(route) + query, body, headers)
            if answer.status < 400:
                return answer
        return answer

    # Each kind of thing that is given.

    def follows(self, link: str) -> bool:
        path = link[link.index("/", len("https://")):] if "://" in link else link
        if "/upload" in path or "/update" in path:
            kind, body = multipart([("parent_dir", None, b"/folder"), ("target_file", None, b"/folder/a.txt"),
                                    ("file", "a.txt", b"again")])
            status = self.server.request("POST", path, body, {"Content-Type": kind}).status
        else:
            status = self.server.get(path).status
        assert status in (200, 401, 403), status
        return status == 200

    def syncs(self, library: str, secret: str) -> bool:
        status = self.server.get(f"/seafhttp/repo/{library}/commit/HEAD", {"Seafile-Repo-Token": secret}).status
        assert status in (200, 403), status
        return status == 200

    def hears(self, jwt: str) -> bool:
        """Whether it is told the newest commit."""
        asked = json.dumps({"type": "subscribe", "content": {"repos": [{"id": self.library, "jwt_token": jwt}]}})
        with RawWebSocket(self.server, "/notification") as opened:
            # Messages are taken in order: the fault in the second one ends the socket behind the answer to the first.
            opened.send(frame(TEXT, asked), frame(TEXT, "no message"))
            first = opened.read()
            return first.opcode == TEXT and b"repo-update" in first.payload

    def gifts_in(self, answer: Response) -> list[typing.Callable[[], bool]]:
        if answer.status in (301, 302, 303, 307):
            return [lambda: self.follows(answer.header("location"))]
        given = answer.json()
        if isinstance(given, str):
            return [lambda: self.follows(given)]
        if "zip_token" in given:
            return [lambda: self.follows("/seafhttp/zip/" + given["zip_token"])]
        if "jwt_token" in given:
            return [lambda: self.hears(given["jwt_token"])]
        if "token" in given:
            return [lambda: self.syncs(given["repo_id"], given["token"])]
        return [lambda library=library, secret=secret: self.syncs(library, secret) for library, secret in given.items()]

    def credential_gifts(self, route: dict) -> list[Gift]:
        name = f"{route['method']} {route['path']}"
        who = self.held.who
        if route["access"] == "sync":
            info = self.server.get(f"/api2/repos/{self.library}/download-info/", who)
            who = {"Seafile-Repo-Token": info.json()["token"]}
        answer = self.ask(route, who)
        assert answer.status < 400, f"{name}: {answer.status} {answer.text}"
        tries = self.gifts_in(answer)
        assert tries, f"{name} gives nothing: {answer.text}"
        return [Gift(name, one) for one in tries]

    def stream_gifts(self, route: dict) -> list[Gift]:
        """None when the credential is for something else: the token of a device is for files."""
        fields = [f"{name}: {value}" for name, value in self.held.who.items()]
        if route["socket"]:
            opened = RawWebSocket(self.server, self.path_of(route), *fields)
            self.opened.append(opened.connection)
            return [Gift(route["path"], lambda: not is_over(opened.connection), ends_soon=True)]
        listener = Listener(self.server, *fields, path=self.path_of(route))
        self.opened.append(listener.connection)
        if listener.head.status == 403 and self.held.is_device:
            return []
        assert listener.head.status == 200, listener.head
        return [Gift(route["path"], lambda: not is_over(listener.connection), ends_soon=True)]

    def close(self) -> None:
        for connection in self.opened:
            connection.close()

    def gifts(self, route: dict) -> list[Gift]:
        if route["gives"] == "credential":
            return self.credential_gifts(route)
        # Where anybody may listen, nobody's credential can end it.
        return [] if route["access"] in OPEN_TO_ALL else self.stream_gifts(route)


def is_over(connection) -> bool:
    """Whether the server has closed it, whatever it said before."""
    raw = connection.stream
    raw.settimeout(0.05)
    try:
        while raw.recv(65536):
            pass
        return True
    except (TimeoutError, socket.timeout):
        return False
    except ConnectionError:
        return True


@pytest.mark.parametrize("way", WAYS)
def test_what_a_route_gave_ends_with_the_credential(house, build_folder, way):
    routes = giving_routes(build_folder)
    assert {route["gives"] for route in routes} == {"stream", "credential"}
    begin, _ = WAYS[way]
    person = house.make_user("ann@example.org", role="user")
    held = Holder(house, person, house.sign_in(person))
    shelf = Shelf(held)
    begin(held)
    with contextlib.closing(shelf):
        expect_end_with(held, shelf, routes, way)
    assert house.get("/api/events", held.who).status == 401


def expect_end_with(held: Holder, shelf: Shelf, routes: list[dict], way: str) -> None:
    gifts = [gift for route in routes for gift in shelf.gifts(route)]
    broken = [gift.name for gift in gifts if not gift.works()]
    assert not broken, f"did not work to begin with: {broken}"
    WAYS[way][1](held)
    lasting = [gift.name for gift in gifts if not gift.ends_soon and gift.works()]
    assert not lasting, f"goes on after {way}: {lasting}"
    streams = [gift for gift in gifts if gift.ends_soon]
    assert streams or held.is_device
    until = time.monotonic() + SOON
    while (open_ones := [gift for gift in streams if gift.works()]) and time.monotonic() < until:
        pass
    assert not open_ones, f"goes on after {way}: {[gift.name for gift in open_ones]}"


def test_ending_one_device_leaves_the_others_alone(house):
    ann = house.make_user("ann@example.org")
    lost = Holder(house, ann, house.sign_in(ann)).with_device()
    shelf = Shelf(lost)
    info = {"method": "GET", "path": "/api2/repos/{id}/download-info", "access": "member", "gives": "credential"}
    (of_lost,) = shelf.gifts(info)
    kept = Holder(house, ann, lost.other).with_token(token, type="api")
    shelf.held = kept
    (of_kept,) = shelf.gifts(info)
    lost.end_token()
    assert (of_lost.works(), of_kept.works()) == (False, True)


def test_a_device_that_signs_in_again_goes_on_syncing_until_it_is_revoked(house):
    ann = house.make_user("ann@example.org")
    device = Holder(house, ann, house.sign_in(ann)).with_device()
    shelf = Shelf(device)
    info = {"method": "GET", "path": "/api2/repos/{id}/download-info", "access": "member", "gives": "credential"}
    (before,) = shelf.gifts(info)
    device.with_device()
    assert before.works()
    (after,) = shelf.gifts(info)
    device.end_token()
    assert (before.works(), after.works()) == (False, False)


def test_a_stream_that_its_route_does_not_announce_is_an_error(house):
    assert house.get("/lab/events/unannounced", house.root).status == 500


# ---- Writing.


def drip(server, path: str, who: dict[str, str], body: bytes, meanwhile: typing.Callable[[], None],
         method: str = "POST", content_type: str = "application/json") -> Response:
    """Sends half of the body, does something else, and sends the rest."""
    lines = [f"{method} {path} HTTP/1.1", "Host: a", f"Content-Type: {content_type}", f"Content-Length: {len(body)}",
             "Expect: 100-continue", *(f"{name}: {value}" for name, value in who.items())]
    with server.connect() as connection:
        connection.send("\r\n".join(lines) + "\r\n\r\n")
        assert connection.read_until(b"\r\n\r\n").startswith(b"HTTP/1.1 100")
        connection.send(body[:len(body) // 2])
        meanwhile()
        connection.send(body[len(body) // 2:])
        return connection.read_response()


@pytest.mark.parametrize("way", [way for way in WAYS if "expires" not in way])
def test_nothing_is_written_once_the_credential_has_ended(house, way):
    begin, end = WAYS[way]
    person = house.make_user("ann@example.org")
    held = Holder(house, person, house.sign_in(person))
    begin(held)
    answer = drip(house.server, "/api2/repos/", held.who, json.dumps({"name": "Too late"}).encode(), lambda: end(held))
    # That a person may not make libraries any more is found out before anything is committed.
    assert answer.status == (403 if "deactivated" in way else 401), answer.text
    if "deactivated" not in way and "erased" not in way:
        password = OTHER_PASSWORD if way.endswith("with the password") else PASSWORD
        again = FilesClient(house, dataclasses.replace(person, password=password))
        assert "Too late" not in again.libraries().values()


@pytest.mark.parametrize("way", ["a session is signed out", "a token is revoked", "a device ends with all"])
def test_nothing_is_uploaded_by_a_link_once_the_credential_has_ended(house, way):
    begin, end = WAYS[way]
    person = house.make_user("ann@example.org")
    held = Holder(house, person, house.sign_in(person))
    shelf = Shelf(held)
    begin(held)
    link = FilesClient(house, person, held.who).upload_link(shelf.library, "/folder")
    kind, body = multipart([("parent_dir", None, b"/folder"), ("file", "late.txt", b"x" * 100_000)])
    answer = drip(house.server, link[link.index("/", len("https://")):], {}, body, lambda: end(held), content_type=kind)
    assert answer.status == 401, answer.text
    assert FilesClient(house, person).names(shelf.library, "/folder") == ["a.txt"]


@pytest.mark.parametrize("way", ["a token is revoked", "a device is revoked", "a device ends with all"])
def test_no_block_is_stored_once_the_credential_has_ended(house, way):
    begin, end = WAYS[way]
    person = house.make_user("ann@example.org")
    held = Holder(house, person, house.sign_in(person))
    shelf = Shelf(held)
    begin(held)
    who = {"Seafile-Repo-Token": house.server.get(f"/api2/repos/{shelf.library}/download-info/", held.who).json()["token"]}
    block = b"too late" * 1000
    path = f"/seafhttp/repo/{shelf.library}/block/{hashlib.sha1(block).hexdigest()}"
    answer = drip(house.server, path, who, block, lambda: end(held), method="PUT", content_type="application/octet-stream")
    assert answer.status in (401, 403), answer.text
    asked = [hashlib.sha1(block).hexdigest()]
    assert FilesPerson(house, person).library(shelf.library).call("POST", "check-blocks", json.dumps(asked)).json() == asked


CALENDAR_FILE = ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nBEGIN:VEVENT\r\nUID:late\r\nDTSTAMP:20270101T000000Z\r\n"
                 "DTSTART:20270301T090000Z\r\nSUMMARY:Too late\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n").encode()


def entry_in(calendar: str) -> tuple[str, bytes, str]:
    entry = {"calendarId": calendar, "kind": "all-day", "title": "Too late", "startDate": "2027-03-01"}
    return "/api/entries", json.dumps(entry).encode(), "application/json"


def file_into(calendar: str) -> tuple[str, bytes, str]:
    return f"/api/calendars/{calendar}/import", CALENDAR_FILE, "text/calendar"


@pytest.mark.parametrize("write", [entry_in, file_into])
@pytest.mark.parametrize("way", ["a session is signed out", "a session ends with all", "a token is revoked"])
def test_nothing_is_written_into_a_calendar_once_the_credential_has_ended(house, way, write):
    begin, end = WAYS[way]
    person = house.make_user("ann@example.org")
    held = Holder(house, person, house.sign_in(person))
    calendar = CalendarClient(house, person).make_calendar("Work")
    begin(held)
    path, body, kind = write(calendar)
    answer = drip(house.server, path, held.who, body, lambda: end(held), content_type=kind)
    assert answer.status == 401, answer.text
    found = CalendarClient(house, person).get(f"/api/entries?calendar_id={calendar}&from=2027-03-01&to=2027-03-31")
    assert found.json()["entries"] == []
