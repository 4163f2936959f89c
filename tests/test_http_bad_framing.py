# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Where one request ends and the next begins must never be a matter of opinion; nor may anything be too much."""

import socket

import pytest
from raw_http import ConnectionEnded
from refusals import expect_others_are_served, expect_refused
from running_server import eventually

MIB = 1 << 20


@pytest.fixture
def target(lab):
    """A server that must serve others as before once the test is over."""
    yield lab
    expect_others_are_served(lab)


# Lengths and chunks.


@pytest.mark.parametrize("fields", [
    ["Transfer-Encoding: chunked", "Content-Length: 5"],
    ["Content-Length: 5", "Transfer-Encoding: chunked"],
    ["Content-Length: 5", "Content-Length: 6"],
    ["Content-Length: 5, 6"],
    ["Content-Length: +5"],
    ["Content-Length: -5"],
    ["Content-Length: 0x5"],
    ["Content-Length: 5 5"],
    ["Content-Length:"],
    ["Content-Length: five"],
    ["Content-Length: 18446744073709551616"],
    ["Content-Length: 99999999999999999999999999"],
    ["Transfer-Encoding: gzip"],
    ["Transfer-Encoding: chunked, chunked"],
    ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
    ["Transfer-Encoding: gzip, chunked"],
    ["Transfer-Encoding: chunked, identity"],
    ["Transfer-Encoding: identity"],
    ["Transfer-Encoding: xchunked"],
    ["Transfer-Encoding: \"chunked\""],
    ["Transfer-Encoding:"],
    ["Transfer-Encoding : chunked"],
    ["Transfer-Encoding: chunked;q=1"],
    ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
], ids=lambda fields: " + ".join(fields))
def test_doubtful_framing_is_refused_and_nothing_after_it_is_read(target, fields):
    head = "\r\n".join(["POST /lab/echo HTTP/1.1", "Host: a", *fields])
    smuggled = "0\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
    expect_refused(target, f"{head}\r\n\r\n{smuggled}", 400)


def test_the_same_content_length_twice_is_not_two_opinions_but_still_one_body(target):
    with target.connect() as connection:
        connection.send("POST /lab/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nbody")
        answer = connection.read_response()
        assert (answer.status == 200 and answer.body == b"body") or answer.status == 400


def test_http_1_0_does_not_know_chunks(target):
    head = "POST /lab/echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    expect_refused(target, head + "4\r\nbody\r\n0\r\n\r\n", 400)


@pytest.mark.parametrize("chunks", [
    "x\r\nbody\r\n0\r\n\r\n",
    "-4\r\nbody\r\n0\r\n\r\n",
    "+4\r\nbody\r\n0\r\n\r\n",
    "0x4\r\nbody\r\n0\r\n\r\n",
    " 4\r\nbody\r\n0\r\n\r\n",
    "4 \r\nbody\r\n0\r\n\r\n",
    "\r\nbody\r\n0\r\n\r\n",
    "4\nbody\r\n0\r\n\r\n",
    "4\r\nbodyX\r\n0\r\n\r\n",
    "3\r\nbody\r\n0\r\n\r\n",
    "4\r\nbody0\r\n\r\n",
    "10000000000000000\r\nbody\r\n0\r\n\r\n",
    "fffffffffffffffff\r\nbody\r\n0\r\n\r\n",
    "4\r\nbody\r\n0\r\nbad trailer\r\n\r\n",
], ids=repr)
def test_a_bad_chunk_is_refused(target, chunks):
    head = "POST /lab/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    expect_refused(target, head + chunks, 400)


@pytest.mark.parametrize("size", ["ffffffffffffffff", "7fffffffffffffff", "fffffffff"])
def test_a_chunk_that_says_it_is_huge_is_not_waited_for(target, size):
    with target.connect() as connection:
        connection.send(f"POST /lab/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n{size}\r\n")
        connection.send(b"a" * 2 * MIB)
        assert connection.read_response().status in (400, 413)
        connection.expect_closed()


def test_endless_chunk_extensions_are_cut_off_with_an_answer(target):
    with target.connect() as connection:
        connection.send("POST /lab/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;")
        try:
            connection.send("a=b;" * 100_000)
        except ConnectionError:
            pass
        assert connection.read_response().status in (400, 413)


def test_endless_trailers_are_cut_off_with_an_answer(target):
    with target.connect() as connection:
        connection.send("POST /lab/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
        try:
            for n in range(20_000):
                connection.send(f"X-{n}: " + "a" * 100 + "\r\n")
        except ConnectionError:
            pass
        assert connection.read_response().status in (400, 413, 431)


def test_a_chunked_body_that_is_cut_off_ends_the_connection_alone(target):
    with target.connect() as connection:
        connection.send("POST /lab/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf")
        connection.half_close()
        assert not connection.read_to_end().startswith(b"HTTP/1.1 2")


def test_a_body_that_is_shorter_than_announced_is_never_taken_for_whole(target):
    with target.connect() as connection:
        connection.send("POST /lab/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
        connection.half_close()
        assert not connection.read_to_end().startswith(b"HTTP/1.1 2")


def test_what_follows_a_body_is_read_as_the_next_request(target):
    with target.connect() as connection:
        connection.send("POST /lab/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody and more\r\n\r\n")
        answer = connection.read_response()
        assert (answer.status, answer.body) == (200, b"body")
        assert connection.read_response().status == 400
        connection.expect_closed()


# What one client leaves behind must never reach another.


@pytest.mark.parametrize("first, status", [
    ("GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
    ("GET /livez HTTP/1.0\r\n\r\n", 200),
    ("POST /lab/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
    ("GET /livez HTTP/7.0\r\n\r\n", 505),
    ("POST /lab/forbidden HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n", 403),
    ("POST /lab/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
    ("PUT /lab/upload/10 HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n" + "a" * 100, 413),
])
def test_what_follows_the_last_request_of_a_connection_is_not_served_to_the_next_client(make_server, first, status):
    server = make_server(binary="atrium_lab", config={"http": {"threads": 1}})
    smuggled = "GET /lab/names/smuggled HTTP/1.1\r\nHost: evil\r\n\r\n"
    for _ in range(3):
        with server.connect() as connection:
            assert connection.send(first + smuggled).read_response().status == status
            connection.half_close()
            connection.read_to_end()
        with server.connect() as other:
            answer = other.send("GET /lab/names/mine HTTP/1.1\r\nHost: a\r\n\r\n").read_response()
            assert (answer.status, answer.text) == (200, "mine")


def test_half_a_request_is_not_finished_by_the_next_client(make_server):
    server = make_server(binary="atrium_lab", config={"http": {"threads": 1}})
    for half in ("GET /lab/na", "POST /lab/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nhalf"):
        with server.connect() as connection:
            connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n" + half)
            assert connection.read_response().status == 200
            connection.half_close()
            assert not connection.read_to_end().startswith(b"HTTP/1.1 2")
        with server.connect() as other:
            answer = other.send("GET /lab/names/mine HTTP/1.1\r\nHost: a\r\n\r\n").read_response()
            assert (answer.status, answer.text) == (200, "mine")


# Too much.


def test_a_body_announced_as_too_long_is_refused_at_once(target):
    with target.connect() as connection:
        connection.send(f"POST /lab/echo HTTP/1.1\r\nHost: a\r\nContent-Length: {100 * MIB}\r\n\r\n" + '{"a":[')
        answer = connection.read_response()
        assert (answer.status, answer.header("connection")) == (413, "close")
        connection.half_close()
        connection.expect_closed()


def send_until_refused(connection, piece: bytes, times: int) -> int:
    """How many bytes went out before the server had had enough."""
    sent = 0
    try:
        for _ in range(times):
            connection.send(piece)
            sent += len(piece)
    except ConnectionError:
        pass
    return sent


@pytest.mark.parametrize("framing", [f"Content-Length: {100 * MIB}", "Transfer-Encoding: chunked"])
def test_a_hundred_megabytes_of_json_cost_no_memory(target, framing):
    target.post("/lab/echo", b"x" * MIB)
    before = target.peak_rss_bytes()
    piece = b'{"a":[' + b"1," * 32_765
    if "chunked" in framing:
        piece = b"%x\r\n%b\r\n" % (len(piece), piece)
    with target.connect() as connection:
        connection.send(f"POST /lab/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n{framing}\r\n\r\n")
        send_until_refused(connection, piece, 1600)
        assert connection.read_response().status == 413
    assert target.sanitized or target.peak_rss_bytes() - before < 20 * MIB


def test_many_connections_that_say_nonsense_leave_nothing_behind(target):
    files = target.open_file_count()
    for n in range(300):
        with target.connect() as connection:
            connection.send(bytes([n % 256]) * (n + 1) + b"\r\n\r\n")
            assert connection.read_response().status in (400, 431, 505)
    eventually(lambda: target.open_file_count() <= files, what="all connections closed")


def test_a_client_that_resets_in_the_middle_of_anything_is_forgotten(target):
    files = target.open_file_count()
    for part in (b"", b"GET /li", b"GET /lab/sleep/50 HTTP/1.1\r\nHost: a\r\n\r\n",
                 b"GET /lab/count/100000 HTTP/1.1\r\nHost: a\r\n\r\n",
                 b"PUT /lab/upload HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf"):
        for _ in range(5):
            target.connect().send(part).reset()
    eventually(lambda: target.open_file_count() <= files, what="all connections closed")


def test_the_port_can_be_probed_without_a_word(target):
    for _ in range(20):
        socket.create_connection((target.address, target.port)).close()
    with target.connect() as connection, pytest.raises(ConnectionEnded):
        connection.half_close()
        connection.read_response()
