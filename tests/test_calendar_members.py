# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Who shares a calendar: invited, accepted, promoted, removed; and somebody always owns it."""

import concurrent.futures
import urllib.parse

import pytest
from calendar_client import CalendarClient, done, path_of, refused, verified
from identity_client import start_house
from mail_server import MailServer, text_of
from running_server import eventually


@pytest.fixture
def mail():
    with MailServer() as server:
        yield server


@pytest.fixture
def house(make_server, mail):
    return start_house(make_server, mail.config() | {"identity": {"public_url": "https://atrium.test"}})


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org", name="Ann"))


@pytest.fixture
def bob(house):
    return CalendarClient(house, house.make_user("bob@example.org", name="Bob"))


@pytest.fixture
def cat(house):
    return CalendarClient(house, house.make_user("cat@example.org", name="Cat"))


@pytest.fixture
def work(ann):
    return ann.make_calendar("Work")


def member(calendar: str, who: str) -> str:
    return f"/api/calendars/{calendar}/members/{urllib.parse.quote(who, safe='')}"


class TestInviting:
    def test_somebody_with_an_account_is_invited_by_a_letter(self, ann, bob, work, mail):
        invited = done(ann.invite(work, " Bob@Example.org", "writer"), 201)
        assert (invited["email"], invited["user_id"]) == (bob.email, bob.id)
        assert (invited["role"], invited["status"], invited["invited_by"]) == ("writer", "invited", ann.id)
        assert invited["calendar_id"] == work
        letter = mail.wait_for_letter(bob.email)
        assert "Work" in letter["Subject"] and ann.email in text_of(letter)
        assert "https://atrium.test/join#token=" in text_of(letter)

    def test_who_is_invited_sees_nothing_but_the_invitation(self, ann, bob, work):
        entry = ann.make_entry(work)
        done(ann.invite(work, bob.email, "owner"), 201)
        for path in (f"/api/calendars/{work}", f"/api/calendars/{work}/members", f"/api/calendars/{work}/settings",
                     f"/api/calendars/{work}/trash", path_of(entry), path_of(entry) + "/history",
                     f"/api/entries?calendar_id={work}&from=2026-02-01&to=2026-02-28",
                     f"/api/search?q=something&calendar_id={work}"):
            refused(bob.get(path), 404)
        assert done(bob.get("/api/search?q=something"))["entries"] == []
        (invitation,) = done(bob.get("/api/invitations"))["invitations"]
        assert (invitation["calendar_id"], invitation["calendar_name"], invitation["role"]) == (work, "Work", "owner")
        assert invitation["inviter"] == "Ann"

    def test_acceptance_opens_the_calendar(self, ann, bob, work):
        entry = ann.make_entry(work)
        done(ann.invite(work, bob.email, "writer"), 201)
        accepted = done(bob.accept(work))
        assert (accepted["status"], accepted["role"], accepted["user_id"]) == ("active", "writer", bob.id)
        assert done(bob.get(path_of(entry)))["id"] == entry["id"]
        assert done(bob.get("/api/invitations"))["invitations"] == []
        assert done(bob.accept(work))["status"] == "active"
        assert ann.members(work) == {ann.email: ("owner", "active"), bob.email: ("writer", "active")}

    def test_a_declined_invitation_is_gone_and_can_be_repeated(self, ann, bob, work):
        done(ann.invite(work, bob.email), 201)
        done(bob.delete(member(work, "me")), 204)
        assert done(bob.get("/api/invitations"))["invitations"] == []
        refused(bob.accept(work), 404)
        refused(bob.delete(member(work, "me")), 404)
        assert ann.members(work) == {ann.email: ("owner", "active")}
        done(ann.invite(work, bob.email, "writer"), 201)
        assert done(bob.accept(work))["role"] == "writer"

    def test_nobody_is_invited_twice(self, ann, bob, work):
        done(ann.invite(work, bob.email), 201)
        refused(ann.invite(work, bob.email, "writer"), 409, "email")
        done(bob.accept(work))
        refused(ann.invite(work, bob.email), 409, "email")
        refused(ann.invite(work, ann.email), 409, "email")
        done(ann.invite(work, "nobody@example.org"), 201)
        refused(ann.invite(work, "NOBODY@example.org"), 409, "email")

    def test_an_invitation_that_cannot_be_is_refused(self, ann, work):
        for body in (
                {}, {"email": "bob@example.org"}, {"role": "reader"}, {"email": "bob", "role": "reader"},
                {"email": "", "role": "reader"}, {"email": "bob@example.org", "role": "king"},
                {"email": "bob@example.org", "role": "reader", "status": "active"}):
            refused(ann.post(f"/api/calendars/{work}/members", body), 400)
        assert len(ann.members(work)) == 1

    def test_the_same_request_twice_sends_one_letter(self, ann, bob, work, mail):
        key = {"Idempotency-Key": "invite"}
        body = {"email": bob.email, "role": "reader"}
        first, second = (ann.post(f"/api/calendars/{work}/members", body, headers=key) for _ in range(2))
        # The link is a secret, which is told once.
        assert {name: value for name, value in done(first, 201).items() if name != "invitation"} == done(second, 201)
        done(ann.invite(work, "last@example.org"), 201)
        mail.wait_for_letter("last@example.org")
        assert len(mail.letters_to(bob.email)) == 1


class TestPeopleWithoutAccount:
    def test_they_find_the_invitation_once_they_have_one(self, house, ann, work, mail):
        invited = done(ann.invite(work, "new@example.org", "writer"), 201)
        assert "user_id" not in invited
        assert mail.wait_for_letter("new@example.org")
        assert ann.members(work)["new@example.org"] == ("writer", "invited")
        new = CalendarClient(house, house.make_user("new@example.org"))
        (invitation,) = done(new.get("/api/invitations"))["invitations"]
        assert (invitation["calendar_id"], invitation["calendar_name"]) == (work, "Work")
        refused(new.get(f"/api/calendars/{work}"), 404)
        refused(ann.invite(work, "new@example.org"), 409, "email")
        assert done(new.accept(work))["user_id"] == new.id
        assert done(new.get("/api/invitations"))["invitations"] == []
        assert ann.members(work) == {ann.email: ("owner", "active"), new.email: ("writer", "active")}
        verified(house)

    def test_role_and_place_are_changed_by_address(self, house, ann, work):
        done(ann.invite(work, "new@example.org"), 201)
        assert done(ann.put(member(work, "new@example.org"), {"role": "owner"}))["role"] == "owner"
        done(ann.delete(member(work, "new@example.org")), 204)
        refused(ann.delete(member(work, "new@example.org")), 404)
        new = CalendarClient(house, house.make_user("new@example.org"))
        refused(new.accept(work), 404)
        assert done(new.get("/api/invitations"))["invitations"] == []

    def test_who_declines_by_address_is_out(self, house, ann, work):
        done(ann.invite(work, "new@example.org"), 201)
        new = CalendarClient(house, house.make_user("new@example.org"))
        done(new.delete(member(work, "me")), 204)
        refused(new.accept(work), 404)
        assert ann.members(work) == {ann.email: ("owner", "active")}

    def test_who_was_a_member_before_comes_back_through_a_new_address(self, house, ann, bob, work):
        ann.share(work, bob)
        done(ann.delete(member(work, bob.id)), 204)
        done(ann.invite(work, "robert@example.org", "writer"), 201)
        house.patch(f"/api/users/{bob.id}", {"email": "robert@example.org"}, house.root)
        robert = CalendarClient(house, bob.person, bob.who)
        assert done(robert.accept(work))["role"] == "writer"
        assert ann.members(work) == {ann.email: ("owner", "active"), "robert@example.org": ("writer", "active")}
        assert done(robert.get("/api/invitations"))["invitations"] == []
        verified(house)


class TestAnotherOrganisation:
    def test_its_people_cannot_come_in(self, house, ann, work):
        org = house.make_org("Elsewhere", "elsewhere.test")
        eve = CalendarClient(house, house.make_user("eve@example.org", org=org))
        done(ann.invite(work, eve.email), 201)
        assert done(eve.get("/api/invitations"))["invitations"] == []
        refused(eve.accept(work), 404)
        refused(eve.get(f"/api/calendars/{work}"), 404)


class TestChanging:
    def test_a_role_is_what_one_may_do_from_then_on(self, ann, bob, work):
        entry = ann.make_entry(work)
        ann.share(work, bob)
        refused(bob.put(path_of(entry), {"title": "B"}), 403, "writer")
        assert done(ann.put(member(work, bob.id), {"role": "writer"}))["role"] == "writer"
        assert done(bob.put(path_of(entry), {"title": "B"}))["title"] == "B"
        refused(bob.invite(work, "x@example.org"), 403, "owner")
        done(ann.put(member(work, bob.email), {"role": "owner"}))
        done(bob.invite(work, "x@example.org"), 201)
        done(ann.put(member(work, bob.id), {"role": "reader"}))
        refused(bob.put(path_of(entry), {"title": "C"}), 403)

    def test_who_is_not_a_member_has_no_role(self, ann, bob, work):
        refused(ann.put(member(work, bob.id), {"role": "writer"}), 404)
        refused(ann.put(member(work, "x@example.org"), {"role": "writer"}), 404)
        refused(ann.put(member(work, "not an address"), {"role": "writer"}), 400, "address")
        refused(ann.put(member(work, ann.id), {"role": "king"}), 400, "role")

    def test_names_and_addresses_are_those_of_today(self, house, ann, bob, work):
        ann.share(work, bob)
        house.patch(f"/api/users/{bob.id}", {"email": "robert@example.org", "name": "Robert"}, house.root)
        listed = done(ann.get(f"/api/calendars/{work}/members"))["members"]
        assert {(one["email"], one["name"]) for one in listed} == {(ann.email, "Ann"), ("robert@example.org", "Robert")}

    def test_who_is_removed_is_out_at_once(self, ann, bob, work):
        ann.share(work, bob, "writer")
        gone = ann.delete(member(work, bob.id))
        assert (gone.status, gone.body) == (204, b"")
        refused(bob.get(f"/api/calendars/{work}"), 404)
        refused(bob.accept(work), 404)
        assert work not in [one["id"] for one in bob.calendars()]
        refused(ann.delete(member(work, bob.id)), 404)

    def test_anybody_may_leave(self, ann, bob, cat, work):
        ann.share(work, bob)
        ann.share(work, cat, "writer")
        done(bob.delete(member(work, "me")), 204)
        done(cat.delete(member(work, cat.id)), 204)
        assert ann.members(work) == {ann.email: ("owner", "active")}

    def test_the_account_takes_the_membership_along(self, house, ann, bob, work):
        ann.share(work, bob)
        assert house.delete(f"/api/users/{bob.id}", house.root).status == 204
        assert ann.members(work) == {ann.email: ("owner", "active")}
        house.run_job("calendar.release-the-gone")
        assert ann.members(work) == {ann.email: ("owner", "active")}
        verified(house)


class TestOwners:
    def test_the_last_one_stays(self, ann, bob, work):
        ann.share(work, bob, "writer")
        refused(ann.delete(member(work, "me")), 409, "owner")
        refused(ann.delete(member(work, ann.id)), 409, "owner")
        refused(ann.put(member(work, ann.id), {"role": "writer"}), 409, "owner")
        assert ann.members(work)[ann.email] == ("owner", "active")
        done(ann.put(member(work, ann.id), {"role": "owner"}))

    def test_an_invited_owner_does_not_count_yet(self, ann, bob, work):
        done(ann.invite(work, bob.email, "owner"), 201)
        refused(ann.delete(member(work, "me")), 409, "owner")
        done(bob.accept(work))
        done(ann.delete(member(work, "me")), 204)
        assert bob.members(work) == {bob.email: ("owner", "active")}
        refused(bob.delete(member(work, "me")), 409, "owner")

    def test_of_two_who_leave_at_once_one_stays(self, house, ann, bob):
        for _ in range(8):
            calendar = ann.make_calendar()
            ann.share(calendar, bob, "owner")
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                answers = pool.map(lambda one: one.delete(member(calendar, "me")).status, (ann, bob))
            assert sorted(answers) == [204, 409]
        verified(house)

    def test_of_two_who_demote_each_other_one_stays(self, ann, bob):
        calendar = ann.make_calendar()
        ann.share(calendar, bob, "owner")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(
                lambda pair: pair[0].put(member(calendar, pair[1].id), {"role": "reader"}).status,
                ((ann, bob), (bob, ann))))
        assert 200 in answers and set(answers) <= {200, 403, 409}
        assert [role for role, _ in ann.members(calendar).values()].count("owner") == 1

    def test_ownership_is_handed_over(self, house, ann, bob, work):
        ann.share(work, bob)
        heir = done(ann.post(f"/api/calendars/{work}/transfer", {"to": bob.email}))
        assert (heir["user_id"], heir["role"]) == (bob.id, "owner")
        assert bob.members(work) == {ann.email: ("writer", "active"), bob.email: ("owner", "active")}
        refused(ann.post(f"/api/calendars/{work}/transfer", {"to": bob.id}), 403)
        refused(bob.delete(member(work, "me")), 409, "owner")
        done(bob.delete(member(work, ann.id)), 204)
        verified(house)

    def test_to_who_owns_it_already_it_is_stepping_back(self, ann, bob, work):
        ann.share(work, bob, "owner")
        done(ann.post(f"/api/calendars/{work}/transfer", {"to": bob.id}))
        assert bob.members(work) == {ann.email: ("writer", "active"), bob.email: ("owner", "active")}
        refused(bob.delete(member(work, "me")), 409, "owner")

    def test_only_active_members_can_have_it(self, ann, bob, work):
        transfer = f"/api/calendars/{work}/transfer"
        refused(ann.post(transfer, {"to": bob.email}), 404)
        done(ann.invite(work, bob.email), 201)
        refused(ann.post(transfer, {"to": bob.email}), 404)
        refused(ann.post(transfer, {"to": ann.id}), 400, "to")
        refused(ann.post(transfer, {"to": "no address"}), 400)
        refused(ann.post(transfer, {}), 400, "to")

    def test_a_calendar_whose_only_owner_is_gone_goes_to_the_trash(self, house, ann, bob, work):
        ann.share(work, bob, "writer")
        assert house.delete(f"/api/users/{ann.id}", house.root).status == 204
        house.run_job("calendar.release-the-gone")
        eventually(lambda: bob.get(f"/api/calendars/{work}").status == 404)
        assert work not in [one["id"] for one in bob.calendars()]
        verified(house)
