# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Workers are shared out: neither one person nor one room of the server can have them all."""

import contextlib
import json

import pytest
from identity_client import bearer, start_house
from programs import run
from raw_http import RawConnection
from running_server import eventually

WORKERS = 16
# As long as a request may take on a machine that has other things to do. What holds the workers stays a minute.
SOON = 5.0


def get(path: str, *headers: str) -> str:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers]) + "\r\n\r\n"


@pytest.fixture
def lab(make_server):
    return make_server(binary="atrium_lab", config={"http": {"worker_threads": WORKERS}})


@contextlib.contextmanager
def flood(lab, count: int, sources: list[str], path: str = "/lab/hold", headers: list[str] | None = None):
    """So many requests that hold their workers, from these addresses and with these headers in turn."""
    connections = []
    for i in range(count):
        header = [headers[i % len(headers)]] if headers else []
        connections.append(lab.connect(source=sources[i % len(sources)]).send(get(path, *header)))
    try:
        yield connections
    finally:
        assert lab.post("/lab/release").status == 204
        for connection in connections:
            connection.close()


def held_back(lab) -> float:
    return lab.metrics().value("atrium_workers_held_back")


def expect_soon(connection: RawConnection, path: str, *headers: str) -> None:
    assert connection.send(get(path, *headers)).read_response(deadline=SOON).status == 200


def test_slow_requests_of_one_person_do_not_make_another_wait(lab):
    with flood(lab, 64, ["127.0.0.2"]):
        eventually(lambda: held_back(lab) == 64 - WORKERS // 2, what="the flood held back")
        with lab.connect(source="127.0.0.3") as other:
            for _ in range(5):
                expect_soon(other, "/lab/blocking")


def test_slow_requests_of_many_people_to_one_room_leave_room_for_others(lab):
    sources = [f"127.0.0.{n}" for n in range(2, 34)]
    with flood(lab, 64, sources):
        eventually(lambda: held_back(lab) == 64 - WORKERS * 3 // 4, what="the flood held back")
        with lab.connect() as other:
            for _ in range(5):
                expect_soon(other, "/metrics")


def test_what_is_held_back_is_answered_in_the_end(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"worker_threads": 4}})
    connections = [lab.connect().send(get("/lab/sleep/20")) for _ in range(60)]
    assert [connection.read_response(deadline=60).text for connection in connections] == ["slept"] * 60
    for connection in connections:
        connection.close()
    assert held_back(lab) == 0


def test_one_person_cannot_fill_the_queue_for_others(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"worker_threads": 4, "worker_queue": 40}})
    with flood(lab, 40, ["127.0.0.2"]) as flooding:
        # Two are at work and ten wait, or less when they came before a thread took the first.
        eventually(lambda: lab.metrics().value("atrium_http_queue_full_total") >= 28, what="the rest refused")
        with lab.connect(source="127.0.0.3") as other:
            expect_soon(other, "/lab/blocking")
        assert lab.post("/lab/release").status == 204
        answers = [connection.read_response() for connection in flooding]
        served = [answer for answer in answers if answer.status == 200]
        assert 10 <= len(served) <= 12 and {answer.status for answer in answers} == {200, 503}
        assert all(int(answer.header("retry-after")) >= 1 for answer in answers if answer.status == 503)


def test_a_person_is_one_by_all_credentials_and_from_all_addresses(make_server):
    house = start_house(make_server, binary="atrium_lab", config={"http": {"worker_threads": WORKERS}})
    ann, ben = (house.sign_in(house.make_user(f"{name}@example.org")) for name in ("ann", "ben"))
    tokens = [bearer(house.make_token(ann, name=f"token {i}", scopes=["*"])["token"])["Authorization"] for i in range(4)]
    lab, sources = house.server, [f"127.0.0.{2 + i}" for i in range(40)]
    with flood(lab, 40, sources, "/lab/shelf/hold", [f"Authorization: {token}" for token in tokens]):
        eventually(lambda: held_back(lab) == 40 - WORKERS // 2, what="the flood held back")
        assert lab.get("/lab/shelf/touch", ben, deadline=SOON).text == "touched"


def test_every_route_says_which_room_it_is_of(build_folder):
    routes = json.loads(run(build_folder / "atrium", "routes", "--json").stdout)
    rooms = {route["path"]: route["room"] for route in routes}
    assert rooms["/api/calendars/{calendar}/import"] == "calendar"
    assert rooms["/seafhttp/repo/{library}/recv-fs"] == "files"
    assert rooms["/api/me"] == "identity"
    assert rooms["/metrics"] == "app"
    # A shared part that adds routes for rooms must pass on whose they are.
    assert not {"api", "http", "base", "store"} & set(rooms.values())


def test_no_sync_route_is_without_a_rate(build_folder):
    routes = json.loads(run(build_folder / "atrium", "routes", "--json").stdout)
    sync = {route["path"]: route["rate"] for route in routes if route["path"].startswith("/seafhttp/")}
    assert sync and "unlimited" not in sync.values()
    assert sync["/seafhttp/repo/{library}/commit/HEAD"] in ("costly", "transfer")
    costly = {(route["method"], route["path"]) for route in routes if route["rate"] == "costly"}
    assert ("PUT", "/seafhttp/repo/{library}/commit/HEAD") in costly
    assert ("POST", "/seafhttp/repo/{library}/update-branch") in costly
