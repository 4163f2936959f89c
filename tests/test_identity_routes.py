# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Every route there is, tried by everybody there can be: each answers what its rule says."""

import collections
import json
import re
import typing

import pytest
from identity_client import IdentityClient, bearer, session, start_house
from programs import run

# What a rule makes of a caller: a status, or None for "goes on to the route itself".
Verdict = int | None
SAFE = {"GET", "HEAD", "OPTIONS"}
CALLERS = ("nobody", "guest", "provisional", "foreigner", "readonly", "user", "scopeless", "admin", "superadmin")
STRANGERS = {"nobody", "foreigner"}
# Known, but not as a person who is signed in.
HALF_KNOWN = {"guest", "provisional"}


def admits_all(_method: str, _caller: str) -> Verdict:
    return None


def admits_none(_method: str, _caller: str) -> Verdict:
    return 403


def fails(_method: str, _caller: str) -> Verdict:
    return 500


def is_not_there(method: str, _caller: str) -> Verdict:
    # As for every address without a route: pages may be there, and they can only be read.
    return 404 if method in SAFE else 405


def demands_session(_method: str, caller: str) -> Verdict:
    return 401 if caller in STRANGERS else None


def demands_person(*without_the_right: str) -> typing.Callable[[str, str], Verdict]:
    def decide(method: str, caller: str) -> Verdict:
        refused = HALF_KNOWN | {"scopeless"} | set(without_the_right)
        return demands_session(method, caller) or (403 if caller in refused else None)

    return decide


def demands_member(method: str, caller: str) -> Verdict:
    return demands_person(*([] if method in SAFE else ["readonly"]))(method, caller)


RULES: dict[str, typing.Callable[[str, str], Verdict]] = {
    "anyone": admits_all,
    "public": admits_all,
    # By where a request comes from, which is the same for all of these callers.
    "operators": admits_all,
    # By the control socket alone; on the network such a route does not exist.
    "control": is_not_there,
    # Of the laboratory.
    "nobody": admits_none,
    "throwing": fails,
    "throws-later": admits_all,
    "slow-later": admits_all,
    "session": demands_session,
    "self": demands_person(),
    "member": demands_member,
    "admin": demands_person("readonly", "user"),
    "superadmin": demands_person("readonly", "user", "admin"),
    # By a token of one library, which none of these callers has; what is not there is nobody's.
    "sync": admits_none,
}

# Routes that answer 401 or 403 themselves to what this test can send them; they must answer all callers alike.
SPEAK_FOR_THEMSELVES = {
    **{("POST", f"/seafhttp/{place}/{{token}}"): "a link that was never given is 401"
       for place in ("upload-api", "upload-aj", "update-api", "update-aj")},
    ("GET", "/seafhttp/files/{token}/{name...}"): "the same",
    ("GET", "/seafhttp/zip/{token}"): "the same",
    ("GET", "/auth/{provider}/callback"): "a callback that nobody waits for is 401",
    ("GET", "/seafhttp/repo/{library}/commit/HEAD"): "where clients look for a library that is gone it is 444",
    ("GET", "/seafhttp/repo/{library}/permission-check"): "the same",
}

PARAMETERS = collections.defaultdict(lambda: "1", id="00000000-0000-4000-8000-00000000dead", provider="unknown",
                                     library="00000000-0000-4000-8000-00000000dead",
                                     **dict.fromkeys(("commit", "object", "block", "file"), "12" * 20))


def routes_of(program) -> list[dict]:
    done = run(program, "routes", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def path_of(route: dict) -> str:
    """With something in the place of each parameter that nothing is known by."""
    return re.sub(r"\{(\w+)(?:\.\.\.)?\}", lambda found: PARAMETERS[found[1]], route["path"])


class Cast:
    """Everybody there can be, with a credential that works at the moment it is asked for."""

    def __init__(self, house: IdentityClient):
        self._house = house
        elsewhere = house.make_org("Elsewhere", "elsewhere.test")
        self._people = {role: house.make_user(f"{role}@example.org", role)
                        for role in ("readonly", "user", "admin", "superadmin")}
        self._people["foreigner"] = house.make_user("foreigner@example.org", "admin", org=elsewhere)
        self._credentials: dict[str, dict[str, str]] = {"nobody": {}}

    def credential(self, caller: str) -> dict[str, str]:
        """The one used before, unless a probe has ended it, as signing out does."""
        held = self._credentials.get(caller)
        host = self._people["foreigner"].host if caller == "foreigner" else None
        if held is None or (held and not self._house.knows(held, host=host)):
            held = self._credentials[caller] = self._new(caller)
        return held

    def _new(self, caller: str) -> dict[str, str]:
        if caller == "guest":
            return self._opened("/lab/guest-session", {"group": "g", "name": "Gil", "email": "gil@example.org"})
        if caller == "provisional":
            return self._opened("/lab/provisional-session", {"user": self._people["user"].id})
        if caller == "scopeless":
            # Of somebody whose role would do for everything.
            return bearer(self._house.make_token(self.credential("superadmin"), scopes=[])["token"])
        return self._house.sign_in(self._people[caller])

    def _opened(self, path: str, body: dict) -> dict[str, str]:
        answer = self._house.post(path, body)
        assert answer.status == 201, answer.text
        return session(answer.json()["session_id"])


@pytest.fixture
def house(make_server, tmp_path):
    mail = {"transport": "file", "from": "atrium@example.org", "folder": str(tmp_path / "letters")}
    return start_house(make_server, {"mail": mail}, binary="atrium_lab", env={"LAB_FOLDER": str(tmp_path)})


def status_of(house: IdentityClient, route: dict, who: dict[str, str]) -> int:
    """Of one probe. Only the head of the answer is read: some routes never come to an end."""
    body = "" if route["method"] in SAFE | {"DELETE"} else "{}"
    headers = {"Host": f"{house.server.address}:{house.server.port}", "Connection": "close"} | who
    if body:
        headers |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = [f"{route['method']} {path_of(route)} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    with house.server.connect() as connection:
        return connection.send("\r\n".join(lines) + "\r\n\r\n" + body).read_head().status


def complaints_about(house: IdentityClient, cast: Cast, route: dict) -> list[str]:
    decide, found, answers = RULES[route["access"]], [], set()
    for caller in CALLERS:
        expected = decide(route["method"], caller)
        status = status_of(house, route, cast.credential(caller))
        answers.add(status)
        admitted = status not in (401, 403)
        if (route["method"], route["path"]) in SPEAK_FOR_THEMSELVES:
            continue
        if (expected is None and not admitted) or (expected is not None and status != expected):
            found.append(f"{route['method']} {route['path']} ({route['access']}) answers {status} to {caller}, "
                         f"not {expected or 'what the route itself says'}")
    if (route["method"], route["path"]) in SPEAK_FOR_THEMSELVES and len(answers) != 1:
        found.append(f"{route['method']} {route['path']} does not answer all alike: {sorted(answers)}")
    return found


def test_every_route_has_a_rule_that_is_known(build_folder):
    routes = routes_of(build_folder / "atrium_lab")
    unknown = [f"{route['method']} {route['path']}: {route['access']}" for route in routes
               if route["access"] not in RULES]
    assert not unknown


def test_the_laboratory_has_all_routes_of_the_product(build_folder):
    def names(program):
        return {(route["method"], route["path"], route["access"]) for route in routes_of(build_folder / program)}

    assert names("atrium") <= names("atrium_lab")


def test_only_these_routes_of_the_product_are_open_to_everybody(build_folder):
    open_to_all = {f"{route['method']} {route['path']}" for route in routes_of(build_folder / "atrium")
                   if route["access"] == "anyone"}
    assert open_to_all == {
        "GET /livez", "GET /readyz", "GET /api/health", "GET /api/openapi.json", "GET /", "GET /{path...}",
        "GET /setup", "GET /login", "GET /auth/link", "GET /auth/reset", "GET /auth/confirm", "GET /auth/forgot",
        "GET /join", "GET /join/confirm", "GET /join/waiting",
        "GET /calendar", "GET /calendar/{page...}", "GET /files", "GET /files/{page...}", "GET /account",
        "GET /account/{page...}", "GET /admin", "GET /admin/{page...}", "GET /api/setup", "POST /api/setup"}


def test_every_route_answers_everybody_as_its_rule_says(house, build_folder):
    cast = Cast(house)
    routes = routes_of(build_folder / "atrium_lab")
    assert len(routes) > 60
    # From then on, routes that hold a worker hold none.
    assert house.server.post("/lab/release").status == 204
    complaints = [line for route in routes for line in complaints_about(house, cast, route)]
    assert not complaints, "\n".join(complaints)


def test_before_the_set_up_every_rule_but_anyone_answers_503(make_server, build_folder):
    fresh = IdentityClient(make_server(binary="atrium_lab"))
    bound = {"public", "session", "self", "member", "admin", "superadmin"}
    for route in routes_of(build_folder / "atrium_lab"):
        if route["access"] in bound:
            assert status_of(fresh, route, {}) == 503, route["path"]
