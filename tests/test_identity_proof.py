# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A stolen session is not the account, and a token even less: tried as whoever stole one would."""

import dataclasses
import stat

import pytest
from identity_client import PASSWORD, bearer, cookie, from_address, session, start_house, totp
from mail_server import SENDER, MailServer, link_in, text_of, token_in
from running_server import eventually

OTHER_PASSWORD = "a kettle full of snow"
EVIL = "evil@example.net"

# What makes an account one's own, as whoever is signed in could ask for it.
TAKING_OVER = [
    ("POST", "/api/me/email", {"email": EVIL}),
    ("POST", "/api/me/second-factor", {}),
    ("POST", "/api/me/second-factor/confirm", {"otp": "000000"}),
    ("POST", "/api/me/second-factor/end", {"otp": "000000"}),
    ("POST", "/api/tokens", {"name": "mine"}),
    ("POST", "/api/tokens", {"name": "mine", "type": "app_password"}),
    ("DELETE", "/api/tokens/00000000000000000000000000", None),
    ("POST", "/api/me/identities/home", {}),
    ("POST", "/api/me/identities/unlink", {"issuer": "https://a.test", "subject": "1"}),
]


@pytest.fixture
def mail():
    with MailServer() as server:
        yield server


@pytest.fixture
def house(make_server, mail):
    return start_house(make_server, mail.config() | {"identity": {"public_url": "https://atrium.test"}}, binary="atrium_lab")


@pytest.fixture
def ann(house):
    return house.make_user("ann@example.org", name="Ann")


@pytest.fixture
def stolen(house, ann):
    """A session in which nobody has proved anything for an hour."""
    who = house.sign_in(ann)
    assert house.post("/lab/own/proof-age", {"minutes": 60}, who).status == 204
    return who


@pytest.mark.parametrize(("method", "path", "body"), TAKING_OVER)
def test_a_stolen_session_is_asked_for_a_proof(house, stolen, method, path, body):
    answer = house.call(method, path, body, stolen)
    assert answer.status == 403, answer.text
    assert answer.header("content-type") == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], problem["code"], problem["methods"]) == (403, "recent_proof_required", ["password"])
    assert problem["request_id"] and problem["detail"]


@pytest.mark.parametrize(("method", "path", "body"), [
    *TAKING_OVER, ("POST", "/api/me/password", {"current": PASSWORD, "password": OTHER_PASSWORD}),
    ("POST", "/api/auth/proof", {"password": PASSWORD})])
def test_a_token_never_does_any_of_it(house, ann, method, path, body):
    for scopes in (["*"], ["account:write"]):
        made = house.make_token(house.sign_in(ann), scopes=scopes)
        answer = house.call(method, path, body, bearer(made["token"]))
        assert (answer.status, answer.json()["code"]) == (403, "permission_denied"), answer.text


def test_an_administrators_token_does_none_of_it_to_its_owner(house):
    admin = bearer(house.make_token(house.root, scopes=["*"])["token"])
    own = f"/api/users/{house.root_id}"
    assert house.post(f"{own}/password", {"password": OTHER_PASSWORD}, admin).status == 403
    assert house.patch(own, {"email": EVIL}, admin).status == 403
    other = house.make_user("ben@example.org")
    assert house.post(f"/api/users/{other.id}/password", {"password": OTHER_PASSWORD}, admin).status == 204


def test_an_administrators_stolen_session_takes_nobody_over(house, ann):
    assert house.post("/lab/own/proof-age", {"minutes": 60}, house.root).status == 204
    for method, path, body in [("PATCH", "", {"email": EVIL}), ("PATCH", "", {"role": "superadmin"}),
                               ("POST", "/password", {"password": OTHER_PASSWORD}), ("DELETE", "/second-factor", None)]:
        answer = house.call(method, f"/api/users/{ann.id}{path}", body, house.root)
        assert (answer.status, answer.json()["code"]) == (403, "recent_proof_required"), path
    assert house.patch(f"/api/users/{ann.id}", {"name": "Anna"}, house.root).status == 200


NEW_ADMIN = {"email": "mallory@example.org", "role": "admin", "password": OTHER_PASSWORD}
HOME = {"name": "Home", "issuer": "https://id.example.net", "client_id": "atrium", "client_secret": "s", "trusted": True,
        "creates_users": False}


def test_an_administrators_stolen_session_makes_no_administrators(house):
    assert house.post("/lab/own/proof-age", {"minutes": 60}, house.root).status == 204
    for role in ("admin", "superadmin"):
        answer = house.post("/api/users", NEW_ADMIN | {"role": role}, house.root)
        assert (answer.status, answer.json()["code"]) == (403, "recent_proof_required"), role
    assert house.log_in(NEW_ADMIN["email"], OTHER_PASSWORD).status == 401
    assert house.post("/api/users", NEW_ADMIN | {"role": "user"}, house.root).status == 201
    assert house.post("/api/auth/proof", {"password": PASSWORD}, house.root).status == 204
    assert house.post("/api/users", NEW_ADMIN | {"email": "boss@example.org"}, house.root).status == 201


class TestAnAdministratorsToken:
    """Whoever copied one must not become an administrator by it; programs that look after people go on."""

    @pytest.fixture
    def token(self, house):
        return bearer(house.make_token(house.root, scopes=["admin:write"])["token"])

    def refused(self, answer) -> None:
        assert (answer.status, answer.json()["code"]) == (403, "permission_denied"), answer.text

    def test_makes_no_administrators(self, house, token, ann):
        for role in ("admin", "superadmin"):
            self.refused(house.post("/api/users", NEW_ADMIN | {"role": role}, token))
            self.refused(house.patch(f"/api/users/{ann.id}", {"role": role}, token))
        assert house.get(f"/api/users/{ann.id}", token).json()["role"] == "user"
        assert house.log_in(NEW_ADMIN["email"], OTHER_PASSWORD).status == 401

    def test_takes_no_administrator_over(self, house, token):
        boss = house.make_user("boss@example.org", "admin")
        house.turn_on_second_factor(house.sign_in(boss))
        one = f"/api/users/{boss.id}"
        self.refused(house.post(f"{one}/password", {"password": OTHER_PASSWORD}, token))
        self.refused(house.patch(one, {"email": EVIL}, token))
        self.refused(house.patch(one, {"role": "user"}, token))
        self.refused(house.delete(f"{one}/second-factor", token))
        shown = house.get(one, token).json()
        assert (shown["email"], shown["role"], shown["second_factor"]) == (boss.email, "admin", True)
        assert house.patch(one, {"name": "Boss"}, token).status == 200

    def test_enters_no_provider(self, house, token):
        self.refused(house.call("PUT", "/api/providers/evil", HOME, token))
        assert house.call("PUT", "/api/providers/home", HOME, house.root).status == 200
        self.refused(house.delete("/api/providers/home", token))
        assert [one["id"] for one in house.get("/api/providers", token).json()["providers"]] == ["home"]

    def test_still_looks_after_ordinary_people(self, house, token):
        made = house.post("/api/users", NEW_ADMIN | {"role": "user"}, token)
        assert made.status == 201, made.text
        one = f"/api/users/{made.json()['id']}"
        assert house.patch(one, {"email": "mal@example.org", "role": "readonly"}, token).status == 200
        assert house.post(f"{one}/password", {"password": PASSWORD}, token).status == 204
        house.turn_on_second_factor(session(house.log_in("mal@example.org").json()["session_id"]))
        assert house.delete(f"{one}/second-factor", token).status == 204

    def test_the_operator_does_all_of_it(self, house):
        made = house.atrium("user", "add", "boss@example.org", "--admin")
        assert made.returncode == 0, made.stderr


def test_a_proof_is_given_with_the_password(house, stolen):
    assert house.post("/api/auth/proof", {"password": "wrong"}, stolen).status == 403
    assert house.post("/api/auth/proof", {}, stolen).status == 400
    assert house.post("/api/tokens", {"name": "x"}, stolen).status == 403
    assert house.post("/api/auth/proof", {"password": PASSWORD}, stolen).status == 204
    assert house.post("/api/tokens", {"name": "x"}, stolen).status == 201


def test_a_proof_is_given_with_the_second_factor(house, ann):
    who = house.sign_in(ann)
    secret, codes, step = house.turn_on_second_factor(who)
    house.post("/lab/own/proof-age", {"minutes": 60}, who)
    assert house.post("/api/tokens", {"name": "x"}, who).json()["methods"] == ["password", "otp"]
    assert house.post("/api/auth/proof", {"otp": totp(secret, step + 1)}, who).status == 204
    assert house.post("/api/tokens", {"name": "x"}, who).status == 201
    assert house.post("/api/auth/proof", {"otp": codes[0]}, who).status == 204
    assert house.post("/api/auth/proof", {"otp": codes[0]}, who).status == 403


def test_proofs_are_not_guessed(house, stolen):
    statuses = [house.post("/api/auth/proof", {"password": f"guess {number}"}, stolen).status for number in range(8)]
    assert statuses[:5] == [403] * 5 and statuses[-1] == 429


def test_who_has_nothing_but_a_mailbox_signs_in_by_it_again(house, mail):
    ben = house.make_user("ben@example.org", password=None)
    assert house.post("/api/auth/request-link", {"email": ben.email}).status == 202
    who = session(house.post("/api/auth/consume-link",
                             {"token": token_in(mail.wait_for_letter(ben.email))}).json()["session_id"])
    house.post("/lab/own/proof-age", {"minutes": 60}, who)
    assert house.post("/api/tokens", {"name": "x"}, who).json()["methods"] == ["link"]
    assert house.post("/api/auth/request-link", {"email": ben.email}).status == 202
    again = session(house.post("/api/auth/consume-link",
                               {"token": token_in(mail.wait_for_letter(ben.email, 2))}).json()["session_id"])
    assert house.post("/api/tokens", {"name": "x"}, again).status == 201


class TestTheAddress:
    def change(self, house, mail, who, email: str = EVIL) -> None:
        assert house.post("/api/me/email", {"email": email}, who).status == 202
        assert house.post("/api/auth/confirm-email", {"token": token_in(mail.wait_for_letter(email))}).status == 204

    def test_the_old_one_is_told_twice_and_puts_itself_back(self, house, mail, ann):
        who = house.sign_in(ann)
        made = house.make_token(who)
        assert house.post("/api/me/email", {"email": EVIL}, who).status == 202
        asked = mail.wait_for_letter(ann.email)
        assert "about to change" in asked["Subject"] and EVIL in text_of(asked)
        assert house.post("/api/auth/confirm-email", {"token": token_in(mail.wait_for_letter(EVIL))}).status == 204
        done = mail.wait_for_letter(ann.email, 2)
        assert "was changed" in done["Subject"] and EVIL in text_of(done)
        assert link_in(done).startswith("https://atrium.test/auth/reset#token=atv_")
        # Whoever took it over has a new password sent to the new address.
        assert house.post("/api/auth/request-reset", {"email": EVIL}).status == 202
        taken = house.post("/api/auth/reset", {"token": token_in(mail.wait_for_letter(EVIL, 2)), "password": PASSWORD + "!"})
        assert taken.status == 200
        back = house.post("/api/auth/reset", {"token": token_in(done), "password": OTHER_PASSWORD})
        assert (back.status, back.json()["email"]) == (200, ann.email), back.text
        for ended in (who, bearer(made["token"]), session(taken.json()["session_id"])):
            assert not house.knows(ended)
        assert house.knows(session(back.json()["session_id"]))
        assert house.log_in(ann.email, OTHER_PASSWORD).status == 200
        assert house.log_in(EVIL, PASSWORD + "!").status == 401
        assert house.post("/api/auth/reset", {"token": token_in(done), "password": PASSWORD}).status == 401

    def test_an_administrator_who_changes_it_is_told_of_too(self, house, mail, ann):
        assert house.patch(f"/api/users/{ann.id}", {"email": "anna@example.org"}, house.root).status == 200
        assert "was changed" in mail.wait_for_letter(ann.email)["Subject"]

    def test_without_mail_it_is_said_that_nobody_was_told(self, make_server):
        house = start_house(make_server)
        ann = house.make_user("ann@example.org")
        answer = house.patch(f"/api/users/{ann.id}", {"email": "anna@example.org"}, house.root)
        assert answer.status == 200 and "no letter was sent" in answer.header("atrium-notice")
        ann = dataclasses.replace(ann, email="anna@example.org")
        assert house.post("/api/me/email", {"email": EVIL}, house.sign_in(ann)).status == 503

    def test_who_has_an_address_in_another_organisation_is_not_told(self, house, mail, ann):
        org = house.make_org("Elsewhere", "elsewhere.test")
        cat = house.make_user("cat@example.org", org=org)
        free = house.post("/api/me/email", {"email": "free@example.org"}, house.sign_in(ann))
        taken = house.post("/api/me/email", {"email": cat.email}, house.sign_in(ann))
        assert (taken.status, taken.json()) == (free.status, free.json()) == (202, {})
        letter = mail.wait_for_letter(cat.email)
        assert "already" in letter["Subject"] and "token" not in text_of(letter)
        # Neither their own mailbox nor the log tells the two apart.
        own = [mail.wait_for_letter(ann.email, number) for number in (1, 2)]
        assert own[0]["Subject"] == own[1]["Subject"] and "about to change" in own[0]["Subject"]
        assert text_of(own[1]).count(cat.email) == text_of(own[0]).count("free@example.org") == 1
        lines = [(line["action"], line["detail"].pop("email"), line["detail"]) for line in house.audit()
                 if line["target"] == f"user:{ann.id}" and line["action"].startswith("link.")]
        assert lines == [("link.mailed", email, {"purpose": "confirm_email"}) for email in (cat.email, "free@example.org")]


def test_a_link_in_a_letter_has_no_port_that_a_request_named(house, mail):
    org = house.make_org("Elsewhere", "elsewhere.test")
    cat = house.make_user("cat@example.org", org=org)
    assert house.post("/api/auth/request-link", {"email": cat.email}, host="elsewhere.test:6666").status == 202
    assert link_in(mail.wait_for_letter(cat.email)).startswith("https://elsewhere.test/auth/link#")


def test_a_siege_does_not_lock_the_owner_out_where_they_signed_in_before(house, ann):
    home = from_address("203.0.113.7")
    assert house.log_in(ann.email, headers=home).status == 200
    for number in range(105):
        house.log_in(ann.email, "guess", headers=from_address(f"198.51.{number // 250}.{number % 250}"))
    assert house.log_in(ann.email, "a slip of the finger", headers=home).status == 401
    assert house.log_in(ann.email, headers=home).status == 200
    away = from_address("203.0.113.99")
    assert house.log_in(ann.email, "guess", headers=away).status == 401
    assert house.log_in(ann.email, headers=away).status == 429


def test_the_cookie_of_tls_is_one_that_nobody_else_can_set(house, ann):
    tls = {"X-Forwarded-Proto": "https"}
    answer = house.log_in(ann.email, headers=tls)
    secret = answer.json()["session_id"]
    name, _, attributes = answer.header("set-cookie").partition("=")
    assert name == "__Host-session"
    assert {"Secure", "Path=/", "HttpOnly"} <= {part.strip() for part in attributes.split(";")} and "Domain" not in attributes
    assert house.get("/api/me", {"Cookie": f"__Host-session={secret}"} | tls).status == 200
    assert house.get("/api/me", cookie(secret) | tls).status == 401
    assert house.get("/api/me", cookie(secret)).status == 200
    assert house.get("/api/me", {"Cookie": f"__Host-session={secret}"}).status == 401


def test_letters_in_files_are_for_their_owner_alone(make_server, tmp_path):
    folder = tmp_path / "letters"
    folder.mkdir(mode=0o755)
    house = start_house(make_server, {"mail": {"transport": "file", "from": SENDER, "folder": str(folder)}})
    assert house.post("/api/auth/request-link", {"email": "root@example.org"}).status == 202
    (letter,) = eventually(lambda: list(folder.glob("*.eml")))
    assert stat.S_IMODE(letter.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
