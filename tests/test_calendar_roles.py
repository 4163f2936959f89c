# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Every kind of visitor against every route of calendars: who may, who may not, and who must not even learn of it."""

import dataclasses
import types

import pytest
from calendar_client import MONDAY, CalendarClient, done, path_of
from identity_client import bearer, start_house

NOWHERE = "00000000-0000-4000-8000-00000000dead"

READERS = {"owner", "writer", "reader"}
WRITERS = {"owner", "writer"}
OWNERS = {"owner"}
# To them there is no such calendar.
OUTSIDE = ("invited", "removed", "stranger", "outsider")
# Members who are owners, but come with less than that: they may look, and no more.
LOOKING = ("token", "readonly")


@dataclasses.dataclass(frozen=True)
class Row:
    """A request. `{name}` in path and body is replaced by what the scene has of that name."""

    method: str
    path: str
    allowed: set[str]
    body: dict | None = None
    status: int = 200

    def expected(self, visitor: str) -> int:
        if visitor == "nobody":
            return 401
        if visitor in LOOKING:
            return self.status if self.method == "GET" else 403
        if visitor in OUTSIDE and visitor not in self.allowed:
            return 404
        return self.status if visitor in self.allowed else 403


CALENDAR, ENTRY = "/api/calendars/{calendar}", "/api/entries/{entry}"
NEW_ENTRY = {"calendarId": "{calendar}", "kind": "all-day", "title": "New", "startDate": MONDAY}
RANGE = f"from={MONDAY}&to={MONDAY}"
ROWS = [
    Row("GET", CALENDAR, READERS),
    Row("PUT", CALENDAR, WRITERS, {"name": "Other"}),
    Row("DELETE", CALENDAR, OWNERS),
    Row("DELETE", CALENDAR + "?permanent=true", OWNERS),
    Row("POST", "/api/calendars/{trashed_calendar}/restore", OWNERS),
    Row("POST", CALENDAR + "/copy", READERS, {}, 201),
    Row("GET", CALENDAR + "/settings", READERS),
    Row("PUT", CALENDAR + "/settings", READERS, {"viewMode": "schedule"}),
    Row("GET", CALENDAR + "/members", READERS),
    Row("POST", CALENDAR + "/members", OWNERS, {"email": "new@example.org", "role": "owner"}, 201),
    Row("PUT", CALENDAR + "/members/{bystander}", OWNERS, {"role": "writer"}),
    Row("DELETE", CALENDAR + "/members/{bystander}", OWNERS, None, 204),
    Row("DELETE", CALENDAR + "/members/me", READERS | {"invited"}, None, 204),
    Row("POST", CALENDAR + "/accept", READERS | {"invited"}),
    Row("POST", CALENDAR + "/transfer", OWNERS, {"to": "{bystander}"}),
    Row("GET", CALENDAR + "/trash", READERS),
    Row("GET", "/api/entries?calendar_id={calendar}&" + RANGE, READERS),
    Row("GET", "/api/entries?calendar_id={calendar}&highlighted_day=2026-02-02&before=1&after=1", READERS),
    Row("GET", "/api/entries?calendar_id={mine},{calendar}&" + RANGE, READERS),
    Row("POST", "/api/entries", WRITERS, NEW_ENTRY, 201),
    Row("POST", "/api/entries/batch", WRITERS, {"changes": [{"deed": "create", "entry": NEW_ENTRY}]}),
    Row("POST", "/api/entries/batch", WRITERS, {"changes": [{"deed": "update", "id": "{entry}", "entry": {}}]}),
    Row("POST", "/api/entries/batch", WRITERS, {"changes": [{"deed": "delete", "id": "{entry}"}]}),
    Row("GET", ENTRY, READERS),
    Row("PUT", ENTRY, WRITERS, {"title": "Other"}),
    Row("DELETE", ENTRY, WRITERS),
    Row("PATCH", ENTRY + "/toggle", WRITERS),
    Row("POST", ENTRY + "/move", WRITERS, {"calendar_id": "{mine}"}),
    Row("POST", "/api/entries/{my_entry}/move", WRITERS, {"calendar_id": "{calendar}"}),
    Row("GET", ENTRY + "/history", READERS),
    Row("POST", ENTRY + "/revert", WRITERS, {"number": 0}),
    Row("POST", ENTRY + "/undo", WRITERS),
    Row("GET", "/api/entries/{trashed_entry}/history", READERS),
    Row("POST", "/api/entries/{trashed_entry}/restore", WRITERS),
    Row("POST", "/api/entries/{trashed_entry}/undo", WRITERS),
    Row("GET", "/api/search?q=Something&calendar_id={calendar}", READERS),
]
PERSONAL = [
    Row("GET", "/api/calendars", READERS),
    Row("GET", "/api/calendars/me", READERS),
    Row("GET", "/api/calendars/trash", READERS),
    Row("POST", "/api/calendars", READERS, {"name": "New", "color": "#112233"}, 201),
    Row("GET", "/api/invitations", READERS),
    Row("GET", "/api/search?q=Something", READERS),
]


class Cast:
    """The people, and the scenes they meet in."""

    def __init__(self, house):
        self.house = house
        elsewhere = house.make_org("Elsewhere", "elsewhere.test")
        self.owner = self._come("owner")
        self.writer = self._come("writer")
        self.reader = self._come("reader")
        self.invited = self._come("invited")
        self.removed = self._come("removed")
        self.stranger = self._come("stranger")
        self.outsider = CalendarClient(house, house.make_user("outsider@example.org", org=elsewhere))
        self.bystander = self._come("bystander")
        self.readonly = self._come("readonly")
        token = house.make_token(self.owner.who, scopes=["calendars:read"])["token"]
        self.token = CalendarClient(house, self.owner.person, bearer(token))
        self.nobody = CalendarClient(house, self.owner.person, {})
        self.own = {name: self._furnish(name) for name in (*READERS, *OUTSIDE, *LOOKING)}

    def _come(self, name: str) -> CalendarClient:
        return CalendarClient(self.house, self.house.make_user(f"{name}@example.org"))

    def _furnish(self, name: str) -> str:
        """A calendar of their own."""
        client = self.owner if name == "token" else getattr(self, name)
        return client.make_calendar(f"Of {name}")

    def client(self, visitor: str) -> CalendarClient:
        return getattr(self, visitor)

    def make_scene(self) -> types.SimpleNamespace:
        self._let_write(True)
        scene = types.SimpleNamespace(bystander=self.bystander.id)
        scene.calendar = self._make_shared()
        entry = self.owner.make_entry(scene.calendar, kind="task")
        scene.entry = entry["id"]
        done(self.owner.patch(path_of(entry) + "/toggle"))
        scene.trashed_entry = self.owner.make_entry(scene.calendar)["id"]
        done(self.owner.delete(path_of(scene.trashed_entry)))
        scene.trashed_calendar = self._make_shared()
        done(self.owner.delete(f"/api/calendars/{scene.trashed_calendar}"))
        self._let_write(False)
        return scene

    def _let_write(self, may: bool) -> None:
        changed = self.house.patch(f"/api/users/{self.readonly.id}", {"role": "user" if may else "readonly"},
                                   self.house.root)
        assert changed.status == 200, changed.text

    def _make_shared(self) -> str:
        calendar = self.owner.make_calendar("Shared")
        for client, role in ((self.writer, "writer"), (self.reader, "reader"), (self.bystander, "reader"),
                             (self.removed, "owner"), (self.readonly, "owner")):
            self.owner.share(calendar, client, role)
        done(self.owner.invite(calendar, self.invited.email, "owner"), 201)
        done(self.owner.delete(f"/api/calendars/{calendar}/members/{self.removed.id}"), 204)
        return calendar

    def ask(self, visitor: str, row: Row, scene: types.SimpleNamespace):
        names = dict(vars(scene))
        names["mine"] = self.own.get(visitor, NOWHERE)
        names["my_entry"] = NOWHERE
        if "{my_entry}" in row.path and visitor not in ("nobody", *LOOKING):
            names["my_entry"] = self.client(visitor).make_entry(names["mine"])["id"]
        return self.client(visitor).call(row.method, _filled(row.path, names), _filled(row.body, names))


def _filled(template, names: dict):
    if isinstance(template, dict):
        return {key: _filled(value, names) for key, value in template.items()}
    if isinstance(template, list):
        return [_filled(value, names) for value in template]
    if not isinstance(template, str):
        return template
    for name, value in names.items():
        template = template.replace("{" + name + "}", value)
    return template


@pytest.fixture
def cast(make_server):
    return Cast(start_house(make_server))


VISITORS = ("nobody", *OUTSIDE, *LOOKING, "reader", "writer", "owner")


def test_every_visitor_at_every_route(cast):
    wrong = []
    for row in ROWS:
        scene = cast.make_scene()
        for visitor in VISITORS:
            expected = row.expected(visitor)
            answer = cast.ask(visitor, row, scene)
            if answer.status != expected:
                wrong.append(f"{visitor}: {row.method} {row.path} {row.body or ''}: {answer.status}, not {expected}: "
                             f"{answer.text[:300]}")
            if answer.status < 300 and row.method != "GET":
                scene = cast.make_scene()
    assert not wrong, "\n".join(wrong)


def test_what_is_only_ones_own_needs_no_membership(cast):
    for row in PERSONAL:
        for visitor in ("stranger", "outsider", "reader", "token", "readonly", "nobody"):
            cast._let_write(False)
            expected = row.status if visitor in ("stranger", "outsider") else row.expected(visitor)
            answer = cast.ask(visitor, row, types.SimpleNamespace())
            assert answer.status == expected, f"{visitor}: {row.method} {row.path}: {answer.text}"


def test_a_calendar_of_others_looks_like_none(cast):
    """Word for word, so that nobody learns which ids are taken."""
    scene = cast.make_scene()
    nowhere = types.SimpleNamespace(**{name: NOWHERE for name in vars(scene)})
    for row in ROWS:
        for visitor in OUTSIDE:
            if visitor in row.allowed:
                continue
            there, not_there = (cast.ask(visitor, row, place) for place in (scene, nowhere))
            assert _said(there) == _said(not_there), f"{visitor}: {row.method} {row.path}"


def _said(answer) -> tuple:
    return answer.status, {name: value for name, value in answer.json().items() if name != "request_id"}


def test_nobody_speaks_in_the_name_of_others(cast):
    """`?user=` is for the operator, who is nobody in particular."""
    mine = done(cast.stranger.get("/api/calendars/me"))
    assert done(cast.stranger.get(f"/api/calendars/me?user={cast.owner.email}")) == mine
