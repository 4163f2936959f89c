# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Clients that take their time, by nature or to do harm. They lose their connection; the others notice nothing."""

import contextlib
import selectors
import socket
import time

import pytest
from running_server import eventually

MIB = 1 << 20
# How late the server may be: it looks at its clocks every half second, and sanitized programs are slow.
LATE = 8


def get(path: str) -> str:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def impatient(make_server):
    """A lab with short limits, each different from the next."""
    return make_server(binary="atrium_lab", config={"http": {
        "header_timeout": "1s", "idle_timeout": "2s", "body_timeout": "1s", "body_rate_min": "10KiB",
        "write_timeout": "1s"}})


def expect_408(connection, began: float, limit: float) -> None:
    answer = connection.read_response(deadline=limit + LATE)
    assert answer.status == 408
    assert answer.header("connection") == "close"
    assert answer.json()["request_id"] == answer.header("x-request-id")
    assert time.monotonic() - began >= limit * 0.9
    connection.expect_closed()


def timeouts(server) -> float:
    return server.metrics().value("atrium_http_timeouts_total")


# One slow client.


def test_a_head_that_does_not_end_is_given_up(impatient):
    with impatient.connect() as connection:
        connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n")
        expect_408(connection, time.monotonic(), 1)
    assert timeouts(impatient) == 1


def test_a_head_that_drips_is_given_up_all_the_same(impatient):
    with impatient.connect() as connection:
        began = time.monotonic()
        connection.send("GET /livez HTTP/1.1\r\n")
        connection.stream.settimeout(0.05)
        answer = b""
        while not answer and time.monotonic() - began < 1 + LATE:
            with contextlib.suppress(ConnectionError):
                connection.stream.sendall(b"X: a\r\n")
            with contextlib.suppress(TimeoutError):
                answer = connection.stream.recv(4096)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - began >= 0.9


def test_the_second_head_of_a_connection_is_given_up_too(impatient):
    with impatient.connect() as connection:
        assert connection.send(get("/livez")).read_response().status == 200
        connection.send("GET /livez HTTP/1.1\r\n")
        expect_408(connection, time.monotonic(), 1)


def test_a_connection_that_never_says_a_word_is_closed(impatient):
    with impatient.connect() as connection:
        began = time.monotonic()
        connection.expect_closed(deadline=1 + LATE)
        assert time.monotonic() - began >= 0.9


def test_a_connection_that_has_nothing_more_to_say_is_closed(impatient):
    with impatient.connect() as connection:
        connection.send(get("/livez")).read_response()
        began = time.monotonic()
        connection.expect_closed(deadline=2 + LATE)
        assert time.monotonic() - began >= 1.8


def test_a_connection_that_is_used_now_and_then_stays_open(impatient):
    with impatient.connect() as connection:
        began = time.monotonic()
        while time.monotonic() - began < 4:
            assert connection.send(get("/lab/sleep/500")).read_response().text == "slept"


@pytest.mark.parametrize("path, method", [("/lab/echo", "POST"), ("/lab/upload", "PUT")])
@pytest.mark.parametrize("beginning", ["", "half"])
def test_a_body_that_stops_coming_is_given_up(impatient, path, method, beginning):
    with impatient.connect() as connection:
        connection.send(f"{method} {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n{beginning}")
        answer = connection.read_response(deadline=1 + LATE)
        assert (answer.status, answer.header("connection")) == (408, "close")
        connection.half_close()
        connection.expect_closed()


@pytest.mark.parametrize("path, method", [("/lab/echo", "POST"), ("/lab/upload", "PUT")])
def test_a_body_that_drips_below_the_least_rate_is_given_up(impatient, path, method):
    with impatient.connect() as connection:
        began = time.monotonic()
        connection.send(f"{method} {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        connection.stream.settimeout(0.1)
        answer = b""
        while not answer and time.monotonic() - began < 1 + LATE:
            connection.stream.sendall(b"a" * 10)
            with contextlib.suppress(TimeoutError):
                answer = connection.stream.recv(4096)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - began >= 0.9


def test_a_body_that_is_slow_but_fast_enough_is_taken(impatient):
    with impatient.connect() as connection:
        connection.send("PUT /lab/upload HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n")
        connection.stream.settimeout(0.1)
        for _ in range(19):
            connection.stream.sendall(b"a" * 10_000)
            with pytest.raises(TimeoutError):
                connection.stream.recv(1)
        connection.send(b"a" * 10_000)
        assert connection.read_response().text.startswith("200000 ")


def test_a_broken_upload_by_silence_leaves_no_file(make_server, tmp_path):
    folder = tmp_path / "stored"
    folder.mkdir()
    lab = make_server(binary="atrium_lab", config={"http": {"body_timeout": "500ms"}},
                      env={"LAB_FOLDER": str(folder)})
    with lab.connect() as connection:
        connection.send("PUT /lab/store HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhalf")
        assert connection.read_response(deadline=LATE).status == 408
        eventually(lambda: not list(folder.iterdir()), what="an empty folder")


@pytest.mark.parametrize("path", ["/lab/count/100000000", "/lab/file"])
def test_a_client_that_takes_nothing_of_a_download_is_given_up(make_server, tmp_path, path):
    (tmp_path / "file").write_bytes(b"a" * 64 * MIB)
    lab = make_server(binary="atrium_lab", config={"http": {"write_timeout": "1s"}},
                      env={"LAB_FILE": str(tmp_path / "file")})
    with lab.connect() as connection:
        before = lab.peak_rss_bytes()
        connection.send(get(path))
        eventually(lambda: timeouts(lab) == 1, deadline=1 + 3 * LATE, what="a timeout")
        eventually(lambda: lab.metrics().value("atrium_http_connections") == 1, what="one connection")
        assert lab.sanitized or lab.peak_rss_bytes() - before < 16 * MIB
        # What was on its way can still be read, and then the end: it cannot be taken for the whole.
        assert len(connection.read_to_end()) < 64 * MIB


def test_a_client_that_reads_slowly_but_steadily_gets_everything(make_server, tmp_path):
    content = bytes(range(256)) * 40_000
    (tmp_path / "file").write_bytes(content)
    lab = make_server(binary="atrium_lab", config={"http": {"write_timeout": "1s"}},
                      env={"LAB_FILE": str(tmp_path / "file")})
    with lab.connect() as connection:
        connection.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        connection.send(get("/lab/file"))
        assert connection.read_head().header("content-length") == str(len(content))
        received = b""
        waiting = selectors.DefaultSelector()
        while len(received) < len(content):
            received += connection.read_bytes(min(262_144, len(content) - len(received)))
            waiting.select(0.05)
        waiting.close()
        assert received == content


# Many.


@contextlib.contextmanager
def many_sockets(server, count: int):
    with contextlib.ExitStack() as stack:
        sockets = []
        for n in range(count):
            # A client address has some 28,000 ports; several addresses never run out.
            bare = socket.create_connection((server.address, server.port), timeout=30,
                                            source_address=(f"127.0.1.{n % 8 + 1}", 0))
            sockets.append(stack.enter_context(bare))
        yield sockets


def is_closed(bare: socket.socket) -> bool:
    """Whether the server has ended this connection; reads what is there."""
    bare.setblocking(False)
    try:
        while bare.recv(65_536):
            pass
        return True
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_a_thousand_connections_that_drip_harm_nobody_and_are_closed(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"header_timeout": "3s"}})
    for _ in range(20):
        lab.get("/lab/quick")
    before = lab.rss_bytes()
    with many_sockets(lab, 1000) as drippers:
        for bare in drippers:
            bare.sendall(b"GET /livez HTTP/1.1\r\n")
        for n in range(50):
            for bare in drippers[n * 20:n * 20 + 20]:
                with contextlib.suppress(ConnectionError):
                    bare.sendall(b"X: a\r\n")
            asked = time.monotonic()
            assert lab.get("/lab/quick").status == 200
            assert time.monotonic() - asked < 1
        still_open = set(drippers)

        def all_closed():
            for bare in list(still_open):
                with contextlib.suppress(OSError):
                    bare.sendall(b"X: a\r\n")
                if is_closed(bare):
                    still_open.discard(bare)
            return not still_open

        eventually(all_closed, deadline=3 + 3 * LATE, what="an end of all thousand")
    eventually(lambda: lab.metrics().value("atrium_http_connections") == 1, what="one connection")
    assert lab.sanitized or lab.rss_bytes() - before < 16 * MIB


def test_two_thousand_idle_connections_cost_little(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"idle_timeout": "5m"}})
    if lab.sanitized:
        pytest.skip("memory of a sanitized program says nothing")
    lab.get("/livez")
    before = lab.rss_bytes()
    with many_sockets(lab, 2000) as idle:
        for bare in idle:
            bare.sendall(get("/livez").encode())
        for bare in idle:
            assert bare.recv(4096).startswith(b"HTTP/1.1 200 ")
        assert lab.metrics().value("atrium_http_connections") == 2001
        eventually(lambda: (lab.rss_bytes() - before) / 2000 < 15_000, what="less than 15 KB for each")
        for bare in idle[::100]:
            bare.sendall(get("/livez").encode())
            assert bare.recv(4096).startswith(b"HTTP/1.1 200 ")
