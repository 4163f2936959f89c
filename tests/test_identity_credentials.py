# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions and tokens: what they are worth, how they are listed, and how they end."""

import datetime
import re

import pytest
from exported_store import rewrite
from identity_client import PASSWORD, basic, bearer, cookie, from_address, session, start_house, start_server, token
from running_server import eventually

OTHER_PASSWORD = "a kettle full of snow"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return house.make_user("ann@example.org")


def in_time(**how) -> str:
    moment = datetime.datetime.now(datetime.UTC) + datetime.timedelta(**how)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sessions(house, who) -> list[dict]:
    answer = house.get("/api/me/sessions", who)
    assert answer.status == 200, answer.text
    return answer.json()["sessions"]


def tokens(house, who) -> list[dict]:
    answer = house.get("/api/tokens", who)
    assert answer.status == 200, answer.text
    return answer.json()["tokens"]


def set_last_uses_back(house, make_server) -> None:
    """Starts again on a store in which no session was used for an hour: uses within a minute are not written down."""
    long_ago = in_time(hours=-1)

    def alter(row):
        if row["table"] in ("sessions", "sessions_by_user"):
            row["document"]["last_used_at"] = long_ago
        return row

    house.server.stop()
    file = house.server.folder / "store.export"
    assert house.atrium("store", "export", file).returncode == 0
    rewrite(file, alter)
    assert house.atrium("store", "import", file, "--replace").returncode == 0
    house.server = start_server(make_server, data=house.server.data)


class TestSessions:
    def test_they_are_listed_with_where_they_came_from(self, house, ann):
        first = house.log_in(ann.email, headers=from_address("198.51.100.7") | {"User-Agent": "Telephone"})
        who = house.sign_in(ann)
        listed = sessions(house, who)
        assert [one["current"] for one in listed] == [True, False]
        assert (listed[1]["address"], listed[1]["agent"], listed[1]["kind"]) == ("198.51.100.7", "Telephone", "full")
        assert listed[1]["expires_at"] == first.json()["expires_at"]
        assert first.json()["session_id"] not in str(listed)

    def test_one_of_them_is_ended(self, house, ann):
        lost, kept = house.sign_in(ann), house.sign_in(ann)
        (gone,) = [one["id"] for one in sessions(house, kept) if not one["current"]]
        assert house.delete(f"/api/me/sessions/{gone}", kept).status == 204
        assert not house.knows(lost)
        assert [one["current"] for one in sessions(house, kept)] == [True]
        assert house.delete(f"/api/me/sessions/{gone}", kept).status == 404

    def test_those_of_somebody_else_cannot_be_ended(self, house, ann):
        ben = house.sign_in(house.make_user("ben@example.org"))
        who = house.sign_in(ann)
        (own,) = sessions(house, who)
        assert house.delete(f"/api/me/sessions/{own['id']}", ben).status == 404
        assert house.knows(who)

    @pytest.mark.parametrize("path", ["/api/auth/logout", "/auth/logout"])
    def test_signing_out_ends_this_one(self, house, ann, path):
        ended, kept = house.sign_in(ann), house.sign_in(ann)
        assert house.post(path, None, ended).status == 204
        assert not house.knows(ended)
        assert house.knows(kept)
        assert house.post(path, None, ended).status == 401

    @pytest.mark.parametrize("path", ["/api/auth/logout-all", "/auth/logout-all"])
    def test_signing_out_everywhere_ends_all_at_once_and_no_token(self, house, ann, path):
        many = [house.sign_in(ann) for _ in range(3)]
        made = house.make_token(many[0])
        assert house.post(path, None, many[0]).status == 204
        assert [house.knows(who) for who in many] == [False] * 3
        assert house.knows(bearer(made["token"]))
        assert house.knows(house.sign_in(ann))

    def test_an_administrator_signs_somebody_out(self, house, ann):
        who = house.sign_in(ann)
        assert house.post(f"/api/users/{ann.id}/logout-all", None, house.root).status == 204
        assert not house.knows(who)
        assert house.knows(house.root)

    def test_they_outlive_the_server(self, house, ann, make_server):
        who = house.sign_in(ann)
        house.server.stop()
        house.server = make_server(data=house.server.data)
        assert house.knows(who)

    def test_the_last_use_is_written_down(self, house, ann, make_server):
        who = house.sign_in(ann)
        set_last_uses_back(house, make_server)
        (before,) = sessions(house, who | from_address("198.51.100.8"))
        house.run_job("identity.note-uses")
        (after,) = sessions(house, who)
        assert before["last_used_at"] < before["created_at"] < after["last_used_at"]
        assert after["expires_at"] > before["expires_at"]
        assert after["address"] == "198.51.100.8"


class TestPasswordChange:
    def test_all_other_credentials_end(self, house, ann):
        mine, other = house.sign_in(ann), house.sign_in(ann)
        made = house.make_token(mine)
        answer = house.post("/api/me/password", {"current": PASSWORD, "password": OTHER_PASSWORD}, mine)
        assert answer.status == 200
        assert house.knows(session(answer.json()["session_id"]))
        assert not any(house.knows(who) for who in (mine, other, bearer(made["token"])))
        assert house.log_in(ann.email).status == 401
        assert house.log_in(ann.email, OTHER_PASSWORD).status == 200

    def test_the_present_one_is_needed(self, house, ann):
        who = house.sign_in(ann)
        answer = house.post("/api/me/password", {"current": "wrong password", "password": OTHER_PASSWORD}, who)
        assert answer.status in (401, 403)
        assert house.knows(who)
        assert house.log_in(ann.email).status == 200

    @pytest.mark.parametrize("wanted", ["short", "ann@example.org", "aaaaaaaaaaaa", "x" * 2000])
    def test_a_weak_one_is_refused(self, house, ann, wanted):
        who = house.sign_in(ann)
        answer = house.post("/api/me/password", {"current": PASSWORD, "password": wanted}, who)
        assert answer.status == 400 and "password" in answer.json()["detail"]
        assert house.knows(who)

    def test_one_given_by_an_administrator_ends_everything(self, house, ann):
        who = house.sign_in(ann)
        made = house.make_token(who)
        answer = house.post(f"/api/users/{ann.id}/password", {"password": OTHER_PASSWORD}, house.root)
        assert answer.status == 204
        assert not house.knows(who)
        assert not house.knows(bearer(made["token"]))
        assert house.log_in(ann.email, OTHER_PASSWORD).status == 200


class TestDeactivation:
    def test_it_ends_all_and_activation_revives_none(self, house, ann):
        who = house.sign_in(ann)
        made = [house.make_token(who, type=kind) for kind in ("personal", "api", "app_password")]
        carried = [who, *(bearer(one["token"]) for one in made)]
        assert all(house.knows(one) for one in carried)
        assert house.patch(f"/api/users/{ann.id}", {"status": "deactivated"}, house.root).status == 200
        assert not any(house.knows(one) for one in carried)
        assert house.patch(f"/api/users/{ann.id}", {"status": "active"}, house.root).status == 200
        assert not any(house.knows(one) for one in carried)
        again = house.sign_in(ann)
        assert tokens(house, again) == []
        assert len(sessions(house, again)) == 1

    def test_so_does_erasing_somebody(self, house, ann):
        who = house.sign_in(ann)
        made = house.make_token(who)
        assert house.delete(f"/api/users/{ann.id}", house.root).status == 204
        assert not house.knows(who)
        assert not house.knows(bearer(made["token"]))
        assert house.log_in(ann.email).status == 401
        house.make_user(ann.email)
        assert not house.knows(who)


class TestTokens:
    @pytest.mark.parametrize("kind, form", [
        ("personal", r"atp_[A-Za-z0-9_-]{43}"), ("api", r"[0-9a-f]{40}"),
        ("app_password", r"[0-9a-z]{5}(-[0-9a-z]{5}){3}")])
    def test_each_type_is_made_shown_once_and_usable(self, house, ann, kind, form):
        who = house.sign_in(ann)
        made = house.make_token(who, "Laptop", type=kind)
        assert (made["type"], made["name"]) == (kind, "Laptop")
        secret = made["token"]
        assert re.fullmatch(form, secret)
        for carried in (bearer(secret), token(secret), basic(ann.email, secret), session(secret)):
            assert house.get("/api/me", carried).json()["user"]["id"] == ann.id
        (listed,) = tokens(house, who)
        assert "token" not in listed and secret not in str(listed)
        assert (listed["id"], listed["type"], listed["scopes"]) == (made["id"], kind, made["scopes"])

    def test_a_token_in_the_cookie_is_none(self, house, ann):
        made = house.make_token(house.sign_in(ann))
        assert not house.knows(cookie(made["token"]))

    def test_basic_needs_the_name_of_its_owner(self, house, ann):
        house.make_user("ben@example.org")
        made = house.make_token(house.sign_in(ann), type="app_password")
        assert house.knows(basic("ANN@example.org", made["token"]))
        assert not house.knows(basic("ben@example.org", made["token"]))
        assert not house.knows(basic("", made["token"]))

    def test_a_typed_app_password_may_look_different(self, house, ann):
        made = house.make_token(house.sign_in(ann), type="app_password")
        assert house.knows(basic(ann.email, made["token"].upper().replace("-", " ")))

    def test_the_password_of_the_account_is_no_app_password(self, house, ann):
        assert not house.knows(basic(ann.email, PASSWORD))

    def test_scopes_narrow(self, house):
        boss = house.sign_in(house.make_user("boss@example.org", "admin"))
        reading = bearer(house.make_token(boss, scopes=["account:read"])["token"])
        assert house.get("/api/tokens", reading).status == 200
        assert house.patch("/api/me", {"name": "B"}, reading).status == 403
        assert house.get("/api/users", reading).status == 403
        watching = bearer(house.make_token(boss, scopes=["admin:read"])["token"])
        assert house.get("/api/users", watching).status == 200
        assert house.post("/api/users", {"email": "x@example.org"}, watching).status == 403
        assert house.get("/api/tokens", watching).status == 403
        assert house.get("/api/me", watching).json()["scopes"] == ["admin:read"]

    def test_scopes_give_no_role(self, house, ann):
        made = house.make_token(house.sign_in(ann), scopes=["*"])
        assert house.get("/api/users", bearer(made["token"])).status == 403

    def test_a_token_makes_no_tokens(self, house, ann):
        narrow = bearer(house.make_token(house.sign_in(ann), scopes=["account:write", "files:read"])["token"])
        for scopes in (["files:write"], ["calendars:read"], ["*"], ["files:read"]):
            refused = house.post("/api/tokens", {"name": "More", "scopes": scopes}, narrow)
            assert refused.status == 403 and "a token cannot do this" in refused.text, scopes

    @pytest.mark.parametrize("wanted", [
        {"scopes": ["everything"]}, {"scopes": ["files"]}, {"scopes": "files:read"}, {"type": "other"}, {"name": ""},
        {"name": "x" * 300}, {"expires_at": "tomorrow"}])
    def test_what_cannot_be_a_token_is_refused(self, house, ann, wanted):
        who = house.sign_in(ann)
        assert house.post("/api/tokens", {"name": "Laptop"} | wanted, who).status == 400
        assert tokens(house, who) == []

    def test_an_expired_one_is_refused(self, house, ann):
        who = house.sign_in(ann)
        assert house.post("/api/tokens", {"name": "Late", "expires_at": in_time(seconds=-1)}, who).status == 400
        made = house.make_token(who, expires_at=in_time(seconds=2))
        lasting = house.make_token(who, expires_at=in_time(days=1))
        eventually(lambda: not house.knows(bearer(made["token"])), what="the end of the token")
        assert house.knows(bearer(lasting["token"]))
        assert [one["id"] for one in tokens(house, who)] == [lasting["id"]]

    def test_one_that_was_ended_is_refused(self, house, ann):
        who = house.sign_in(ann)
        made, kept = house.make_token(who), house.make_token(who)
        assert house.delete(f"/api/tokens/{made['id']}", who).status == 204
        assert not house.knows(bearer(made["token"]))
        assert house.knows(bearer(kept["token"]))
        assert house.delete(f"/api/tokens/{made['id']}", who).status == 404

    def test_those_of_somebody_else_can_neither_be_seen_nor_ended(self, house, ann):
        made = house.make_token(house.sign_in(ann))
        ben = house.sign_in(house.make_user("ben@example.org"))
        assert tokens(house, ben) == []
        assert house.delete(f"/api/tokens/{made['id']}", ben).status == 404
        assert house.get(f"/api/tokens?user={ann.email}", ben).json()["tokens"] == []
        assert house.knows(bearer(made["token"]))

    def test_the_last_use_is_written_down(self, house, ann):
        who = house.sign_in(ann)
        made = house.make_token(who)
        assert tokens(house, who)[0].get("last_used_at") is None
        assert house.knows(bearer(made["token"]) | from_address("198.51.100.9"))
        house.run_job("identity.note-uses")
        (listed,) = tokens(house, who)
        assert listed["last_used_at"] >= listed["created_at"]
        assert listed["last_address"] == "198.51.100.9"

    def test_a_repeated_request_makes_one_and_shows_it_once(self, house, ann):
        who = house.sign_in(ann)
        key = {"Idempotency-Key": "the-same"}
        first = house.post("/api/tokens", {"name": "Laptop"}, who | key)
        second = house.post("/api/tokens", {"name": "Laptop"}, who | key)
        assert (first.status, second.status) == (201, 201)
        assert first.json()["token"] not in second.text
        assert len(tokens(house, who)) == 1

    def test_one_is_worth_nothing_at_another_organisation(self, house, ann):
        house.make_org("Elsewhere", "elsewhere.test")
        made = house.make_token(house.sign_in(ann))
        assert not house.knows(bearer(made["token"]), host="elsewhere.test")


class TestSessionsOfOtherRooms:
    @pytest.fixture
    def house(self, make_server):
        return start_house(make_server, binary="atrium_lab")

    def test_a_guest_is_known_and_may_nothing_else(self, house):
        answer = house.post("/lab/guest-session", {"group": "g1", "name": "Gil", "email": "gil@example.org"})
        guest = session(answer.json()["session_id"])
        me = house.get("/api/me", guest).json()
        assert me.get("user") is None
        assert (me["role"], me["credential"], me["guest_group"]) == ("guest", "guest_session", "g1")
        assert me["member_key"].startswith("guest:")
        for method, path in [("PATCH", "/api/me"), ("GET", "/api/tokens"), ("GET", "/lab/shelf"), ("GET", "/api/users"),
                             ("POST", "/api/auth/logout-all"), ("GET", "/api/me/sessions")]:
            assert house.call(method, path, None if method == "GET" else {}, guest).status == 403, path
        assert house.post("/api/auth/logout", None, guest).status == 204
        assert not house.knows(guest)

    def test_a_guest_of_one_organisation_is_unknown_at_another(self, house):
        house.make_org("Elsewhere", "elsewhere.test")
        answer = house.post("/lab/guest-session", {"group": "g1", "name": "Gil", "email": ""}, host="elsewhere.test")
        guest = session(answer.json()["session_id"])
        assert house.knows(guest, host="elsewhere.test")
        assert not house.knows(guest)

    def test_who_is_not_confirmed_yet_is_known_and_may_nothing_else(self, house):
        ann = house.make_user("ann@example.org")
        answer = house.post("/lab/provisional-session", {"user": ann.id})
        assert answer.json()["expires_at"] < in_time(minutes=31)
        provisional = session(answer.json()["session_id"])
        me = house.get("/api/me", provisional).json()
        assert (me["user"]["id"], me["credential"]) == (ann.id, "provisional")
        for method, path in [("PATCH", "/api/me"), ("POST", "/api/tokens"), ("GET", "/lab/shelf")]:
            assert house.call(method, path, None if method == "GET" else {}, provisional).status == 403, path

    def test_work_in_an_area_needs_its_scope_and_a_role(self, house):
        ann = house.sign_in(house.make_user("ann@example.org"))
        reader = house.sign_in(house.make_user("reader@example.org", "readonly"))
        reading = bearer(house.make_token(ann, scopes=["files:read"])["token"])
        elsewhere = bearer(house.make_token(ann, scopes=["calendars:write", "groups:write"])["token"])
        for who, statuses in [(ann, (200, 200)), (reader, (200, 403)), (reading, (200, 403)), (elsewhere, (403, 403))]:
            assert (house.get("/lab/shelf", who).status, house.post("/lab/shelf", None, who).status) == statuses
