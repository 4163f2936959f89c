# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What one client may take, and what all of them together may: beyond it the answer is quick and clear."""

import concurrent.futures
import time

import pytest
from raw_http import ConnectionEnded, RawConnection, TimedOut
from running_server import eventually


def get(path: str, *headers: str) -> str:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers]) + "\r\n\r\n"


def statuses(server, path: str, count: int, source: str = "127.0.0.1") -> list[int]:
    """What so many requests in a row are answered, all on one connection."""
    with server.connect(source=source) as connection:
        return [connection.send(get(path)).read_response().status for _ in range(count)]


# Rates. The bucket fills so slowly that nothing comes back while a test runs, except where it waits for it.

SLOW = {"request_rate": 0.01, "request_burst": 5, "costly_rate": 0.01, "costly_burst": 2}


def test_requests_beyond_the_burst_are_refused_with_a_time_to_come_back(make_server):
    lab = make_server(binary="atrium_lab", config={"http": SLOW})
    with lab.connect() as connection:
        answers = [connection.send(get("/lab/quick")).read_response() for _ in range(8)]
        assert [answer.status for answer in answers] == [200] * 5 + [429] * 3
        for answer in answers[5:]:
            assert answer.header("content-type") == "application/problem+json"
            assert answer.json()["request_id"] == answer.header("x-request-id")
            assert 90 <= int(answer.header("retry-after")) <= 101
    assert lab.metrics().value("atrium_http_rate_limited_total") == 3


def test_the_rate_is_counted_over_all_connections_of_a_client(make_server):
    lab = make_server(binary="atrium_lab", config={"http": SLOW})
    assert [lab.get("/lab/quick").status for _ in range(7)] == [200] * 5 + [429] * 2


def test_one_client_does_not_use_up_the_rate_of_another(make_server):
    lab = make_server(binary="atrium_lab", config={"http": SLOW})
    assert statuses(lab, "/lab/quick", 6) == [200] * 5 + [429]
    assert statuses(lab, "/lab/quick", 6, source="127.0.0.2") == [200] * 5 + [429]


def test_clients_behind_a_proxy_have_rates_of_their_own(make_server):
    lab = make_server(binary="atrium_lab", config={"http": SLOW | {"trusted_proxies": ["127.0.0.1/32"]}})

    def ask(client: str) -> list[int]:
        with lab.connect() as connection:
            request = get("/lab/quick", f"X-Forwarded-For: {client}")
            return [connection.send(request).read_response().status for _ in range(6)]

    assert ask("203.0.113.1") == ask("203.0.113.2") == [200] * 5 + [429]
    assert ask("2001:db8:1:2::3") == [200] * 5 + [429]
    # One household has a whole /64 to choose addresses from.
    assert ask("2001:db8:1:2::4") == [429] * 6


def test_the_rate_recovers(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"request_rate": 4, "request_burst": 2}})
    with lab.connect() as connection:
        answers = [connection.send(get("/lab/quick")).read_response() for _ in range(10)]
        refused = next(answer for answer in answers if answer.status == 429)
        assert refused.header("retry-after") == "1"
        eventually(lambda: connection.send(get("/lab/quick")).read_response().status == 200, what="a request served")


def test_costly_requests_have_a_rate_of_their_own(make_server):
    lab = make_server(binary="atrium_lab", config={"http": SLOW})
    assert statuses(lab, "/lab/costly", 4) == [200, 200, 429, 429]
    assert statuses(lab, "/lab/quick", 6) == [200] * 5 + [429]


def test_attempts_to_sign_in_have_a_rate_of_their_own(make_server):
    lab = make_server(binary="atrium_lab", config={"http": SLOW | {"credential_rate": 0.1, "credential_burst": 3}})
    assert statuses(lab, "/lab/credential", 5) == [200, 200, 200, 429, 429]
    assert statuses(lab, "/lab/quick", 1) == [200]


def test_requests_that_fail_count_too(make_server):
    lab = make_server(binary="atrium_lab", config={"http": SLOW})
    assert statuses(lab, "/lab/nothing", 7) == [404] * 5 + [429] * 2
    assert statuses(lab, "/lab/quick", 1) == [429]


def test_health_and_measurements_are_never_refused(make_server):
    lab = make_server(binary="atrium_lab", config={"http": SLOW})
    statuses(lab, "/lab/quick", 6)
    for path in ("/livez", "/readyz", "/api/health", "/metrics"):
        assert statuses(lab, path, 20) == [200] * 20


# Connections.


def answers(server, source: str = "127.0.0.1") -> bool:
    """Whether a new connection is served."""
    try:
        with server.connect(source=source) as connection:
            return connection.send(get("/livez")).read_response().status == 200
    except (ConnectionError, ConnectionEnded):
        return False


def open_and_use(server, count: int, source: str = "127.0.0.1") -> list[RawConnection]:
    connections = [server.connect(source=source) for _ in range(count)]
    for connection in connections:
        assert connection.send(get("/livez")).read_response().status == 200
    return connections


def expect_turned_away(server, source: str = "127.0.0.1") -> None:
    # Nothing is sent: the answer comes before any request.
    with server.connect(source=source) as connection:
        answer = connection.read_response()
        assert (answer.status, answer.header("connection")) == (503, "close")
        assert int(answer.header("retry-after")) >= 1
        connection.expect_closed()


def test_connections_beyond_the_limit_are_turned_away_until_there_is_room(make_server):
    server = make_server(config={"http": {"max_connections": 10}})
    held = open_and_use(server, 10)
    for _ in range(5):
        expect_turned_away(server)
    assert held[0].send(get("/livez")).read_response().status == 200
    held.pop().close()
    eventually(lambda: answers(server), what="room for another")
    for connection in held:
        connection.close()


def test_one_client_cannot_take_all_connections(make_server):
    server = make_server(config={"http": {"max_connections_per_client": 5}})
    held = open_and_use(server, 5)
    expect_turned_away(server)
    assert answers(server, source="127.0.0.2")
    for connection in held:
        connection.close()
    eventually(lambda: answers(server), what="room for another")


# Work.


@pytest.fixture
def one_worker(make_server):
    return make_server(binary="atrium_lab", config={"http": {"worker_threads": 1, "worker_queue": 1}})


def fill(server) -> tuple[RawConnection, RawConnection]:
    """One request at work for five seconds, and one that waits for it: there is room for no other. The second is sent
    when the first is surely in, because requests of two connections come in any order."""
    running = eventually(lambda: admitted(server, "/lab/sleep/5000"), what="a request at work")
    return running, eventually(lambda: admitted(server, "/lab/sleep/1"), what="a request that waits")


def admitted(server, path: str) -> RawConnection | None:
    """A connection whose request is not answered yet; None when it was refused, because the one before still stood in
    the queue."""
    connection = server.connect().send(get(path))
    try:
        assert connection.read_response(deadline=1).status == 503
        connection.close()
        return None
    except TimedOut:
        return connection


def test_work_beyond_the_queue_is_refused_and_quick_requests_are_served_on(one_worker):
    running, waiting = fill(one_worker)
    with running, waiting:
        refused = one_worker.get("/lab/sleep/1")
        assert (refused.status, refused.header("content-type")) == (503, "application/problem+json")
        assert int(refused.header("retry-after")) >= 1
        for _ in range(20):
            asked = time.monotonic()
            assert one_worker.get("/lab/quick").status == 200
            assert time.monotonic() - asked < 1
        assert running.read_response().text == "slept"
        assert waiting.read_response().text == "slept"
    assert one_worker.get("/lab/blocking").status == 200
    assert one_worker.metrics().value("atrium_http_queue_full_total") >= 1


def test_a_refusal_for_want_of_workers_leaves_the_connection_usable(one_worker):
    running, waiting = fill(one_worker)
    with running, waiting, one_worker.connect() as connection:
        assert connection.send(get("/lab/sleep/1")).read_response().status == 503
        assert connection.send(get("/lab/quick")).read_response().status == 200


@pytest.mark.parametrize("method, path", [("PUT", "/lab/upload"), ("POST", "/lab/multipart")])
def test_an_upload_that_finds_the_queue_full_is_refused_and_closed(one_worker, method, path):
    running, waiting = fill(one_worker)
    with running, waiting, one_worker.connect() as connection:
        connection.send(f"{method} {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + "a" * 50_000)
        answer = connection.read_response()
        assert (answer.status, answer.header("connection")) == (503, "close")
        assert int(answer.header("retry-after")) >= 1


def test_many_clients_at_once_are_all_served(lab):
    def ask(n: int) -> bool:
        with lab.connect() as connection:
            texts = [connection.send(get(f"/lab/names/{n}-{m}")).read_response().text for m in range(20)]
        return texts == [f"{n}-{m}" for m in range(20)]

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        assert all(pool.map(ask, range(100)))
