# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The audit log with filters, and what administrators see of people."""

import json

import pytest
from identity_client import start_house


@pytest.fixture
def house(make_server):
    return start_house(make_server)


def actions(house, query: str, who=None) -> list[str]:
    answer = house.get(f"/api/audit{query}", who or house.root)
    assert answer.status == 200, answer.text
    return [line["action"] for line in answer.json()["lines"]]


def test_lines_are_found_by_who_did_it(house):
    ann = house.make_user("ann@example.org")
    house.sign_in(ann)
    by_ann = house.get(f"/api/audit?actor=user:{ann.id}", house.root).json()["lines"]
    by_label = house.get("/api/audit?actor=ANN@", house.root).json()["lines"]
    assert by_ann == by_label
    assert {line["label"] for line in by_ann} <= {"ann@example.org"}
    assert actions(house, "?actor=nobody-at-all") == []


def test_lines_are_found_by_what_was_done_and_to_what(house):
    ann = house.make_user("ann@example.org")
    house.make_org("North")
    assert set(actions(house, "?action=user.")) >= {"user.created"}
    assert all(action.startswith("user.") for action in actions(house, "?action=user."))
    assert set(actions(house, f"?target=user:{ann.id}")) == {"user.created"}
    assert actions(house, f"?target=user:{ann.id}&action=org.") == []


def test_lines_are_found_by_time(house):
    house.make_user("ann@example.org")
    newest = house.get("/api/audit?limit=1", house.root).json()["lines"][0]
    assert actions(house, f"?from={newest['at']}&to={newest['at']}") == [newest["action"]]
    assert actions(house, "?to=2020-01-01T00:00:00Z") == []
    assert actions(house, "?from=2020-01-01T00:00:00Z") == actions(house, "")


def test_pages_of_a_filter_hold_everything_once(house):
    for number in range(7):
        house.make_user(f"user{number}@example.org")
    seen, before = [], ""
    while before is not None:
        page = house.get(f"/api/audit?action=user.created&limit=3{before}", house.root).json()
        seen += [line["id"] for line in page["lines"]]
        before = f"&before={page['before']}" if "before" in page else None
    wanted = [line["id"] for line in house.audit() if line["action"] == "user.created"]
    assert seen == wanted


@pytest.mark.parametrize("query", ["?from=today", "?to=2027-01-01"])
def test_a_time_that_is_none_is_refused_by_name(house, query):
    for path in ("/api/audit", "/api/audit/export"):
        answer = house.get(path + query, house.root)
        assert answer.status == 400
        assert answer.json()["detail"].startswith(query[1:].partition("=")[0] + ":")


def test_an_export_takes_the_same_filter(house):
    house.make_user("ann@example.org")
    house.make_org("North")
    text = house.get("/api/audit/export?action=user.", house.root).text
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["action"] for line in lines] == list(reversed(actions(house, "?action=user.")))


def test_a_filter_shows_nothing_of_other_organisations(house):
    north = house.make_org("North", "north.test")
    admin = house.make_user("ned@example.org", "admin", org=north)
    house.make_user("ann@example.org")
    who = house.sign_in(admin)
    lines = house.get("/api/audit?actor=root", who, host="north.test").json()["lines"]
    assert {line["target"] for line in lines} <= {f"user:{admin.id}", f"org:{north['id']}"}


def test_people_are_found_by_the_beginning_of_their_address(house):
    for name in ("ann", "anna", "bob"):
        house.make_user(f"{name}@example.org")

    def found(query):
        return [user["email"] for user in house.get(f"/api/users{query}", house.root).json()["users"]]

    assert found("?prefix=ann") == ["ann@example.org", "anna@example.org"]
    assert found("?prefix=ANNA") == ["anna@example.org"]
    assert found("?prefix=zoe") == []
    page = house.get("/api/users?prefix=ann&limit=1", house.root).json()
    assert found(f"?prefix=ann&limit=1&after={page['after']}") == ["anna@example.org"]


def test_administrators_see_whether_somebody_has_a_password_and_a_second_factor(house):
    ann = house.make_user("ann@example.org")
    bob = house.make_user("bob@example.org", password=None)
    house.turn_on_second_factor(house.sign_in(ann))

    def secrets_of(person):
        user = house.get(f"/api/users/{person.id}", house.root).json()
        return user["has_password"], user["second_factor"]

    assert secrets_of(ann) == (True, True)
    assert secrets_of(bob) == (False, False)
    assert house.delete(f"/api/users/{ann.id}/second-factor", house.root).status == 204
    assert secrets_of(ann) == (True, False)


def test_a_quota_can_be_given_and_taken_away(house):
    ann = house.make_user("ann@example.org")
    path = f"/api/users/{ann.id}"
    assert house.patch(path, {"quota_bytes": 1000}, house.root).json()["quota_bytes"] == 1000
    assert house.patch(path, {"name": "Ann"}, house.root).json()["quota_bytes"] == 1000
    assert house.patch(path, {"quota_bytes": None}, house.root).json().get("quota_bytes") is None
    org = house.make_org("North", quota_bytes=5)
    assert house.patch(f"/api/orgs/{org['id']}", {"quota_bytes": None}, house.root).json().get("quota_bytes") is None
