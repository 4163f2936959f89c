# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Letters that no mail server took: superadmins list them, send them again and drop them."""

import json

import pytest
from identity_client import IdentityClient, start_house
from mail_server import MailServer, token_in
from running_server import eventually

ALL = "/api/admin/letters"
PUBLIC = {"identity": {"public_url": "https://atrium.test"}}


@pytest.fixture
def mail():
    with MailServer() as server:
        yield server


@pytest.fixture
def house(make_server, mail) -> IdentityClient:
    return start_house(make_server, mail.config() | PUBLIC)


def letters(house: IdentityClient) -> list[dict]:
    answer = house.get(ALL, house.root)
    assert answer.status == 200, answer.text
    return answer.json()["letters"]


def refused_letter(house: IdentityClient, mail: MailServer, email: str = "new@example.org") -> dict:
    """An invitation whose letter the mail server did not take, for good."""
    mail.answer = "550 No such mailbox"
    assert house.post("/api/admin/invitations", {"email": email}, house.root).status == 201
    found = eventually(lambda: [one for one in letters(house) if one["to"] == email])
    mail.answer = "250 OK"
    return found[0]


def delivery(house: IdentityClient) -> str:
    return house.get("/api/admin/invitations", house.root).json()["invitations"][0]["delivery"]


def test_a_refused_letter_is_listed_with_the_reason_and_without_its_words(house, mail):
    letter = refused_letter(house, mail)
    assert "No such mailbox" in letter["last_error"] and letter["attempts"] == 1
    assert set(letter) == {"id", "to", "subject", "queued_at", "attempts", "last_error", "dead_at", "gone_at"}


def test_a_letter_is_sent_again(house, mail):
    letter = refused_letter(house, mail)
    assert delivery(house) == "failed"
    assert house.post(f"{ALL}/{letter['id']}/retry", None, house.root).status == 204
    sent = mail.wait_for_letter("new@example.org")
    assert token_in(sent)
    assert letters(house) == []
    eventually(lambda: delivery(house) == "handed_over")
    assert house.audit_actions(f"letter:{letter['id']}") == ["letter.retried"]


def test_a_letter_that_is_refused_again_is_listed_again(house, mail):
    letter = refused_letter(house, mail)
    mail.answer = "550 Still not"
    assert house.post(f"{ALL}/{letter['id']}/retry", None, house.root).status == 204
    again = eventually(lambda: letters(house))
    assert [one["id"] for one in again] == [letter["id"]] and "Still not" in again[0]["last_error"]


def test_a_letter_is_dropped(house, mail):
    letter = refused_letter(house, mail)
    assert house.delete(f"{ALL}/{letter['id']}", house.root).status == 204
    assert letters(house) == []
    assert house.delete(f"{ALL}/{letter['id']}", house.root).status == 404
    assert house.post(f"{ALL}/{letter['id']}/retry", None, house.root).status == 404
    assert house.audit_actions(f"letter:{letter['id']}") == ["letter.dropped"]


def test_they_come_in_pages(house, mail):
    for number in range(3):
        refused_letter(house, mail, f"n{number}@example.org")
    page = house.get(ALL + "?limit=2", house.root).json()
    rest = house.get(f"{ALL}?limit=2&after={page['after']}", house.root).json()
    assert {one["to"] for one in page["letters"] + rest["letters"]} == {f"n{number}@example.org" for number in range(3)}
    assert len(page["letters"]) == 2 and "after" not in rest


@pytest.mark.parametrize("role", ["admin", "user"])
def test_they_are_for_superadmins(house, mail, role):
    letter = refused_letter(house, mail)
    who = house.sign_in(house.make_user("somebody@example.org", role))
    assert house.get(ALL, who).status == 403
    assert house.post(f"{ALL}/{letter['id']}/retry", None, who).status == 403
    assert house.delete(f"{ALL}/{letter['id']}", who).status == 403


def test_commands_do_the_same(house, mail):
    first, second = refused_letter(house, mail, "one@example.org"), refused_letter(house, mail, "two@example.org")
    shown = house.atrium("letters", "list")
    assert first["id"] in shown.stdout and "No such mailbox" in shown.stdout, shown.stdout + shown.stderr
    assert [one["id"] for one in json.loads(house.atrium("letters", "list", "--json").stdout)] == [second["id"], first["id"]]
    assert house.atrium("letters", "retry", first["id"]).returncode == 0
    mail.wait_for_letter("one@example.org")
    assert house.atrium("letters", "drop", second["id"]).returncode == 0
    assert letters(house) == []
    gone = house.atrium("letters", "drop", second["id"])
    assert gone.returncode != 0 and "no dead letter" in gone.stderr
