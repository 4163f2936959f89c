# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What tests ask of calendars, in somebody's name.

    house = start_house(make_server)
    ann = CalendarClient(house, house.make_user("ann@example.org"))
    work = ann.make_calendar("Work")
    ann.make_entry(work, title="Standup", kind="timed", startDate="2026-03-02", startTime="09:00", endTime="09:15")
"""

import json
import pathlib
import subprocess
import urllib.parse

from identity_client import IdentityClient, Person
from raw_http import DEADLINE, Response

FORM = "application/x-www-form-urlencoded"

# A Monday, far from any change of clocks.
MONDAY = "2026-02-02"


class CalendarClient:
    """One person, signed in."""

    def __init__(self, house: IdentityClient, person: Person, who: dict[str, str] | None = None):
        self.house = house
        self.person = person
        self.id = person.id
        self.email = person.email
        self.who = house.sign_in(person) if who is None else who

    # Requests.

    def call(self, method: str, path: str, body=None, form: dict | None = None, if_match: str | None = None,
             headers: dict[str, str] | None = None, deadline: float = DEADLINE) -> Response:
        """`body` goes as JSON, `form` as a form."""
        sent = self.who | (headers or {})
        if self.person.host is not None:
            sent["Host"] = self.person.host
        if if_match is not None:
            sent["If-Match"] = if_match
        content = None
        if form is not None:
            sent["Content-Type"], content = FORM, urllib.parse.urlencode(form)
        elif body is not None:
            sent["Content-Type"], content = "application/json", json.dumps(body)
        return self.house.server.request(method, path, content, sent, deadline)

    def get(self, path: str, **more) -> Response:
        return self.call("GET", path, **more)

    def post(self, path: str, body=None, **more) -> Response:
        return self.call("POST", path, body, **more)

    def put(self, path: str, body=None, **more) -> Response:
        return self.call("PUT", path, body, **more)

    def patch(self, path: str, body=None, **more) -> Response:
        return self.call("PATCH", path, body, **more)

    def delete(self, path: str, **more) -> Response:
        return self.call("DELETE", path, **more)

    # Calendars.

    def make_calendar(self, name: str = "Work", **more) -> str:
        """Its id."""
        return done(self.post("/api/calendars", {"name": name, "color": "#112233"} | more), 201)["id"]

    def calendars(self) -> list[dict]:
        return done(self.get("/api/calendars/me"))

    def invite(self, calendar: str, email: str, role: str = "reader") -> Response:
        return self.post(f"/api/calendars/{calendar}/members", {"email": email, "role": role})

    def accept(self, calendar: str) -> Response:
        return self.post(f"/api/calendars/{calendar}/accept")

    def share(self, calendar: str, other: "CalendarClient", role: str = "reader") -> None:
        done(self.invite(calendar, other.email, role), 201)
        done(other.accept(calendar))

    def members(self, calendar: str) -> dict[str, tuple[str, str]]:
        """Role and status by address."""
        listed = done(self.get(f"/api/calendars/{calendar}/members"))["members"]
        return {one["email"]: (one["role"], one["status"]) for one in listed}

    # Entries.

    def make_entry(self, calendar: str, **fields) -> dict:
        usual = {"calendarId": calendar, "kind": "all-day", "title": "Something", "startDate": MONDAY}
        return done(self.post("/api/entries", usual | fields), 201)

    def entry(self, entry: dict | str) -> dict:
        return done(self.get(path_of(entry)))

    def tag(self, path: str) -> str:
        answer = self.get(path)
        assert answer.status == 200, answer.text
        return answer.header("etag")

    def listed(self, calendar: str, first: str, last: str, zone: str | None = None) -> list[dict]:
        query = f"calendar_id={calendar}&from={first}&to={last}" + (f"&time_zone={zone}" if zone else "")
        return done(self.get(f"/api/entries?{query}"))["entries"]

    def titles(self, calendar: str, first: str, last: str, zone: str | None = None) -> list[str]:
        return [one["title"] for one in self.listed(calendar, first, last, zone)]

    def starts(self, calendar: str, first: str, last: str) -> list[str]:
        """When the entries of these days begin: "2026-03-01", or "2026-03-01 09:00"."""
        return [when(one) for one in self.listed(calendar, first, last)]

    def history(self, entry: dict | str) -> list[dict]:
        return done(self.get(path_of(entry) + "/history"))["changes"]


def done(answer: Response, status: int = 200):
    """What it answered, having gone well."""
    assert answer.status == status, f"{answer.status}: {answer.text}"
    return answer.json() if answer.body else None


def refused(answer: Response, status: int, words: str = "") -> str:
    """The reason, which has these words."""
    assert answer.status == status, f"{answer.status}: {answer.text}"
    assert answer.header("content-type") == "application/problem+json"
    detail = answer.json().get("detail", "")
    assert words in detail, detail
    return detail


def path_of(entry: dict | str) -> str:
    return "/api/entries/" + (entry if isinstance(entry, str) else entry["id"])


def when(entry: dict) -> str:
    return entry["startDate"] + (f" {entry['startTime']}" if entry.get("startTime") else "")


def pages_of(client: CalendarClient, path: str, name: str, limit: int) -> list[list]:
    """All pages of a list."""
    pages, after = [], ""
    while after is not None:
        page = done(client.get(f"{path}{'&' if '?' in path else '?'}limit={limit}{after}"))
        pages.append(page[name])
        after = f"&after={urllib.parse.quote(page['after'])}" if page.get("after") else None
    return pages


def export_store(house: IdentityClient, folder) -> pathlib.Path:
    """A file with all rows of the store; the server is stopped for it."""
    house.server.stop()
    file = folder / f"{house.server.folder.name}.export"
    exported = house.atrium("store", "export", file)
    assert exported.returncode == 0, exported.stderr
    return file


def lasting_rows(house: IdentityClient, folder) -> list[dict]:
    """What the store keeps, without what it forgets by itself after a while; the server is stopped for it."""
    file = export_store(house, folder)
    text = subprocess.run(["zstd", "-dcq", str(file)], check=True, capture_output=True).stdout
    rows = [json.loads(line) for line in text.splitlines()[1:-1]]
    return [row for row in rows if row["table"] not in ("changes", "claims")]


def verified(house: IdentityClient) -> None:
    """The store is in order; the server is stopped for it."""
    house.server.stop()
    checked = house.atrium("store", "verify", "--json")
    assert json.loads(checked.stdout)["findings"] == 0, checked.stdout
