# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A server secret that is changed: what the old one sealed is sealed anew, and then the old one may go."""

from identity_client import PASSWORD, IdentityClient, start_house, start_server

FIRST, SECOND = "a1" * 32, "b2" * 32


def with_secrets(current: str, *previous: str) -> dict[str, str]:
    earlier = {"ATRIUM_SECRETS_PREVIOUS_SERVER_SECRETS": ",".join(previous)} if previous else {}
    return {"ATRIUM_SECRETS_SERVER_SECRET": current} | earlier


def started_again(make_server, house: IdentityClient, secrets: dict[str, str]) -> IdentityClient:
    house.server.stop()
    again = IdentityClient(start_server(make_server, None, data=house.server.data, env=secrets))
    again.root = house.root
    return again


def status(house: IdentityClient) -> dict:
    answer = house.get("/api/admin/secrets", house.root)
    assert answer.status == 200, answer.text
    return answer.json()


def test_a_rotation_ends(make_server):
    first = start_house(make_server, env=with_secrets(FIRST))
    ann = first.make_user("ann@example.org")
    _, codes, _ = first.turn_on_second_factor(first.sign_in(ann))
    assert status(first) == {"sealed": 1, "sealed_by_previous": 0, "unreadable": 0, "previous_may_go": True}

    both = started_again(make_server, first, with_secrets(SECOND, FIRST))
    assert status(both) == {"sealed": 1, "sealed_by_previous": 1, "unreadable": 0, "previous_may_go": False}
    both.run_job("identity.reseal")
    shown = both.atrium("secrets", "status")
    assert shown.stdout.splitlines()[-1].split() == ["previous_may_go", "yes"], shown.stdout + shown.stderr

    second = started_again(make_server, both, with_secrets(SECOND))
    assert status(second) == {"sealed": 1, "sealed_by_previous": 0, "unreadable": 0, "previous_may_go": True}
    assert second.log_in("ann@example.org", PASSWORD, codes[0]).status == 200


def test_a_secret_that_went_too_early_is_told(make_server):
    first = start_house(make_server, env=with_secrets(FIRST))
    first.turn_on_second_factor(first.sign_in(first.make_user("ann@example.org")))
    second = started_again(make_server, first, with_secrets(SECOND))
    assert status(second) == {"sealed": 1, "sealed_by_previous": 0, "unreadable": 1, "previous_may_go": True}


def test_the_status_is_for_superadmins(make_server):
    house = start_house(make_server)
    who = house.sign_in(house.make_user("boss@example.org", "admin"))
    assert house.get("/api/admin/secrets", who).status == 403
