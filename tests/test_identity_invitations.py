# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Invitations as administrators see them: whom an organisation takes in, who waits, and what is written down."""

import pytest
from calendar_client import CalendarClient, done, refused, verified
from exported_store import rewrite
from identity_client import PASSWORD, Person, basic, bearer, from_address, session, start_house, start_server
from mail_server import MailServer, link_in, text_of, token_in
from running_server import eventually

PUBLIC = {"identity": {"public_url": "https://atrium.test"}}
ALL = "/api/admin/invitations"
RULES = "/api/admin/invitation-settings"


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


def token_of(link: str) -> str:
    return link.partition("#token=")[2]


def invite(house, email: str | None = "new@example.org", who=None, **more) -> dict:
    body = {} if email is None else {"email": email}
    return done(house.post(ALL, body, who or house.root, **more), 201)


def look(house, token: str, **more):
    return house.post("/api/join/look", {"token": token}, **more)


def join(house, token: str, host: str | None = None, headers: dict | None = None, **more):
    body = {"token": token, "name": "New", "password": PASSWORD} | more
    return house.post("/api/join", body, host=host, headers=headers)


def listed(house, query: str = "", who=None) -> list[dict]:
    return done(house.get(ALL + query, who or house.root))["invitations"]


class TestIntoAnOrganisation:
    def test_an_administrator_invites_without_mail_by_a_link(self, silent):
        made = invite(silent)
        assert (made["delivery"], made["state"], made["email"]) == ("off", "open", "new@example.org")
        assert made["link"].startswith("https://atrium.test/join#token=ati_")
        seen = done(look(silent, token_of(made["link"])))
        assert (seen["kind"], seen["label"], seen["organisation"]) == ("organisation", "Default", "Default")
        answer = join(silent, token_of(made["link"]))
        assert done(answer, 201)["return_to"] == "/"
        me = silent.get("/api/me", session(answer.json()["session_id"])).json()["user"]
        assert (me["email"], me["name"], me["role"]) == ("new@example.org", "New", "user")
        (one,) = listed(silent)
        assert (one["id"], one["state"]) == (made["id"], "accepted") and "link" not in one
        verified(silent)

    def test_and_with_mail_by_a_letter(self, house, mail):
        invite(house)
        letter = mail.wait_for_letter("new@example.org")
        assert "root" in letter["Subject"] and "join Default" in letter["Subject"]
        eventually(lambda: listed(house)[0]["delivery"] == "handed_over")
        done(join(house, token_in(letter)), 201)

    def test_who_has_an_account_is_not_invited_to_get_one(self, silent):
        silent.make_user("bob@example.org")
        refused(silent.post(ALL, {"email": "Bob@example.org"}, silent.root), 409, "email")
        refused(silent.post(ALL, {"email": "nobody"}, silent.root), 400)
        assert listed(silent) == []

    def test_only_administrators_do_that(self, silent):
        bob = silent.sign_in(silent.make_user("bob@example.org"))
        for method, path in (("POST", ALL), ("GET", ALL), ("GET", RULES), ("GET", "/api/admin/applicants")):
            assert silent.call(method, path, {} if method == "POST" else None, bob).status == 403


class TestLookingAfterThem:
    def test_they_are_sent_again_shown_again_and_withdrawn(self, house, mail):
        made = invite(house)
        first = token_in(mail.wait_for_letter("new@example.org"))
        done(house.post(f"{ALL}/{made['id']}/resend", {}, house.root))
        second = token_in(mail.wait_for_letter("new@example.org", 2))
        assert look(house, first).status == 404
        link = done(house.post(f"{ALL}/{made['id']}/link", {}, house.root))["link"]
        assert look(house, token_of(made["link"])).status == 404
        assert done(look(house, second))["state"] == "open"
        assert house.delete(f"{ALL}/{made['id']}", house.root).status == 204
        for token in (second, token_of(link)):
            assert done(look(house, token)) == {"state": "revoked", "has_account": False}
            refused(join(house, token), 409, "taken back")
        refused(house.delete(f"{ALL}/{made['id']}", house.root), 409)
        refused(house.post(f"{ALL}/{made['id']}/resend", {}, house.root), 409)
        assert listed(house)[0]["state"] == "revoked"

    def test_withdrawing_an_invitation_to_a_calendar_takes_it_from_the_calendar(self, silent):
        ann = CalendarClient(silent, silent.make_user("ann@example.org", name="Ann"))
        work = ann.make_calendar("Work")
        done(ann.invite(work, "new@example.org"), 201)
        (one,) = listed(silent)
        assert (one["inviter"], one["target"]["label"], one["role"]) == ("Ann", "Work", "reader")
        assert silent.delete(f"{ALL}/{one['id']}", silent.root).status == 204
        assert list(ann.members(work)) == [ann.email]
        done(ann.invite(work, "new@example.org"), 201)
        verified(silent)

    def test_they_are_listed_newest_first_in_pages(self, silent):
        for number in range(3):
            invite(silent, f"n{number}@example.org")
        page = done(silent.get(ALL + "?limit=2", silent.root))
        assert [one["email"] for one in page["invitations"]] == ["n2@example.org", "n1@example.org"]
        rest = done(silent.get(f"{ALL}?limit=2&after={page['after']}", silent.root))
        assert [one["email"] for one in rest["invitations"]] == ["n0@example.org"] and "after" not in rest

    def test_what_happened_is_written_down_without_secrets(self, silent):
        made = invite(silent)
        done(join(silent, token_of(made["link"])), 201)
        assert silent.audit_actions(f"invitation:{made['id']}") == ["invitation.created", "invitation.accepted"]
        assert token_of(made["link"]) not in str(silent.audit())


class TestCommands:
    def test_they_are_listed_and_taken_back(self, silent):
        made = invite(silent)
        shown = silent.atrium("invitation", "list")
        assert made["id"] in shown.stdout and "off" in shown.stdout, shown.stdout + shown.stderr
        assert silent.atrium("invitation", "revoke", made["id"]).returncode == 0
        assert listed(silent)[0]["state"] == "revoked"
        again = silent.atrium("invitation", "revoke", made["id"])
        assert again.returncode != 0 and "taken back" in again.stderr


class TestAnotherOrganisation:
    def test_a_link_works_on_the_hosts_of_its_organisation_only(self, silent):
        org = silent.make_org("Elsewhere", "elsewhere.test")
        boss = silent.make_user("boss@elsewhere.test", "admin", org)
        made = done(silent.post(ALL, {"email": "new@example.org"}, silent.sign_in(boss), host="elsewhere.test"), 201)
        assert made["link"].startswith("https://elsewhere.test/join#token=")
        token = token_of(made["link"])
        assert look(silent, token).status == 404
        refused(join(silent, token), 404)
        done(join(silent, token, host="elsewhere.test"), 201)
        assert silent.log_in("new@example.org", host="elsewhere.test").status == 200

    def test_whoever_is_let_in_is_sent_to_their_own_host(self, house, mail):
        org = house.make_org("Elsewhere", "elsewhere.test")
        boss = CalendarClient(house, house.make_user("boss@elsewhere.test", "admin", org))
        made = done(house.post(ALL, {}, boss.who, host="elsewhere.test"), 201)
        house.call("PUT", f"{RULES}?org={org['id']}", {"who": "anybody", "proof": "approval"}, house.root)
        done(join(house, token_of(made["link"]), host="elsewhere.test", email="new@example.org"), 202)
        (one,) = done(house.get(f"/api/admin/applicants?org={org['id']}", house.root))["applicants"]
        done(house.post(f"/api/admin/applicants/{one['id']}/approve", {}, house.root))
        assert "https://elsewhere.test/login" in text_of(mail.wait_for_letter("new@example.org"))

    def test_its_administrators_see_nothing_of_others(self, silent):
        org = silent.make_org("Elsewhere", "elsewhere.test")
        boss = silent.sign_in(silent.make_user("boss@elsewhere.test", "admin", org))
        made = invite(silent)
        assert listed_there(silent, boss) == []
        for path in (f"{ALL}/{made['id']}/link", f"{ALL}/{made['id']}/resend"):
            assert silent.post(path, {}, boss, host="elsewhere.test").status == 404
        assert silent.delete(f"{ALL}/{made['id']}", boss, host="elsewhere.test").status == 404

    def test_an_address_of_another_organisation_gets_no_second_account(self, silent):
        org = silent.make_org("Elsewhere", "elsewhere.test")
        silent.make_user("eve@example.org", org=org)
        boss = CalendarClient(silent, silent.make_user("boss@example.org", "admin"))
        work = boss.make_calendar("Work")
        link = done(boss.invite(work, "eve@example.org"), 201)["invitation"]["link"]
        assert done(look(silent, token_of(link)))["has_account"] is False
        refused(join(silent, token_of(link)), 409, "email")


def listed_there(house, who) -> list[dict]:
    return done(house.get(ALL, who, host="elsewhere.test"))["invitations"]


class TestRules:
    @pytest.fixture
    def ann(self, silent):
        return CalendarClient(silent, silent.make_user("ann@example.org", name="Ann"))

    def put(self, house, **rules):
        return done(house.call("PUT", RULES, {"who": "anybody", "proof": "letter"} | rules, house.root))

    def test_anybody_may_invite_unless_the_organisation_decides_otherwise(self, silent):
        assert done(silent.get(RULES, silent.root)) == {"who": "anybody", "proof": "letter", "mail": False}

    def test_administrators_only(self, silent, ann):
        self.put(silent, who="administrators")
        work = ann.make_calendar("Work")
        silent.make_user("bob@example.org")
        refused(ann.invite(work, "new@example.org"), 403, "only administrators")
        refused(ann.post(f"/api/calendars/{work}/links", {"role": "reader"}), 403, "only administrators")
        assert list(ann.members(work)) == [ann.email]
        done(ann.invite(work, "bob@example.org"), 201)
        invite(silent)

    def test_closed(self, silent, ann):
        made = invite(silent)
        work = ann.make_calendar("Work")
        self.put(silent, who="closed")
        refused(ann.invite(work, "other@example.org"), 403, "nobody new")
        refused(silent.post(ALL, {"email": "other@example.org"}, silent.root), 403, "nobody new")
        # Also those who were invited before; but who has an account may come.
        refused(join(silent, token_of(made["link"])), 403, "decided")
        bob = silent.make_user("bob@example.org")
        link = done(ann.invite(work, bob.email), 201)["invitation"]["link"]
        done(silent.post("/api/join/accept", {"token": token_of(link)}, silent.sign_in(bob)))
        assert ann.members(work)[bob.email] == ("reader", "active")

    def test_closed_also_to_whoever_asked_before(self, house, mail):
        ann = CalendarClient(house, house.make_user("ann@example.org", name="Ann"))
        work = ann.make_calendar("Work")
        link = done(ann.post(f"/api/calendars/{work}/links", {"role": "reader"}), 201)["invitation"]["link"]
        who = session(done(join(house, token_of(link), email="new@example.org"), 202)["session_id"])
        proof = token_in(mail.wait_for_letter("new@example.org"))
        self.put(house, who="closed")
        refused(house.post("/api/join/confirm", {"token": proof}, who), 403, "decided")
        self.put(house, who="administrators")
        refused(house.post("/api/join/confirm", {"token": proof}, who), 403, "decided")
        self.put(house)
        done(house.post("/api/join/confirm", {"token": proof}, who), 201)

    def test_approval_instead_of_a_letter(self, house, mail):
        self.put(house, proof="approval")
        ann = CalendarClient(house, house.make_user("ann@example.org", name="Ann"))
        work = ann.make_calendar("Work")
        link = done(ann.post(f"/api/calendars/{work}/links", {"role": "reader"}), 201)["invitation"]["link"]
        waiting = done(join(house, token_of(link), email="new@example.org"), 202)
        assert waiting["awaits"] == "approval"
        (one,) = done(house.get("/api/admin/applicants", house.root))["applicants"]
        done(house.post(f"/api/admin/applicants/{one['id']}/approve", {}, house.root))
        assert "let you in" in text_of(mail.wait_for_letter("new@example.org"))
        refused(house.post(f"/api/admin/applicants/{one['id']}/approve", {}, house.root), 409, "decided")
        assert house.log_in("new@example.org").status == 200

    def test_who_is_turned_away_has_no_account_and_no_invitation(self, silent, ann):
        work = ann.make_calendar("Work")
        link = done(ann.invite(work, "new@example.org"), 201)["invitation"]["link"]
        waiting = done(join(silent, token_of(link)), 202)
        (one,) = done(silent.get("/api/admin/applicants", silent.root))["applicants"]
        assert silent.delete(f"/api/admin/applicants/{one['id']}", silent.root).status == 204
        assert silent.get("/api/join/waiting", session(waiting["session_id"])).status == 404
        assert silent.log_in("new@example.org").status == 401
        refused(join(silent, token_of(link)), 409, "taken back")
        assert list(ann.members(work)) == [ann.email]
        verified(silent)

    def test_nonsense_is_refused(self, silent):
        for rules in ({"who": "everybody"}, {"proof": "none"}):
            assert silent.call("PUT", RULES, {"who": "anybody", "proof": "letter"} | rules, silent.root).status == 400
        own = silent.get("/api/me", silent.root).json()["org"]["id"]
        refused(silent.patch(f"/api/orgs/{own}", {"settings": {"invitations.who": "x"}}, silent.root), 400, "settings")


class TestWhoVouchesForAnAddress:
    """An administrator who makes a link for an address says whose it is. Nobody else does, whoever invited first."""

    @pytest.fixture
    def boss(self, house):
        return CalendarClient(house, house.make_user("boss@example.org", "admin", name="Boss"))

    @pytest.fixture
    def bob(self, house):
        return CalendarClient(house, house.make_user("bob@example.org", name="Bob"))

    @pytest.fixture
    def work(self, boss, bob):
        """A calendar that both own."""
        calendar = boss.make_calendar("Work")
        boss.share(calendar, bob, "owner")
        return calendar

    def renewed(self, who, calendar: str, deed: str = "link"):
        return who.post(f"/api/calendars/{calendar}/members/victim%40example.org/{deed}")

    def test_a_member_who_renews_the_link_of_an_administrator_does_not(self, house, boss, bob, work):
        first = done(boss.invite(work, "victim@example.org"), 201)["invitation"]["link"]
        assert "proof" not in done(look(house, token_of(first)))
        link = done(self.renewed(bob, work))["invitation"]["link"]
        seen = done(look(house, token_of(link)))
        assert (seen["proof"], seen["inviter"]) == ("letter", "Bob")
        done(join(house, token_of(link)), 202)
        assert house.log_in("victim@example.org").status == 401

    def test_an_administrator_who_renews_that_of_a_member_does(self, house, boss, bob, work):
        done(bob.invite(work, "victim@example.org"), 201)
        link = done(self.renewed(boss, work))["invitation"]["link"]
        assert "proof" not in done(look(house, token_of(link)))
        done(join(house, token_of(link)), 201)

    def test_an_administrators_app_password_for_calendars_does_not(self, house, boss, work):
        made = house.make_token(boss.who, type="app_password", scopes=["calendars:write"])
        program = CalendarClient(house, boss.person, basic(boss.email, made["token"]))
        link = done(program.invite(work, "victim@example.org"), 201)["invitation"]["link"]
        assert done(look(house, token_of(link)))["proof"] == "letter"
        assert "proof" not in done(look(house, token_of(done(self.renewed(boss, work))["invitation"]["link"])))

    def test_a_letter_says_nothing_about_the_link_of_somebody_else(self, house, boss, bob, work):
        link = done(bob.invite(work, "victim@example.org"), 201)["invitation"]["link"]
        done(self.renewed(boss, work, "resend"))
        assert done(look(house, token_of(link)))["proof"] == "letter"
        done(self.renewed(boss, work))
        own = done(self.renewed(boss, work))["invitation"]["link"]
        done(self.renewed(boss, work, "resend"))
        assert "proof" not in done(look(house, token_of(own)))

    def test_whoever_renews_must_be_let_invite(self, house, boss, bob, work):
        done(boss.invite(work, "victim@example.org"), 201)
        rules = {"who": "administrators", "proof": "letter"}
        done(house.call("PUT", RULES, rules, house.root))
        for deed in ("link", "resend"):
            refused(self.renewed(bob, work, deed), 403, "only administrators")
            done(self.renewed(boss, work, deed))


class TestTrying:
    def test_links_that_are_none_are_counted(self, silent):
        statuses = [look(silent, f"ati_{'x' * 43}", headers=from_address("192.0.2.9")).status for _ in range(7)]
        assert statuses[:5] == [404] * 5 and statuses[-1] == 429

    def test_right_links_are_not(self, silent):
        token = token_of(invite(silent)["link"])
        for _ in range(40):
            assert look(silent, token, headers=from_address("192.0.2.8")).status == 200

    def test_bad_input_is_named_and_loses_nothing(self, silent):
        token = token_of(invite(silent)["link"])
        refused(join(silent, token, password="short"), 400, "password")
        refused(join(silent, token, email="other@example.org"), 400, "email")
        refused(join(silent, token, time_zone="Mars/Base"), 400)
        assert silent.post("/api/join", {"token": token}).status == 400
        done(join(silent, token), 201)

    def test_a_token_accepts_nothing(self, silent):
        ann, bob = (CalendarClient(silent, silent.make_user(f"{name}@example.org")) for name in ("ann", "bob"))
        work = ann.make_calendar("Work")
        link = done(ann.invite(work, bob.email), 201)["invitation"]["link"]
        token = bearer(silent.make_token(bob.who, scopes=["account:write"])["token"])
        refused(silent.post("/api/join/accept", {"token": token_of(link)}, token), 403)

    def test_the_letter_and_the_link_lead_to_the_configured_address(self, house, mail):
        invite(house, headers={"Host": "evil.test:1234"})
        assert link_in(mail.wait_for_letter("new@example.org")).startswith("https://atrium.test/join")


def test_a_letter_without_mail_is_refused_also_where_the_invitation_was_forgotten(silent, make_server):
    ann = CalendarClient(silent, silent.make_user("ann@example.org", name="Ann"))
    work = ann.make_calendar("Work")
    done(ann.invite(work, "new@example.org"), 201)
    forget_invitations(silent, make_server)
    one = f"/api/calendars/{work}/members/new%40example.org"
    refused(ann.post(f"{one}/resend"), 503, "no mail")
    assert listed(silent) == []
    link = done(ann.post(f"{one}/link"))["invitation"]["link"]
    assert done(look(silent, token_of(link)))["label"] == "Work"
    refused(ann.post(f"{one}/resend"), 503, "no mail")
    verified(silent)


def forget_invitations(house, make_server) -> None:
    """Starts again on a store that has no invitations any more, as long after they have expired."""
    house.server.stop()
    file = house.server.folder / "store.export"
    assert house.atrium("store", "export", file).returncode == 0
    rewrite(file, lambda row: None if row["table"].startswith("invitations") else row)
    assert house.atrium("store", "import", file, "--replace").returncode == 0
    house.server = start_server(make_server, PUBLIC, data=house.server.data)


def test_a_person_who_waits_is_nobody_else(silent):
    """The provisional session opens nothing but its own waiting."""
    ann = CalendarClient(silent, silent.make_user("ann@example.org", name="Ann"))
    work = ann.make_calendar("Work")
    link = done(ann.invite(work, "new@example.org"), 201)["invitation"]["link"]
    who = session(done(join(silent, token_of(link)), 202)["session_id"])
    me = done(silent.get("/api/me", who))
    assert (me["credential"], me["role"], me.get("user")) == ("provisional", "guest", None)
    for path in ("/api/calendars/me", "/api/tokens", "/api/users", "/api/invitations", "/api/me/sessions"):
        assert silent.get(path, who).status == 403, path
    assert silent.post("/api/auth/logout", {}, who).status == 204
    assert not silent.knows(who)


def test_people_are_told_apart_by_their_own_accounts(silent):
    """Accepting is for the account itself, whichever browser made it."""
    made = invite(silent)
    answer = join(silent, token_of(made["link"]))
    me = silent.get("/api/me", session(answer.json()["session_id"])).json()["user"]
    assert silent.sign_in(Person(me["id"], me["email"], me["role"]))
