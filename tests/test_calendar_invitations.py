# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Inviting people to calendars: what the host is told, with mail, without, and when it fails; and whom that lets in."""

import concurrent.futures
import urllib.parse

import pytest
from calendar_client import CalendarClient, done, refused, verified
from identity_client import PASSWORD, Person, session, start_house
from mail_server import MailServer, link_in, text_of, token_in
from running_server import eventually

PUBLIC = {"identity": {"public_url": "https://atrium.test"}}


@pytest.fixture
def mail():
    with MailServer() as server:
        yield server


@pytest.fixture
def silent(make_server):
    """A server that sends no mail."""
    return start_house(make_server, PUBLIC)


@pytest.fixture
def house(make_server, mail):
    return start_house(make_server, mail.config() | PUBLIC)


def client(house, email: str = "ann@example.org", role: str = "user", name: str = "Ann") -> CalendarClient:
    return CalendarClient(house, house.make_user(email, role, name=name))


def member(calendar: str, who: str, deed: str = "") -> str:
    return f"/api/calendars/{calendar}/members/{urllib.parse.quote(who, safe='')}{deed}"


def token_of(link: str) -> str:
    base, _, token = link.partition("#token=")
    assert base == "https://atrium.test/join", link
    return token


def join(house, token: str, **more):
    return house.post("/api/join", {"token": token, "name": "New", "password": PASSWORD} | more)


def joined(house, answer, email: str) -> CalendarClient:
    """Whoever got in by it."""
    body = done(answer, 201)
    who = session(body["session_id"])
    me = house.get("/api/me", who).json()["user"]
    assert me["email"] == email
    return CalendarClient(house, Person(me["id"], email, me["role"]), who)


def invitation_of(host: CalendarClient, calendar: str, email: str) -> dict:
    listed = done(host.get(f"/api/calendars/{calendar}/members"))["members"]
    (one,) = [one for one in listed if one["email"] == email]
    return one["invitation"]


class TestWithoutMail:
    def test_nothing_is_said_to_be_sent_and_there_is_a_link(self, silent):
        ann = client(silent)
        work = ann.make_calendar("Work")
        invited = done(ann.invite(work, "new@example.org", "writer"), 201)
        assert invited["invitation"]["delivery"] == "off"
        assert invited["invitation"]["state"] == "open"
        token_of(invited["invitation"]["link"])
        listed = invitation_of(ann, work, "new@example.org")
        assert listed["delivery"] == "off" and "link" not in listed
        refused(ann.post(member(work, "new@example.org", "/resend")), 503, "no mail")
        assert "sent" not in str(invited)

    def test_whoever_an_administrator_invites_stands_in_the_calendar_at_once(self, silent):
        boss = client(silent, "boss@example.org", "admin", "Boss")
        work = boss.make_calendar("Work")
        entry = boss.make_entry(work)
        link = done(boss.invite(work, "new@example.org", "writer"), 201)["invitation"]["link"]
        seen = done(silent.post("/api/join/look", {"token": token_of(link)}))
        assert seen == {"state": "open", "email": "new@example.org", "inviter": "Boss", "inviter_email": boss.email,
                        "kind": "calendar", "label": "Work", "role": "writer", "organisation": "Default",
                        "has_account": False}
        answer = join(silent, token_of(link))
        assert answer.json()["return_to"] == "/calendar"
        assert answer.header("set-cookie").startswith("session=")
        new = joined(silent, answer, "new@example.org")
        assert done(new.get(f"/api/entries/{entry['id']}"))["id"] == entry["id"]
        assert boss.members(work) == {boss.email: ("owner", "active"), new.email: ("writer", "active")}
        assert silent.log_in("new@example.org").status == 200
        refused(join(silent, token_of(link)), 409, "used")
        verified(silent)

    def test_whoever_a_member_invites_waits_for_an_administrator(self, silent):
        ann = client(silent)
        work = ann.make_calendar("Work")
        link = done(ann.invite(work, "new@example.org", "reader"), 201)["invitation"]["link"]
        assert done(silent.post("/api/join/look", {"token": token_of(link)}))["proof"] == "approval"
        waiting = done(join(silent, token_of(link)), 202)
        assert waiting["awaits"] == "approval" and "return_to" not in waiting
        who = session(waiting["session_id"])
        # Nobody yet: no account, and nothing to see.
        assert silent.log_in("new@example.org").status == 401
        assert silent.get("/api/calendars/me", who).status == 403
        assert done(silent.get("/api/join/waiting", who))["state"] == "waiting"
        refused(silent.post("/api/join/enter", {}, who), 409, "not decided")
        assert invitation_of(ann, work, "new@example.org")["state"] == "requested"
        (one,) = done(silent.get("/api/admin/applicants", silent.root))["applicants"]
        assert (one["email"], one["name"], one["inviter"], one["to"]) == ("new@example.org", "New", "Ann", "Work")
        assert silent.post(f"/api/admin/applicants/{one['id']}/approve", {}, ann.who).status == 403
        done(silent.post(f"/api/admin/applicants/{one['id']}/approve", {}, silent.root))
        assert done(silent.get("/api/admin/applicants", silent.root))["applicants"] == []
        assert done(silent.get("/api/join/waiting", who))["state"] == "admitted"
        new = joined(silent, silent.post("/api/join/enter", {}, who), "new@example.org")
        assert done(new.get(f"/api/calendars/{work}"))["name"] == "Work"
        assert silent.get("/api/join/waiting", who).status == 404
        verified(silent)

    def test_a_link_for_nobody_in_particular_asks_for_the_address(self, silent):
        boss = client(silent, "boss@example.org", "admin", "Boss")
        work = boss.make_calendar("Work")
        made = done(boss.post(f"/api/calendars/{work}/links", {"role": "reader"}), 201)
        token = token_of(made["invitation"]["link"])
        assert made["invitation"]["delivery"] == "by_hand"
        seen = done(silent.post("/api/join/look", {"token": token}))
        assert "email" not in seen and seen["proof"] == "approval"
        refused(join(silent, token), 400, "address")
        done(join(silent, token, email="typo@example.org"), 202)
        # A mistyped address can be put right; whoever asked before waits no more.
        done(join(silent, token, email="New@Example.org"), 202)
        (one,) = done(silent.get("/api/admin/applicants", silent.root))["applicants"]
        assert one["email"] == "new@example.org"
        done(silent.post(f"/api/admin/applicants/{one['id']}/approve", {}, silent.root))
        assert boss.members(work) == {boss.email: ("owner", "active"), "new@example.org": ("reader", "active")}
        verified(silent)

    def test_a_link_for_nobody_is_accepted_by_whoever_is_signed_in(self, silent):
        ann, bob = client(silent), client(silent, "bob@example.org", name="Bob")
        work = ann.make_calendar("Work")
        link = done(ann.post(f"/api/calendars/{work}/links", {"role": "writer"}), 201)["invitation"]["link"]
        assert done(bob.post("/api/join/accept", {"token": token_of(link)})) == {"return_to": "/calendar"}
        assert ann.members(work)[bob.email] == ("writer", "active")
        refused(ann.post("/api/join/accept", {"token": token_of(link)}), 409, "used")
        verified(silent)

    def test_a_link_for_nobody_is_withdrawn_by_its_number(self, silent):
        ann = client(silent)
        work = ann.make_calendar("Work")
        made = done(ann.post(f"/api/calendars/{work}/links", {"role": "writer"}), 201)
        done(ann.delete(member(work, made["invitation_id"])), 204)
        assert list(ann.members(work)) == [ann.email]
        assert done(silent.post("/api/join/look", {"token": token_of(made["invitation"]["link"])})) == {
            "state": "revoked", "has_account": False}
        refused(join(silent, token_of(made["invitation"]["link"]), email="x@example.org"), 409, "taken back")
        verified(silent)


class TestWithMail:
    def test_the_letter_names_the_person_and_its_link_lets_in_at_once(self, house, mail):
        ann = client(house)
        work = ann.make_calendar("Work")
        invited = done(ann.invite(work, "new@example.org", "writer"), 201)
        assert invited["invitation"]["delivery"] == "queued"
        letter = mail.wait_for_letter("new@example.org")
        assert letter["Subject"] == 'Ann invites you to the calendar "Work"'
        assert f"Ann ({ann.email})" in text_of(letter)
        assert link_in(letter).startswith("https://atrium.test/join#token=ati_")
        eventually(lambda: invitation_of(ann, work, "new@example.org")["delivery"] == "handed_over")
        new = joined(house, join(house, token_in(letter)), "new@example.org")
        assert done(new.get(f"/api/calendars/{work}"))["name"] == "Work"
        # The link that Ann sees is another one, of the same invitation.
        refused(join(house, token_of(invited["invitation"]["link"])), 409, "used")
        verified(house)

    def test_the_link_that_the_host_sees_does_not_prove_the_address(self, house, mail):
        ann = client(house)
        work = ann.make_calendar("Work")
        link = done(ann.invite(work, "victim@example.org"), 201)["invitation"]["link"]
        waiting = done(join(house, token_of(link)), 202)
        assert waiting["awaits"] == "letter"
        assert house.log_in("victim@example.org").status == 401
        proof = mail.wait_for_letter("victim@example.org", 2)
        assert link_in(proof).startswith("https://atrium.test/join/confirm#token=")
        # The owner of the mailbox did not choose the password, and is not in the browser that asked.
        refused(house.post("/api/join/confirm", {"token": token_in(proof)}), 401, "password")
        refused(house.post("/api/join/confirm", {"token": token_in(proof), "password": "something else"}), 401)
        done(house.post("/api/join/confirm", {"token": token_in(proof)}, session(waiting["session_id"])), 201)
        refused(house.post("/api/join/confirm", {"token": token_in(proof), "password": PASSWORD}), 404)
        assert house.log_in("victim@example.org").status == 200

    def test_the_letter_that_proves_works_in_another_browser_with_the_password(self, house, mail):
        ann = client(house)
        work = ann.make_calendar("Work")
        link = done(ann.post(f"/api/calendars/{work}/links", {"role": "reader"}), 201)["invitation"]["link"]
        done(join(house, token_of(link), email="new@example.org"), 202)
        proof = token_in(mail.wait_for_letter("new@example.org"))
        new = joined(house, house.post("/api/join/confirm", {"token": proof, "password": PASSWORD}), "new@example.org")
        assert ann.members(work)[new.email] == ("reader", "active")
        verified(house)

    def test_nobody_is_sent_letters_without_end_by_one_link(self, house, mail):
        ann = client(house)
        work = ann.make_calendar("Work")
        link = done(ann.post(f"/api/calendars/{work}/links", {"role": "reader"}), 201)["invitation"]["link"]
        for number in range(5):
            done(join(house, token_of(link), email=f"n{number}@example.org"), 202)
        refused(join(house, token_of(link), email="n6@example.org"), 409, "too often")
        # A new link begins anew, and whoever asked with the one before it waits no more.
        last = token_in(mail.wait_for_letter("n4@example.org"))
        (one,) = done(house.get("/api/admin/invitations", house.root))["invitations"]
        link = done(ann.post(member(work, one["id"], "/link")))["invitation"]["link"]
        refused(house.post("/api/join/confirm", {"token": last, "password": PASSWORD}), 404)
        (one,) = done(house.get("/api/admin/invitations", house.root))["invitations"]
        assert one["state"] == "open"
        done(join(house, token_of(link), email="n6@example.org"), 202)
        proof = token_in(mail.wait_for_letter("n6@example.org"))
        joined(house, house.post("/api/join/confirm", {"token": proof, "password": PASSWORD}), "n6@example.org")
        verified(house)

    def test_a_letter_that_is_refused_is_said_to_be_and_can_be_sent_again(self, house, mail):
        ann = client(house)
        work = ann.make_calendar("Work")
        mail.answer = "550 no such mailbox"
        done(ann.invite(work, "new@example.org"), 201)
        eventually(lambda: invitation_of(ann, work, "new@example.org")["delivery"] == "failed")
        assert "550" in invitation_of(ann, work, "new@example.org")["delivery_reason"]
        mail.answer = "250 OK"
        again = done(ann.post(member(work, "new@example.org", "/resend")))
        assert (again["invitation"]["delivery"], again["invitation"]["resends"]) == ("queued", 1)
        assert "link" not in again["invitation"]
        letter = mail.wait_for_letter("new@example.org")
        eventually(lambda: invitation_of(ann, work, "new@example.org")["delivery"] == "handed_over")
        assert "delivery_reason" not in invitation_of(ann, work, "new@example.org")
        joined(house, join(house, token_in(letter)), "new@example.org")

    def test_a_letter_that_waits_says_why(self, house, mail):
        ann = client(house)
        work = ann.make_calendar("Work")
        mail.answer = "451 later"
        done(ann.invite(work, "new@example.org"), 201)
        eventually(lambda: "451" in invitation_of(ann, work, "new@example.org").get("delivery_reason", ""))
        assert invitation_of(ann, work, "new@example.org")["delivery"] == "queued"

    def test_a_letter_sent_again_replaces_the_one_before_it(self, house, mail):
        ann = client(house)
        work = ann.make_calendar("Work")
        done(ann.invite(work, "new@example.org"), 201)
        first = token_in(mail.wait_for_letter("new@example.org"))
        done(ann.post(member(work, "new@example.org", "/resend")))
        second = token_in(mail.wait_for_letter("new@example.org", 2))
        refused(join(house, first), 404, "newer")
        joined(house, join(house, second), "new@example.org")

    def test_a_new_link_replaces_the_one_before_it(self, house, mail):
        ann, bob = client(house), client(house, "bob@example.org", name="Bob")
        work = ann.make_calendar("Work")
        first = done(ann.invite(work, bob.email), 201)["invitation"]["link"]
        second = done(ann.post(member(work, bob.id, "/link")))["invitation"]["link"]
        refused(bob.post("/api/join/accept", {"token": token_of(first)}), 404)
        done(bob.post("/api/join/accept", {"token": token_of(second)}))
        assert ann.members(work)[bob.email] == ("reader", "active")
        refused(ann.post(member(work, bob.id, "/link")), 409, "member already")


class TestOnceOnly:
    def test_of_two_tabs_at_once_one_wins(self, house, mail):
        ann = client(house)
        work = ann.make_calendar("Work")
        done(ann.invite(work, "new@example.org"), 201)
        token = token_in(mail.wait_for_letter("new@example.org"))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: join(house, token), range(4)))
        assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]
        for answer in answers:
            assert answer.status == 201 or "used" in answer.text or "sign in" in answer.text
        assert list(ann.members(work)) == [ann.email, "new@example.org"]
        verified(house)

    def test_the_same_request_twice_invites_once_and_tells_the_link_once(self, silent):
        ann = client(silent)
        work = ann.make_calendar("Work")
        key = {"Idempotency-Key": "invite"}
        body = {"email": "new@example.org", "role": "reader"}
        first, second = (done(ann.post(f"/api/calendars/{work}/members", body, headers=key), 201) for _ in range(2))
        assert "link" in first["invitation"] and "#token" not in str(second)
        assert second["invitation_id"] == first["invitation"]["id"]
        assert len(ann.members(work)) == 2

    def test_a_server_that_is_killed_has_all_of_it_or_none(self, house, mail, make_server):
        ann = client(house)
        work = ann.make_calendar("Work")
        link = done(ann.invite(work, "new@example.org"), 201)["invitation"]["link"]
        token = token_in(mail.wait_for_letter("new@example.org"))
        joined(house, join(house, token), "new@example.org")
        house.server.kill()
        checked = house.atrium("store", "verify", "--json")
        assert '"findings":0' in checked.stdout.replace(" ", ""), checked.stdout
        house.server = make_server(data=house.server.data, config=mail.config() | PUBLIC)
        assert ann.members(work)["new@example.org"] == ("reader", "active")
        refused(join(house, token_of(link)), 409, "used")
        assert house.log_in("new@example.org").status == 200


class TestWhoMayComeIn:
    def test_the_signed_in_account_must_be_the_one_that_is_invited(self, silent):
        ann, bob, eve = (client(silent, f"{name}@example.org", name=name.title()) for name in ("ann", "bob", "eve"))
        work = ann.make_calendar("Work")
        link = done(ann.invite(work, bob.email), 201)["invitation"]["link"]
        seen = done(silent.post("/api/join/look", {"token": token_of(link)}))
        assert seen["has_account"] is True
        refused(eve.post("/api/join/accept", {"token": token_of(link)}), 403, bob.email)
        done(bob.post("/api/join/accept", {"token": token_of(link)}))
        assert ann.members(work)[bob.email] == ("reader", "active")
        assert done(bob.get("/api/invitations"))["invitations"] == []

    def test_an_invitation_accepted_in_the_room_is_used(self, silent):
        ann, bob = client(silent), client(silent, "bob@example.org", name="Bob")
        work = ann.make_calendar("Work")
        link = done(ann.invite(work, bob.email), 201)["invitation"]["link"]
        done(bob.accept(work))
        refused(bob.post("/api/join/accept", {"token": token_of(link)}), 409, "used")
        (one,) = done(silent.get("/api/admin/invitations", silent.root))["invitations"]
        assert one["state"] == "accepted"

    def test_who_is_removed_meanwhile_has_a_link_that_is_worth_nothing(self, silent):
        boss = client(silent, "boss@example.org", "admin")
        work = boss.make_calendar("Work")
        link = done(boss.invite(work, "new@example.org"), 201)["invitation"]["link"]
        done(boss.delete(member(work, "new@example.org")), 204)
        refused(join(silent, token_of(link)), 409, "taken back")
        done(boss.invite(work, "new@example.org"), 201)

    def test_a_calendar_that_is_gone_lets_nobody_in(self, silent):
        boss = client(silent, "boss@example.org", "admin")
        work = boss.make_calendar("Work")
        link = done(boss.invite(work, "new@example.org"), 201)["invitation"]["link"]
        done(boss.delete(f"/api/calendars/{work}"))
        refused(join(silent, token_of(link)), 409, "gone")
        assert silent.log_in("new@example.org").status == 401

    def test_a_host_who_was_deactivated_lets_nobody_in(self, silent):
        boss = client(silent, "boss@example.org", "admin")
        work = boss.make_calendar("Work")
        link = done(boss.invite(work, "new@example.org"), 201)["invitation"]["link"]
        silent.patch(f"/api/users/{boss.id}", {"status": "deactivated"}, silent.root)
        refused(join(silent, token_of(link)), 409, "taken back")

    def test_only_owners_see_what_became_of_letters_and_make_links(self, silent):
        ann, bob = client(silent), client(silent, "bob@example.org", name="Bob")
        work = ann.make_calendar("Work")
        ann.share(work, bob, "writer")
        done(ann.invite(work, "new@example.org"), 201)
        listed = done(bob.get(f"/api/calendars/{work}/members"))["members"]
        assert not any("invitation" in one for one in listed)
        for deed in ("/link", "/resend"):
            refused(bob.post(member(work, "new@example.org", deed)), 403)
        refused(bob.post(f"/api/calendars/{work}/links", {"role": "reader"}), 403)

    def test_secrets_are_in_no_log(self, silent):
        boss = client(silent, "boss@example.org", "admin")
        work = boss.make_calendar("Work")
        token = token_of(done(boss.invite(work, "new@example.org"), 201)["invitation"]["link"])
        done(join(silent, token), 201)
        silent.server.stop()
        assert token not in silent.server.stderr() + silent.server.stdout()
