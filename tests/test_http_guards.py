# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A bug in a room costs one client its answer and nobody else anything, wherever it is met."""

import pytest
from listening import Listener
from raw_http import ConnectionEnded
from raw_websocket import TEXT, RawWebSocket, frame
from refusals import expect_others_are_served

# An exception of the standard library, one for want of memory, and one that is none.
KINDS = ["exception", "memory", "number"]
# Short bodies are taken at once, long ones streamed.
BODIES = [b"short", b"long" * 100_000]


def expect_unharmed(lab, pid: int) -> None:
    expect_others_are_served(lab)
    assert lab.process.poll() is None and lab.pid == pid
    assert lab.get("/lab/blocking").status == 200
    assert "secret detail" not in lab.stdout()


def expect_internal_error(answer) -> None:
    assert (answer.status, answer.header("content-type")) == (500, "application/problem+json")
    assert "secret detail" not in answer.text
    assert answer.json()["code"] == "internal"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["quick/handler", "blocking/handler", "rule"])
def test_what_a_handler_or_a_rule_throws_is_answered_500(lab, place, kind):
    pid = lab.pid
    expect_internal_error(lab.get(f"/lab/throws/{place}/{kind}"))
    expect_unharmed(lab, pid)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", BODIES, ids=["short", "long"])
@pytest.mark.parametrize("place", ["receive", "write", "finish"])
def test_what_is_thrown_while_a_body_is_received_is_answered_500(lab, place, body, kind):
    pid = lab.pid
    with lab.connect() as connection:
        head = f"PUT /lab/throws/upload/{place}/{kind} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n"
        expect_internal_error(connection.send(head.encode() + body).read_response())
    expect_unharmed(lab, pid)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["blocking/source", "blocking/events", "quick/events"])
def test_what_a_source_throws_breaks_its_reply_off(lab, place, kind):
    pid = lab.pid
    with lab.connect() as connection, pytest.raises(ConnectionEnded):
        connection.send(f"GET /lab/throws/{place}/{kind} HTTP/1.1\r\nHost: a\r\n\r\n").read_response()
    lab.wait_for_log(lambda line: "broken off" in line.get("message", ""))
    expect_unharmed(lab, pid)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("work", ["quick", "blocking"])
def test_what_a_session_throws_ends_its_socket(lab, work, kind):
    pid = lab.pid
    with RawWebSocket(lab, f"/lab/throws/{work}/session") as socket:
        socket.send(frame(TEXT, kind)).expect_end(1011)
    expect_unharmed(lab, pid)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_rule_throws_later_ends_what_lasts_and_no_timeout_of_others(make_server, kind):
    lab = make_server(binary="atrium_lab", config={"http": {"threads": 1, "header_timeout": "1s"}})
    pid = lab.pid
    with Listener(lab, path=f"/lab/throws/readmit/events/{kind}") as listener, \
            RawWebSocket(lab, f"/lab/throws/readmit/socket/{kind}") as socket:
        assert listener.next_chunk() == b""
        socket.expect_end(1008)
    with lab.connect() as slow:
        assert slow.send("GET /livez HTTP/1.1\r\n").read_response().status == 408
    expect_unharmed(lab, pid)
