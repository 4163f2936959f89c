# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The first start, signing in with a password and a second factor, and how a session is carried."""

import concurrent.futures
import json

import pytest
from certificates import connect_tls, make_certificate, tls_config, trusting
from identity_client import (
    PASSWORD, ROOT, IdentityClient, basic, bearer, cookie, find_set_up_link, find_set_up_token, session, start_house,
    start_server, token, totp)


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return house.make_user("ann@example.org")


def problem(answer) -> tuple[int, str]:
    assert answer.header("content-type") == "application/problem+json"
    return answer.status, answer.json()["detail"]


def cookie_of(answer, called: str = "session") -> tuple[str, dict[str, str]]:
    """Value and attributes of the one cookie that is set."""
    (line,) = answer.all("set-cookie")
    first, *rest = line.split("; ")
    name, _, value = first.partition("=")
    assert name == called
    return value, {key.lower(): content for key, _, content in (part.partition("=") for part in rest)}


class TestFirstStart:
    @pytest.fixture
    def fresh(self, make_server):
        return IdentityClient(start_server(make_server))

    def set_up(self, client, secret, email=ROOT, password=PASSWORD, **more):
        return client.post("/api/setup", {"token": secret, "email": email, "password": password} | more)

    def test_the_link_makes_the_first_account_and_signs_in(self, fresh):
        assert fresh.get("/api/setup").json() == {"set_up": False}
        assert find_set_up_link(fresh.server).startswith(fresh.server.url + "/setup#token=atu_")
        answer = self.set_up(fresh, find_set_up_token(fresh.server))
        assert answer.status == 201
        me = fresh.get("/api/me", session(answer.json()["session_id"])).json()
        assert (me["user"]["email"], me["role"], me["credential"]) == (ROOT, "superadmin", "session")
        assert fresh.get("/api/setup").json() == {"set_up": True}
        assert cookie_of(answer)[0] == answer.json()["session_id"]

    def test_organisation_and_time_zone_come_with_the_first_account(self, fresh):
        answer = self.set_up(fresh, find_set_up_token(fresh.server), organisation="Hikers", time_zone="Europe/Berlin")
        me = fresh.get("/api/me", session(answer.json()["session_id"])).json()
        assert (me["org"]["name"], me["user"]["time_zone"]) == ("Hikers", "Europe/Berlin")

    @pytest.mark.parametrize("field, value", [("organisation", ""), ("organisation", "a" * 201),
                                              ("time_zone", "Europe/Atlantis")])
    def test_a_bad_one_leaves_the_link_usable(self, fresh, field, value):
        secret = find_set_up_token(fresh.server)
        status, detail = problem(self.set_up(fresh, secret, **{field: value}))
        assert status == 400 and field.replace("_", " ").partition(" ")[0] in detail
        assert self.set_up(fresh, secret).status == 201

    def test_it_works_once(self, fresh):
        secret = find_set_up_token(fresh.server)
        assert self.set_up(fresh, secret).status == 201
        assert self.set_up(fresh, secret, "other@example.org").status == 409
        assert fresh.log_in("other@example.org").status == 401

    @pytest.mark.parametrize("secret", ["", "wrong", "atu_" + "a" * 43])
    def test_a_wrong_one_is_refused(self, fresh, secret):
        assert self.set_up(fresh, secret).status == 401
        assert fresh.get("/api/setup").json() == {"set_up": False}

    def test_a_weak_password_leaves_the_link_usable(self, fresh):
        secret = find_set_up_token(fresh.server)
        status, detail = problem(self.set_up(fresh, secret, password="short"))
        assert status == 400 and "password" in detail
        assert self.set_up(fresh, secret).status == 201

    def test_of_two_at_once_one_wins(self, fresh):
        secret = find_set_up_token(fresh.server)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda n: self.set_up(fresh, secret, f"root{n}@example.org"), range(8)))
        won = [number for number, answer in enumerate(answers) if answer.status == 201]
        assert len(won) == 1
        assert {answer.status for answer in answers} <= {201, 401, 409}
        for number in range(8):
            assert fresh.log_in(f"root{number}@example.org").status == (200 if number in won else 401)

    def test_each_start_prints_a_link_of_its_own(self, fresh, make_server):
        old = find_set_up_token(fresh.server)
        fresh.server.stop()
        again = IdentityClient(start_server(make_server, data=fresh.server.data))
        assert self.set_up(again, old).status == 401
        assert self.set_up(again, find_set_up_token(again.server)).status == 201
        again.server.stop()
        third = IdentityClient(start_server(make_server, data=fresh.server.data))
        assert third.log_in(ROOT).status == 200
        assert "set up this server" not in third.server.stderr()

    def test_nothing_else_can_be_reached_before(self, fresh):
        for method, path in [("GET", "/api/me"), ("POST", "/api/auth/login"), ("POST", "/api/auth/request-link"),
                             ("GET", "/api/users"), ("POST", "/api/orgs"), ("GET", "/api/auth/providers"),
                             ("GET", "/auth/any/login"), ("GET", "/api/audit"), ("POST", "/api/tokens")]:
            status, detail = problem(fresh.call(method, path, {} if method == "POST" else None))
            assert (status, detail) == (503, "this server is not set up yet"), path
        assert fresh.get("/api/health").status == 200
        assert fresh.get("/livez").status == 200


class TestPassword:
    def test_the_right_one_opens_a_session(self, house, ann):
        answer = house.log_in(ann.email)
        assert answer.status == 200
        assert set(answer.json()) == {"session_id", "expires_at"}
        me = house.get("/api/me", session(answer.json()["session_id"])).json()
        assert (me["user"]["id"], me["role"], me["scopes"]) == (ann.id, "user", ["*"])
        assert me["member_key"] == f"auth:{ann.id}"
        assert me["second_factor"] is False

    @pytest.mark.parametrize("email", ["ann@example.org", "nobody@example.org", "no address", ""])
    def test_what_is_wrong_is_not_told(self, house, ann, email):
        assert problem(house.log_in(email, "wrong password")) == (401, "the address or the password is wrong")

    def test_case_and_space_of_an_address_do_not_matter(self, house, ann):
        assert house.log_in(" Ann@EXAMPLE.org ").status == 200

    def test_who_has_no_password_cannot_sign_in_with_one(self, house):
        house.make_user("ben@example.org", password=None)
        for password in ("", PASSWORD):
            assert house.log_in("ben@example.org", password).status == 401

    def test_who_is_deactivated_hears_the_same_as_a_stranger(self, house, ann):
        assert house.patch(f"/api/users/{ann.id}", {"status": "deactivated"}, house.root).status == 200
        assert problem(house.log_in(ann.email)) == (401, "the address or the password is wrong")

    def test_the_host_of_another_organisation_lets_nobody_in(self, house, ann):
        org = house.make_org("Elsewhere", "elsewhere.test")
        cat = house.make_user("cat@example.org", org=org)
        assert house.log_in(cat.email, host="elsewhere.test").status == 200
        assert house.log_in(cat.email, host="ELSEWHERE.test:8080").status == 200
        assert problem(house.log_in(cat.email)) == (401, "the address or the password is wrong")
        assert house.log_in(ann.email, host="elsewhere.test").status == 401
        assert house.log_in(ann.email, host="unknown.test").status == 200

    def test_a_session_is_worth_nothing_at_another_organisation(self, house, ann):
        house.make_org("Elsewhere", "elsewhere.test")
        who = house.sign_in(ann)
        assert house.knows(who)
        assert not house.knows(who, host="elsewhere.test")
        assert house.knows(house.root, host="elsewhere.test")

    def test_no_reply_shows_a_hash(self, house, ann):
        who = house.sign_in(ann)
        house.turn_on_second_factor(who)
        house.make_token(who)
        for path in ("/api/me", "/api/me/sessions", "/api/tokens", "/api/me/identities"):
            assert_no_secrets(house.get(path, who).text)
        for path in ("/api/users", f"/api/users/{ann.id}", "/api/audit", "/api/audit/export"):
            assert_no_secrets(house.get(path, house.root).text)

    @pytest.mark.parametrize("body", [
        {}, {"email": "ann@example.org"}, {"email": 7, "password": PASSWORD}, [], "x",
        {"email": "ann@example.org", "password": PASSWORD, "otp": 123456}])
    def test_a_body_of_another_form_is_refused(self, house, ann, body):
        assert house.post("/api/auth/login", body).status == 400

    def test_a_form_of_a_page_elsewhere_is_no_body(self, house, ann):
        body = json.dumps({"email": ann.email, "password": PASSWORD})
        assert house.server.post("/api/auth/login", body, {"Content-Type": "text/plain"}).status in (400, 415)


def assert_no_secrets(text: str):
    for word in ("argon2", "password_hash", '"hash"', "totp", "recovery"):
        assert word not in text, word


class TestSecondFactor:
    @pytest.fixture
    def guarded(self, house, ann):
        """Secret, recovery codes and the step that was used up."""
        return house.turn_on_second_factor(house.sign_in(ann))

    def test_a_code_is_demanded_and_taken_once(self, house, ann, guarded):
        secret, _, step = guarded
        status, detail = problem(house.log_in(ann.email))
        assert (status, detail.partition(":")[0]) == (401, "otp")
        code = totp(secret, step + 1)
        answer = house.log_in(ann.email, otp=code)
        assert answer.status == 200
        assert house.get("/api/me", session(answer.json()["session_id"])).json()["second_factor"] is True
        status, detail = problem(house.log_in(ann.email, otp=code))
        assert (status, detail.partition(":")[0]) == (401, "otp")

    def test_the_code_that_turned_it_on_is_used_up(self, house, ann, guarded):
        secret, _, step = guarded
        assert house.log_in(ann.email, otp=totp(secret, step)).status == 401

    @pytest.mark.parametrize("otp", ["000000", "", "12345", "not a code", "0" * 1000])
    def test_a_wrong_code_is_refused(self, house, ann, guarded, otp):
        secret, _, step = guarded
        if otp in {totp(secret, step + ahead) for ahead in (-1, 0, 1, 2)}:
            otp = "999999"  # Chance made the wrong code the right one.
        status, detail = problem(house.log_in(ann.email, otp=otp))
        assert (status, detail.partition(":")[0]) == (401, "otp")

    def test_without_the_password_nothing_is_said_about_codes(self, house, ann, guarded):
        secret, _, step = guarded
        wrong = house.log_in(ann.email, "wrong password", otp=totp(secret, step + 1))
        assert problem(wrong) == (401, "the address or the password is wrong")

    def test_each_recovery_code_works_once(self, house, ann, guarded):
        _, codes, _ = guarded
        assert len(set(codes)) == 10
        assert house.log_in(ann.email, otp=codes[0]).status == 200
        assert house.log_in(ann.email, otp=codes[0]).status == 401
        assert house.log_in(ann.email, otp=codes[1].upper().replace("-", " ")).status == 200

    def test_a_code_used_for_a_new_password_is_used_up(self, house, ann, guarded):
        secret, codes, step = guarded
        who = session(house.log_in(ann.email, otp=codes[0]).json()["session_id"])
        code = totp(secret, step + 1)
        wanted = {"current": PASSWORD, "password": "a kettle full of snow", "otp": code}
        assert house.post("/api/me/password", wanted, who).status == 200
        assert house.log_in(ann.email, "a kettle full of snow", otp=code).status == 401

    def test_it_is_turned_off_with_a_code_only(self, house, ann, guarded):
        secret, codes, step = guarded
        who = session(house.log_in(ann.email, otp=codes[0]).json()["session_id"])
        assert house.post("/api/me/second-factor/end", {"otp": "000000"}, who).status in (401, 403)
        assert house.post("/api/me/second-factor/end", {}, who).status == 400
        assert house.log_in(ann.email).status == 401
        assert house.post("/api/me/second-factor/end", {"otp": codes[1]}, who).status == 204
        assert house.log_in(ann.email).status == 200

    def test_an_administrator_turns_it_off_for_who_lost_everything(self, house, ann, guarded):
        assert house.delete(f"/api/users/{ann.id}/second-factor", house.root).status == 204
        assert house.log_in(ann.email).status == 200

    def test_one_that_was_begun_and_not_confirmed_demands_nothing(self, house, ann):
        who = house.sign_in(ann)
        begun = house.post("/api/me/second-factor", None, who)
        assert begun.json()["uri"].startswith("otpauth://totp/Atrium")
        assert house.post("/api/me/second-factor/confirm", {"otp": "000000"}, who).status in (401, 403)
        assert house.log_in(ann.email).status == 200

    def test_tokens_need_no_code(self, house, ann):
        who = house.sign_in(ann)
        made = house.make_token(who)
        house.turn_on_second_factor(who)
        assert house.knows(bearer(made["token"]))


class TestCarriers:
    def test_the_cookie_is_out_of_reach_of_pages_and_other_sites(self, house, ann):
        answer = house.log_in(ann.email)
        value, attributes = cookie_of(answer)
        assert value == answer.json()["session_id"]
        assert "httponly" in attributes and "secure" not in attributes and "domain" not in attributes
        assert (attributes["samesite"], attributes["path"]) == ("Lax", "/")
        assert 7 * 86400 - 60 <= int(attributes["max-age"]) <= 7 * 86400

    def test_under_tls_it_is_for_tls_only(self, make_server, tmp_path):
        certificate = make_certificate(tmp_path, serial=5)
        house = start_house(make_server, tls_config(certificate))
        body = json.dumps({"email": ROOT, "password": PASSWORD})
        with connect_tls(house.server, trusting(certificate)) as connection:
            connection.send("POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            f"Content-Length: {len(body)}\r\n\r\n{body}")
            _, attributes = cookie_of(connection.read_response(), "__Host-session")
        assert {"httponly", "secure"} <= set(attributes) and "domain" not in attributes
        assert attributes["path"] == "/"

    def test_signing_out_takes_the_cookie_away(self, house, ann):
        secret = house.open_session(ann)
        answer = house.post("/api/auth/logout", None, cookie(secret, X_Requested_With="x"))
        value, attributes = cookie_of(answer)
        assert (answer.status, value, attributes["max-age"]) == (204, "", "0")
        assert not house.knows(session(secret))

    def test_a_session_is_carried_in_four_ways(self, house, ann):
        secret = house.open_session(ann)
        for who in (cookie(secret), bearer(secret), session(secret), token(secret)):
            assert house.get("/api/me", who).json()["user"]["id"] == ann.id, who
        assert not house.knows(basic(ann.email, secret))

    @pytest.mark.parametrize("header", [
        "Bearer", "Bearer ", "Bearer wrong", "Token ats_wrong", "Basic", "Basic !!", "Basic YQ==", "Digest a=b", ""])
    def test_what_is_no_credential_is_refused(self, house, header):
        status, _ = problem(house.get("/api/me", {"Authorization": header}))
        assert status == 401

    def test_a_page_of_another_site_cannot_use_the_cookie(self, house, ann):
        secret = house.open_session(ann)
        own = house.server.url
        for headers in ({"Origin": "https://evil.test"}, {"Origin": "null"}, {}, {"Origin": own + ".evil.test"},
                        {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site", "Origin": own}):
            answer = house.patch("/api/me", {"name": "Forged"}, cookie(secret) | headers)
            assert answer.status == 403, headers
        for headers in ({"Origin": own}, {"Sec-Fetch-Site": "same-origin"}, {"X-Requested-With": "XMLHttpRequest"},
                        {"Sec-Fetch-Site": "none"}):
            answer = house.patch("/api/me", {"name": "Own"}, cookie(secret) | headers)
            assert answer.status == 200, headers
        assert house.get("/api/me", cookie(secret, Origin="https://evil.test")).status == 200

    def test_who_carries_a_session_in_a_header_is_believed_from_anywhere(self, house, ann):
        secret = house.open_session(ann)
        for who in (bearer(secret), session(secret)):
            answer = house.patch("/api/me", {"name": "Ann"}, who | {"Origin": "https://elsewhere.test"})
            assert answer.status == 200
