# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What goes by mail: links to sign in, new passwords, new addresses, invitations, and letters that have to wait."""

import concurrent.futures
import re

import pytest
from identity_client import PASSWORD, bearer, from_address, session, start_house, totp
from mail_server import SENDER, MailServer, link_in, parse_letter, text_of, token_in
from running_server import eventually

OTHER_PASSWORD = "a kettle full of snow"


@pytest.fixture
def mail():
    with MailServer() as server:
        yield server


@pytest.fixture
def house(make_server, mail):
    return start_house(make_server, mail.config() | {"identity": {"public_url": "https://atrium.test"}})


@pytest.fixture
def ann(house):
    return house.make_user("ann@example.org", name="Ann")


def ask(house, email: str, what: str = "link", **more):
    answer = house.post(f"/api/auth/request-{what}", {"email": email} | more)
    assert (answer.status, answer.json()) == (202, {}), answer.text


def consume(house, secret: str, **more):
    return house.post("/api/auth/consume-link", {"token": secret} | more)


class TestLinks:
    def test_a_link_lets_its_reader_in_once(self, house, mail, ann):
        ask(house, " Ann@example.ORG", return_to="/calendar?week=3")
        letter = mail.wait_for_letter(ann.email)
        assert re.fullmatch(r"https://atrium\.test/auth/link#token=atm_[\w-]{43}", link_in(letter))
        answer = consume(house, token_in(letter))
        assert answer.status == 200
        assert (answer.json()["email"], answer.json()["return_to"]) == (ann.email, "/calendar?week=3")
        assert house.get("/api/me", session(answer.json()["session_id"])).json()["user"]["id"] == ann.id
        assert answer.header("set-cookie").startswith("session=" + answer.json()["session_id"])
        assert consume(house, token_in(letter)).status == 401

    def test_of_many_who_use_it_at_once_one_gets_in(self, house, mail, ann):
        ask(house, ann.email)
        secret = token_in(mail.wait_for_letter(ann.email))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            statuses = sorted(answer.status for answer in pool.map(lambda _: consume(house, secret), range(4)))
        assert statuses == [200, 401, 401, 401]

    def test_people_who_share_an_address_all_get_in_at_once(self, house, mail):
        people = [house.make_user(f"u{number}@example.org", password=None) for number in range(10)]
        for person in people:
            ask(house, person.email)
        secrets = [token_in(mail.wait_for_letter(person.email)) for person in people]
        with concurrent.futures.ThreadPoolExecutor(10) as pool:
            statuses = [answer.status for answer in pool.map(lambda secret: consume(house, secret), secrets)]
        assert statuses == [200] * 10

    def test_nobody_learns_who_has_an_account(self, house, mail, ann):
        away = house.make_user("away@example.org", password=None)
        house.patch(f"/api/users/{away.id}", {"status": "deactivated"}, house.root)
        org = house.make_org("Elsewhere", "elsewhere.test")
        house.make_user("cat@example.org", org=org)
        for what in ("link", "reset"):
            for email in ("nobody@example.org", "no address", away.email, "cat@example.org"):
                ask(house, email, what)
        ask(house, ann.email)
        mail.wait_for_letter(ann.email)
        assert [letter["To"] for letter in mail.letters] == [ann.email]

    @pytest.mark.parametrize("path", [
        "https://evil.test/", "//evil.test", "/\\evil.test", "evil", "/a\nb", "/" + "a" * 300])
    def test_no_link_leads_elsewhere_afterwards(self, house, mail, ann, path):
        ask(house, ann.email, return_to=path)
        assert consume(house, token_in(mail.wait_for_letter(ann.email))).json()["return_to"] == "/"

    def test_a_link_leads_to_the_server_whatever_host_was_named(self, house, mail, ann):
        answer = house.post("/api/auth/request-link", {"email": ann.email}, host="evil.test")
        assert answer.status == 202
        assert link_in(mail.wait_for_letter(ann.email)).startswith("https://atrium.test/")

    def test_people_of_another_organisation_are_led_to_its_host(self, house, mail):
        org = house.make_org("Elsewhere", "elsewhere.test")
        cat = house.make_user("cat@example.org", org=org)
        assert house.post("/api/auth/request-link", {"email": cat.email}, host=cat.host).status == 202
        letter = mail.wait_for_letter(cat.email)
        assert link_in(letter).startswith("https://elsewhere.test/auth/link#token=")
        opened = house.post("/api/auth/consume-link", {"token": token_in(letter)}, host=cat.host)
        assert house.knows(session(opened.json()["session_id"]), host=cat.host)

    def test_a_second_factor_is_asked_for_and_the_link_waits(self, house, mail, ann):
        secret, _, step = house.turn_on_second_factor(house.sign_in(ann))
        ask(house, ann.email)
        link = token_in(mail.wait_for_letter(ann.email))
        refused = consume(house, link)
        assert (refused.status, refused.json()["detail"].partition(":")[0]) == (401, "otp")
        assert consume(house, link, otp=totp(secret, step + 1)).status == 200

    def test_deactivation_and_a_new_password_end_links(self, house, mail, ann):
        ask(house, ann.email)
        secret = token_in(mail.wait_for_letter(ann.email))
        house.post(f"/api/users/{ann.id}/password", {"password": OTHER_PASSWORD}, house.root)
        assert consume(house, secret).status == 401

    def test_a_link_is_good_for_its_own_purpose_only(self, house, mail, ann):
        ask(house, ann.email, "reset")
        ask(house, ann.email)
        eventually(lambda: len(mail.letters_to(ann.email)) == 2)
        by_kind = {token_in(letter)[:4]: token_in(letter) for letter in mail.letters_to(ann.email)}
        assert consume(house, by_kind["atr_"]).status == 401
        wrong = {"token": by_kind["atm_"], "password": OTHER_PASSWORD}
        assert house.post("/api/auth/reset", wrong).status == 401
        assert house.post("/api/auth/confirm-email", {"token": by_kind["atm_"]}).status == 401
        assert consume(house, by_kind["atm_"]).status == 200

    def test_one_address_asks_for_so_many_and_no_more(self, house, mail, ann):
        body = {"email": ann.email}
        statuses = [house.post("/api/auth/request-link", body, headers=from_address("203.0.113.9")).status
                    for _ in range(12)]
        assert statuses[:5] == [202] * 5
        assert 429 in statuses
        unknown = [house.post("/api/auth/request-link", {"email": "no@example.org"},
                              headers=from_address("203.0.113.10")).status for _ in range(12)]
        assert unknown[:5] == [202] * 5
        assert 429 in unknown

    def test_without_mail_it_is_said_that_there_is_none(self, make_server):
        house = start_house(make_server)
        for what in ("link", "reset"):
            for email in ("root@example.org", "nobody@example.org"):
                assert house.post(f"/api/auth/request-{what}", {"email": email}).status == 503


class TestAccounts:
    def test_a_forgotten_password_is_replaced(self, house, mail, ann):
        who = house.sign_in(ann)
        made = house.make_token(who)
        ask(house, ann.email, "reset")
        letter = mail.wait_for_letter(ann.email)
        assert "/auth/reset#token=atr_" in link_in(letter)
        weak = house.post("/api/auth/reset", {"token": token_in(letter), "password": "short"})
        assert weak.status == 400
        answer = house.post("/api/auth/reset", {"token": token_in(letter), "password": OTHER_PASSWORD})
        assert answer.status == 200
        assert house.knows(session(answer.json()["session_id"]))
        assert not house.knows(who)
        assert not house.knows(bearer(made["token"]))
        assert (house.log_in(ann.email).status, house.log_in(ann.email, OTHER_PASSWORD).status) == (401, 200)
        again = house.post("/api/auth/reset", {"token": token_in(letter), "password": PASSWORD})
        assert again.status == 401
        assert "password.reset" in house.audit_actions(f"user:{ann.id}")

    def test_a_mailbox_alone_does_not_get_past_a_second_factor(self, house, mail, ann):
        _, codes, _ = house.turn_on_second_factor(house.sign_in(ann))
        ask(house, ann.email, "reset")
        secret = token_in(mail.wait_for_letter(ann.email))
        answer = house.post("/api/auth/reset", {"token": secret, "password": OTHER_PASSWORD})
        assert answer.status == 200
        assert answer.json().get("session_id") is None and answer.header("set-cookie") is None
        assert house.log_in(ann.email, OTHER_PASSWORD).status == 401
        assert house.log_in(ann.email, OTHER_PASSWORD, otp=codes[0]).status == 200

    def test_a_new_address_is_confirmed_by_its_mailbox(self, house, mail, ann):
        who = house.sign_in(ann)
        made = house.make_token(who)
        assert house.post("/api/me/email", {"email": "Anna@example.org"}, who).status == 202
        letter = mail.wait_for_letter("anna@example.org")
        assert "/auth/confirm#token=ate_" in link_in(letter)
        assert house.get("/api/me", who).json()["user"]["email"] == ann.email
        assert house.post("/api/auth/confirm-email", {"token": token_in(letter)}).status == 204
        assert house.get("/api/me", who).json()["user"]["email"] == "anna@example.org"
        assert house.knows(bearer(made["token"]))
        assert (house.log_in(ann.email).status, house.log_in("anna@example.org").status) == (401, 200)
        assert house.post("/api/auth/confirm-email", {"token": token_in(letter)}).status == 401

    def test_an_address_that_was_taken_meanwhile_stays_where_it_is(self, house, mail, ann):
        who = house.sign_in(ann)
        assert house.post("/api/me/email", {"email": "new@example.org"}, who).status == 202
        letter = mail.wait_for_letter("new@example.org")
        house.make_user("new@example.org")
        assert house.post("/api/auth/confirm-email", {"token": token_in(letter)}).status == 409
        assert house.get("/api/me", who).json()["user"]["email"] == ann.email

    def test_an_invitation_leads_to_the_account(self, house, mail):
        made = house.post("/api/users", {"email": "ben@example.org", "name": "Ben", "invite": True}, house.root)
        assert made.status == 201
        letter = mail.wait_for_letter("ben@example.org")
        answer = consume(house, token_in(letter))
        assert answer.status == 200
        assert house.get("/api/me", session(answer.json()["session_id"])).json()["user"]["id"] == made.json()["id"]
        assert house.post(f"/api/users/{made.json()['id']}/invite", None, house.root).status == 202
        assert token_in(mail.wait_for_letter("ben@example.org", 2)) != token_in(letter)

    def test_an_invitation_leads_to_the_host_of_the_organisation(self, house, mail):
        smiths = house.make_org("Smiths", "smiths.test")
        made = house.post(f"/api/users?org={smiths['id']}", {"email": "sue@example.org", "invite": True}, house.root)
        assert made.status == 201
        letter = mail.wait_for_letter("sue@example.org")
        assert link_in(letter).startswith("https://smiths.test/auth/link#")

    def test_nobody_is_invited_unless_it_is_asked_for(self, house, mail, ann):
        ask(house, "root@example.org")
        mail.wait_for_letter("root@example.org")
        assert mail.letters_to(ann.email) == []


class TestLetters:
    def test_one_says_the_same_in_text_and_in_html(self, house, mail):
        name = "Ann <b>Ö</b>"
        house.make_user("ann@example.org", name=name)
        asked_from = from_address("198.51.100.7")
        assert house.post("/api/auth/request-link", {"email": "ann@example.org"}, headers=asked_from).status == 202
        letter = mail.wait_for_letter("ann@example.org")
        assert letter.get_content_type() == "multipart/alternative"
        assert (str(letter["From"]), letter["Subject"]) == (SENDER, "Sign in to Atrium")
        assert letter["Date"] is not None and letter["Message-ID"].endswith("@example.org>")
        text, page = text_of(letter), text_of(letter, "html")
        assert name in text and "198.51.100.7" in text
        assert "<b>Ö</b>" not in page and "&lt;b&gt;Ö&lt;/b&gt;" in page
        assert link_in(letter) in page

    def test_a_name_adds_no_header(self, house, mail):
        house.make_user("ann@example.org", name="Ann\r\nBcc: evil@evil.test")
        ask(house, "ann@example.org")
        letter = mail.wait_for_letter("ann@example.org")
        assert letter["Bcc"] is None

    def test_letters_wait_while_the_mail_server_fails(self, house, mail):
        people = [house.make_user(f"u{number}@example.org", password=None) for number in range(8)]
        mail.hold()
        for person in people:
            ask(house, person.email)
        eventually(lambda: mail.handed == 1)
        mail.answer = "drop"
        mail.release()
        # Three failures in a row end a run, and a second run may follow: the last two letters were never tried.
        eventually(lambda: mail.handed >= 3)
        eventually(lambda: "put off" in house.atrium("jobs", "history", "mail.deliver").stdout)
        assert mail.letters == []
        mail.answer = "250 OK"
        house.run_job("mail.deliver")
        for person in people[-2:]:
            assert consume(house, token_in(mail.wait_for_letter(person.email))).status == 200

    def test_letters_outlive_the_server_that_was_to_send_them(self, house, mail, make_server):
        people = [house.make_user(f"u{number}@example.org", password=None) for number in range(3)]
        mail.hold()
        for person in people:
            ask(house, person.email)
        eventually(lambda: mail.handed == 1)
        # The first letter is under way and will be tried again in a minute; the others were not begun.
        house.server.stop()
        mail.release()
        house.server = make_server(config=mail.config(), data=house.server.data)
        house.run_job("mail.deliver")
        for person in people[1:]:
            assert consume(house, token_in(mail.wait_for_letter(person.email))).status == 200

    @pytest.mark.parametrize("answer, outcome", [
        ("451 Later", "1 put off"), ("550 Never", "1 refused"), ("drop", "1 put off")])
    def test_what_the_mail_server_says_decides(self, house, mail, ann, answer, outcome):
        mail.answer = answer
        ask(house, ann.email)
        eventually(lambda: outcome in house.atrium("jobs", "history", "mail.deliver").stdout)
        assert mail.letters == []

    def test_for_development_letters_become_files(self, make_server, tmp_path):
        folder = tmp_path / "letters"
        house = start_house(make_server, {"mail": {"transport": "file", "from": SENDER, "folder": str(folder)}})
        ann = house.make_user("ann@example.org")
        ask(house, ann.email)
        (file,) = eventually(lambda: list(folder.glob("*.eml")) if folder.is_dir() else [])
        letter = parse_letter(file.read_bytes())
        assert letter["To"] == ann.email
        assert link_in(letter).startswith(house.server.url)
        assert consume(house, token_in(letter)).status == 200
