# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""WebSockets: messages both ways, the rules of RFC 6455, and that neither slow nor rude clients harm anybody."""

import concurrent.futures
import contextlib
import json
import os
import selectors
import time
from socket import SO_RCVBUF, SOL_SOCKET

import pytest
import websocket
from certificates import connect_tls, make_certificate, tls_config, tls_port, trusting
from listening import Listener
from raw_http import ConnectionEnded
from raw_websocket import (ACCEPT, BYTES, CLOSE, CONTINUATION, KEY, PING, PONG, TEXT, Frame, RawWebSocket, close_frame,
                           frame, handshake)
from running_server import eventually

MIB = 1 << 20
ECHO = "/lab/sockets/echo/quick"
# How late the server may be: it looks at its clocks every half second, and sanitized programs are slow.
LATE = 8

both_kinds_of_work = pytest.mark.parametrize("work", ["quick", "blocking"])


@contextlib.contextmanager
def client(server, path: str, **options):
    """A client as programs use it, from Debian's python3-websocket."""
    options = {"timeout": 10, "http_no_proxy": ["*"]} | options
    connected = websocket.create_connection(f"ws://{server.address}:{server.port}{path}", **options)
    try:
        yield connected
    finally:
        connected.shutdown()


def sessions(server) -> int:
    return int(server.get("/lab/sockets").text)


def ring(server, text: str) -> None:
    assert server.post("/lab/sockets/bell", text.encode()).status == 204


def open_sockets(server) -> float:
    return server.metrics().value("atrium_http_sockets")


# A client library.


@both_kinds_of_work
def test_what_is_said_comes_back(lab, work):
    with client(lab, f"/lab/sockets/echo/{work}") as echo:
        for text in ["hello", "", "grüße €", "x" * 125, "x" * 126, "x" * 65535, "x" * 65536, "x" * MIB]:
            echo.send(text)
            assert echo.recv() == text
        echo.send_binary(bytes(range(256)))
        assert echo.recv_data() == (websocket.ABNF.OPCODE_BINARY, bytes(range(256)))


@both_kinds_of_work
def test_messages_come_back_in_order(lab, work):
    with client(lab, f"/lab/sockets/echo/{work}") as echo:
        for n in range(500):
            echo.send(f"message {n}")
        assert [echo.recv() for _ in range(500)] == [f"message {n}" for n in range(500)]


def test_a_ping_of_a_client_library_is_answered_with_its_own_words(lab):
    with client(lab, ECHO) as echo:
        echo.ping("are you there?")
        assert echo.recv_data(control_frame=True) == (websocket.ABNF.OPCODE_PONG, b"are you there?")


def test_a_client_library_closes_cleanly(lab):
    with client(lab, ECHO) as echo:
        echo.send("hello")
        echo.recv()
        echo.send_close(1000, b"done")
        opcode, payload = echo.recv_data(control_frame=True)
        assert (opcode, payload) == (websocket.ABNF.OPCODE_CLOSE, b"\x03\xe8done")
    eventually(lambda: sessions(lab) == 0, what="no sessions")


def test_a_session_says_how_many_and_ends(lab):
    with client(lab, "/lab/sockets/count/1000") as counting:
        assert [counting.recv() for _ in range(1000)] == [str(n) for n in range(1000)]
        assert counting.recv_data(control_frame=True) == (websocket.ABNF.OPCODE_CLOSE, b"\x03\xe8counted")


def test_the_ticks_of_another_thread_arrive_one_by_one(lab):
    with client(lab, "/lab/sockets/ticks/20") as ticking:
        heard = [int(ticking.recv().removeprefix("tick ")) for _ in range(10)]
        assert heard == list(range(heard[0], heard[0] + 10))


@both_kinds_of_work
def test_every_listener_hears_the_bell_in_order(lab, work):
    listeners = [RawWebSocket(lab, f"/lab/sockets/bell/{work}") for _ in range(50)]
    eventually(lambda: sessions(lab) == 50, what="fifty sessions")
    for n in range(20):
        ring(lab, f"ring {n}")
    for listener in listeners:
        assert [listener.read().payload for _ in range(20)] == [f"ring {n}".encode() for n in range(20)]
        listener.connection.close()
    eventually(lambda: sessions(lab) == 0, what="no sessions")


# The handshake.


def test_the_handshake_is_answered_as_the_standard_wants_it(lab):
    with RawWebSocket(lab, ECHO) as socket:
        assert socket.head.reason == "Switching Protocols"
        assert socket.head.header("sec-websocket-accept") == ACCEPT
        assert (socket.head.header("upgrade"), socket.head.header("connection")) == ("websocket", "Upgrade")
        assert len(socket.head.header("x-request-id")) == 16
        for absent in ("content-length", "transfer-encoding", "sec-websocket-protocol", "sec-websocket-extensions"):
            assert socket.head.header(absent) is None


def test_a_protocol_that_was_offered_is_named(lab):
    with RawWebSocket(lab, ECHO, "Sec-WebSocket-Protocol: other, echo.lab") as socket:
        assert socket.head.all("sec-websocket-protocol") == ["echo.lab"]
    with RawWebSocket(lab, ECHO, "Sec-WebSocket-Protocol: other") as socket:
        assert socket.head.header("sec-websocket-protocol") is None


def test_extensions_are_not_agreed_on(lab):
    with RawWebSocket(lab, ECHO, "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits") as socket:
        assert socket.head.header("sec-websocket-extensions") is None
        socket.send(frame(TEXT, b"compressed", reserved=0x40)).expect_end(1002)


def test_what_was_sent_right_behind_the_handshake_is_heard(lab):
    with lab.connect() as connection:
        connection.send(handshake(ECHO).encode() + frame(TEXT, "eager") + frame(PING, "?"))
        assert connection.read_head().status == 101
        assert connection.read_bytes(10) in (b"\x81\x05eager\x8a\x01?", b"\x8a\x01?\x81\x05eager")


def test_a_plain_request_is_told_to_upgrade(lab):
    answer = lab.get(ECHO)
    assert (answer.status, answer.reason) == (426, "Upgrade Required")
    assert answer.header("content-type") == "application/problem+json"
    assert (answer.header("upgrade"), answer.header("sec-websocket-version")) == ("websocket", "13")
    assert "Upgrade" in answer.all("connection")
    assert lab.request("HEAD", ECHO).status == 426
    assert lab.post(ECHO).status == 405


@pytest.mark.parametrize("request_text, status", [
    (handshake(ECHO, without=("Upgrade",)), 426),
    (handshake(ECHO, without=("Connection",)), 426),
    (handshake(ECHO, without=("Sec-WebSocket-Version",)), 426),
    (handshake(ECHO, "Sec-WebSocket-Version: 8", without=("Sec-WebSocket-Version",)), 426),
    (handshake(ECHO, "Upgrade: h2c", without=("Upgrade",)), 426),
    (handshake(ECHO, version="HTTP/1.0"), 426),
    (handshake(ECHO, without=("Sec-WebSocket-Key",)), 400),
    (handshake(ECHO, "Sec-WebSocket-Key: short", without=("Sec-WebSocket-Key",)), 400),
    (handshake(ECHO, f"Sec-WebSocket-Key: {KEY}"), 400),
    (handshake(ECHO, "Content-Length: 5") + "hello", 413),
    (handshake("/lab/nothing"), 404),
], ids=range(11))
def test_what_is_no_handshake_is_refused(lab, request_text, status):
    answer = lab.exchange(request_text)
    assert answer.status == status
    assert answer.json()["request_id"] == answer.header("x-request-id")
    assert sessions(lab) == 0


def test_a_connection_goes_on_after_a_refused_handshake(lab):
    with lab.connect() as connection:
        assert connection.send(handshake(ECHO, without=("Upgrade",))).read_response().status == 426
        assert connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").read_response().status == 200
        assert connection.send(handshake(ECHO)).read_head().status == 101


def test_what_the_handler_refuses_is_an_ordinary_reply(lab):
    with lab.connect() as connection:
        answer = connection.send(handshake("/lab/sockets/refused/politely")).read_response()
        assert (answer.status, answer.json()["detail"]) == (403, "not for you")
        answer = connection.send(handshake("/lab/sockets/refused/throws")).read_response()
        assert answer.status == 500 and "secret" not in answer.text
        answer = connection.send(handshake("/lab/sockets/slow/soon")).read_response()
        assert (answer.status, answer.json()["code"]) == (400, "invalid_argument")


@pytest.mark.parametrize("origin, status", [
    ("http://localhost", 101),
    ("http://LOCALHOST", 101),
    ("https://app.example", 101),
    ("https://localhost", 403),
    ("http://localhost:81", 403),
    ("http://localhost.evil.example", 403),
    ("https://evil.example", 403),
    ("null", 403),
    ("", 403),
])
def test_only_pages_of_ours_may_open_a_socket(make_server, origin, status):
    lab = make_server(binary="atrium_lab", config={"http": {"cors_origins": ["https://app.example"]}})
    with lab.connect() as connection:
        head = connection.send(handshake(ECHO, f"Origin: {origin}")).read_head()
        assert head.status == status


def test_a_client_library_with_the_origin_of_its_host_is_let_in(lab):
    # As the client of Seafile does it: neither Host nor Origin name the port.
    with client(lab, ECHO, host="127.0.0.1", origin="http://127.0.0.1", subprotocols=["echo.lab"]) as echo:
        assert echo.getsubprotocol() == "echo.lab"
        echo.send("hello")
        assert echo.recv() == "hello"


def test_behind_a_proxy_that_ended_tls_the_origin_is_the_one_people_see(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"trusted_proxies": ["127.0.0.1/32"]}})
    proxied = ("X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https", "X-Forwarded-Host: atrium.example")
    with RawWebSocket(lab, ECHO, "Origin: https://atrium.example", *proxied) as socket:
        assert socket.send(frame(TEXT, "hello")).read() == Frame(TEXT, b"hello")
        socket.send(close_frame(1000)).expect_end(1000)
    with lab.connect() as connection:
        assert connection.send(handshake(ECHO, "Origin: http://localhost", *proxied)).read_head().status == 403
    lab.stop()
    assert '"client":"203.0.113.9"' in lab.stdout()


# The rules of the protocol.


@both_kinds_of_work
def test_fragments_are_put_together_around_a_ping(lab, work):
    with RawWebSocket(lab, f"/lab/sockets/echo/{work}") as socket:
        socket.send(frame(TEXT, "one ", last=False), frame(PING, "between"), frame(CONTINUATION, "", last=False),
                    frame(CONTINUATION, "two ", last=False))
        assert socket.read() == Frame(PONG, b"between")
        socket.send(frame(PONG, "never asked for"), frame(CONTINUATION, "three"))
        assert socket.read() == Frame(TEXT, b"one two three")


def test_bytes_may_come_one_by_one(lab):
    with RawWebSocket(lab, ECHO) as socket:
        for byte in frame(TEXT, "he", last=False) + frame(PING, "?") + frame(CONTINUATION, "llo"):
            socket.send(bytes([byte]))
        assert socket.read() == Frame(PONG, b"?")
        assert socket.read() == Frame(TEXT, b"hello")


def test_a_character_may_be_cut_by_fragments(lab):
    with RawWebSocket(lab, ECHO) as socket:
        socket.send(frame(TEXT, b"\xe2", last=False), frame(CONTINUATION, b"\x82", last=False),
                    frame(CONTINUATION, b"\xac"))
        assert socket.read() == Frame(TEXT, "€".encode())


@pytest.mark.parametrize("code, frames", [
    (1002, [frame(TEXT, "not masked", mask=None)]),
    (1002, [frame(TEXT, "reserved", reserved=0x10)]),
    (1002, [frame(3, "no such opcode")]),
    (1002, [frame(11, "no such control opcode")]),
    (1002, [frame(PING, "a" * 126)]),
    (1002, [frame(PING, "in fragments", last=False)]),
    (1002, [frame(CONTINUATION, "of nothing")]),
    (1002, [frame(TEXT, "a", last=False), frame(TEXT, "b")]),
    (1002, [frame(CLOSE, b"\x03")]),
    (1002, [close_frame(1005)]),
    (1002, [close_frame(999)]),
    (1007, [frame(TEXT, b"\xff\xfe")]),
    (1007, [frame(TEXT, b"ab\xc3")]),
    (1007, [frame(TEXT, b"ab", last=False), frame(CONTINUATION, b"\xed\xa0\x80")]),
    (1007, [frame(CLOSE, b"\x03\xe8\xff")]),
    (1009, [b"\x82\xff" + (MIB + 1).to_bytes(8, "big") + b"mask"]),
    (1009, [b"\x82\xff" + ((1 << 63) - 1).to_bytes(8, "big") + b"mask"]),
    (1009, [frame(BYTES, bytes(MIB), last=False), frame(CONTINUATION, b"x")]),
])
def test_who_breaks_the_rules_is_told_which_and_let_go(lab, code, frames):
    with RawWebSocket(lab, ECHO) as socket:
        assert socket.send(*frames).expect_end(code) != ""
    eventually(lambda: sessions(lab) == 0, what="no sessions")


def test_one_who_breaks_the_rules_and_sends_on_still_hears_why(lab):
    with RawWebSocket(lab, ECHO) as socket:
        socket.send(frame(TEXT, "not masked", mask=None) + bytes(4 * MIB))
        last = socket.read()
        assert (last.opcode, last.code) == (CLOSE, 1002)


def test_a_message_of_the_greatest_length_is_taken(lab):
    with RawWebSocket(lab, ECHO) as socket:
        content = os.urandom(MIB)
        assert socket.send(frame(BYTES, content)).read() == Frame(BYTES, content)


def test_a_closing_client_hears_its_own_code(lab):
    with RawWebSocket(lab, ECHO) as socket:
        assert socket.send(close_frame(4321, "tired")).expect_end(4321) == "tired"
    with RawWebSocket(lab, ECHO) as socket:
        assert socket.send(frame(CLOSE)).read() == Frame(CLOSE, b"")
        socket.connection.expect_closed()


def test_what_was_asked_before_closing_is_answered_or_left_but_never_after_the_end(lab):
    with RawWebSocket(lab, "/lab/sockets/echo/blocking") as socket:
        socket.send(frame(TEXT, "first"), close_frame(1000))
        answers = [socket.read()]
        if answers[0].opcode == TEXT:
            answers.append(socket.read())
        assert answers[-1].code == 1000
        socket.connection.expect_closed()


@pytest.mark.parametrize("word, code, reason", [
    ("refuse", 1008, "that is refused"), ("break", 1013, ""), ("throw", 1011, "")])
@both_kinds_of_work
def test_a_session_that_fails_ends_with_a_code_that_fits(lab, work, word, code, reason):
    with RawWebSocket(lab, f"/lab/sockets/echo/{work}") as socket:
        last = socket.send(frame(TEXT, word)).read()
        assert (last.code, last.reason) == (code, reason)
        socket.send(close_frame(code))
        socket.connection.expect_closed()
    eventually(lambda: sessions(lab) == 0, what="no sessions")
    errors = [line for line in lab.log_lines() if line["level"] == "error"]
    assert len(errors) == (0 if code == 1008 else 1)
    assert all(line["request_id"] == socket.head.header("x-request-id") for line in errors)


def test_a_session_may_end_with_a_code_of_its_own_behind_its_last_words(lab):
    with RawWebSocket(lab, ECHO) as socket:
        assert socket.send(frame(TEXT, "end")).read() == Frame(TEXT, b"end")
        last = socket.read()
        assert (last.code, last.reason) == (4001, "as you wish")
        # Whatever is said now is passed over; a ping, too.
        socket.send(frame(TEXT, "too late"), frame(PING), close_frame(4001))
        socket.connection.expect_closed()


def test_a_client_that_does_not_agree_to_the_end_is_left(lab):
    with RawWebSocket(lab, ECHO) as socket:
        socket.send(frame(TEXT, "end")).read()
        began = time.monotonic()
        socket.expect_end(4001, deadline=2 + LATE)
        assert time.monotonic() - began >= 1.8


# Promptness.


def test_a_ping_is_answered_while_the_session_thinks(lab):
    with RawWebSocket(lab, "/lab/sockets/slow/3000") as socket:
        began = time.monotonic()
        socket.send(frame(TEXT, "think about it"))
        for n in range(5):
            assert socket.send(frame(PING, str(n))).read() == Frame(PONG, str(n).encode())
        assert time.monotonic() - began < 2.5
        assert socket.read() == Frame(TEXT, b"think about it")


def test_a_client_that_closes_while_the_session_thinks_hears_at_once(lab):
    with RawWebSocket(lab, "/lab/sockets/slow/2000") as socket:
        socket.send(frame(TEXT, "think about it"))
        eventually(lambda: lab.metrics().value("atrium_workers_running") >= 2, what="a session at work")
        began = time.monotonic()
        assert socket.send(close_frame(1000)).read().code == 1000
        assert time.monotonic() - began < 1.5
        # The session is still at work, and not pulled away from under it.
        assert sessions(lab) == 1
        eventually(lambda: sessions(lab) == 0, what="no sessions")


def test_a_hundred_sockets_talk_at_once(lab):
    def talk(number: int) -> None:
        with client(lab, f"/lab/sockets/echo/{'quick' if number % 2 else 'blocking'}", timeout=60) as echo:
            for n in range(50):
                echo.send(f"{number}/{n}")
                assert echo.recv() == f"{number}/{n}"

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        list(pool.map(talk, range(100)))
    eventually(lambda: sessions(lab) == 0, what="no sessions")


# Clients that are slow, silent or gone.


def test_a_client_that_does_not_read_holds_nothing_but_itself(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"write_timeout": "2s"}})
    with RawWebSocket(lab, "/lab/sockets/flood") as deaf, RawWebSocket(lab, ECHO) as keen:
        before = lab.peak_rss_bytes()
        assert keen.send(frame(TEXT, "hello")).read() == Frame(TEXT, b"hello")
        eventually(lambda: lab.metrics().value("atrium_http_timeouts_total") == 1, deadline=2 + 3 * LATE,
                   what="a timeout")
        eventually(lambda: sessions(lab) == 1, what="one session")
        assert lab.sanitized or lab.peak_rss_bytes() - before < 16 * MIB
        assert keen.send(frame(TEXT, "still here")).read() == Frame(TEXT, b"still here")
        with pytest.raises(ConnectionEnded):
            while True:
                assert deaf.read().payload == b"x" * 65536


def test_a_client_that_asks_and_does_not_read_is_not_heard_further(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"write_timeout": "1h"}})
    with RawWebSocket(lab, "/lab/sockets/echo/blocking") as socket:
        before = lab.peak_rss_bytes()
        message = frame(BYTES, bytes(MIB))
        socket.connection.stream.settimeout(2)
        sent = 0
        with pytest.raises(TimeoutError):
            while sent < 200 * MIB:
                sent += socket.connection.stream.send(message[sent % len(message):])
        received = lab.metrics().value("atrium_http_socket_received_messages_total")
        assert received < 100
        assert lab.sanitized or lab.peak_rss_bytes() - before < 32 * MIB
        # It is only slow: as it reads, the server goes on.
        for _ in range(int(received)):
            assert socket.read().payload == bytes(MIB)


def test_a_client_that_reads_slowly_gets_everything(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"write_timeout": "1s"}})
    with RawWebSocket(lab, "/lab/sockets/flood") as slow, selectors.DefaultSelector() as waiting:
        slow.connection.stream.setsockopt(SOL_SOCKET, SO_RCVBUF, 65_536)
        slow.send(frame(PING, "between messages"))
        heard = []
        for _ in range(60):
            heard += [slow.read() for _ in range(4)]
            waiting.select(0.05)
        assert heard.count(Frame(PONG, b"between messages")) == 1
        assert heard.count(Frame(BYTES, b"x" * 65536)) == 239
        assert lab.metrics().value("atrium_http_timeouts_total") == 0


def test_a_client_behind_a_slow_link_is_not_taken_for_dead(make_server):
    # Our ping stands behind a long message that went into the buffers of the system at once.
    lab = make_server(binary="atrium_lab", config={"http": {"heartbeat": "500ms"}})
    with RawWebSocket(lab, ECHO) as slow, selectors.DefaultSelector() as waiting:
        slow.connection.stream.setsockopt(SOL_SOCKET, SO_RCVBUF, 32_768)
        began = time.monotonic()
        slow.send(frame(BYTES, bytes(MIB)))
        assert len(slow.connection.read_bytes(10)) == 10
        for _ in range(MIB // 16_384):
            slow.connection.read_bytes(16_384)
            waiting.select(0.05)
        assert time.monotonic() - began > 2.5
        assert slow.read() == Frame(PING, b"")
        assert slow.send(frame(PONG), frame(TEXT, "alive")).read() == Frame(TEXT, b"alive")


def test_a_silent_client_is_asked_for_a_sign_of_life(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"heartbeat": "500ms"}})
    with RawWebSocket(lab, ECHO) as socket:
        for _ in range(4):
            assert socket.read() == Frame(PING, b"")
            socket.send(frame(PONG))
        assert socket.send(frame(TEXT, "alive")).read() == Frame(TEXT, b"alive")


def test_a_client_that_gives_no_sign_of_life_is_gone(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"heartbeat": "500ms"}})
    with RawWebSocket(lab, ECHO) as socket:
        began = time.monotonic()
        assert socket.read() == Frame(PING, b"")
        socket.connection.expect_closed(1 + LATE)
        assert time.monotonic() - began >= 0.9
    assert lab.metrics().value("atrium_http_timeouts_total") == 1
    assert sessions(lab) == 0


def test_a_client_that_is_spoken_to_and_never_answers_is_gone_too(make_server):
    # A machine that was switched off takes what is sent to it until the buffers are full.
    lab = make_server(binary="atrium_lab", config={"http": {"heartbeat": "500ms"}})
    with RawWebSocket(lab, "/lab/sockets/ticks/50") as socket:
        began = time.monotonic()
        with pytest.raises(ConnectionEnded):
            while time.monotonic() - began < 1 + LATE:
                socket.read()
        assert time.monotonic() - began >= 0.9
    eventually(lambda: sessions(lab) == 0, what="no sessions")


def test_a_message_that_drips_is_given_up(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"body_timeout": "1s", "body_rate_min": "10KiB"}})
    with RawWebSocket(lab, ECHO) as socket:
        message = frame(TEXT, "x" * 60_000)
        began = time.monotonic()
        socket.connection.stream.settimeout(0.05)
        answer = b""
        for at in range(0, len(message), 5):
            socket.connection.stream.sendall(message[at:at + 5])
            with contextlib.suppress(TimeoutError):
                answer = socket.connection.stream.recv(100)
            if answer or time.monotonic() - began > 1 + LATE:
                break
        assert answer[:4] == b"\x88\x24\x03\xf0", answer
        assert time.monotonic() - began >= 0.9


def test_a_message_that_is_slow_but_fast_enough_is_taken(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"body_timeout": "1s", "body_rate_min": "10KiB"}})
    with RawWebSocket(lab, ECHO) as socket:
        message = frame(TEXT, "x" * 200_000)
        socket.connection.stream.settimeout(0.1)
        for at in range(0, len(message), 10_000):
            socket.connection.stream.sendall(message[at:at + 10_000])
            if at + 10_000 < len(message):
                with pytest.raises(TimeoutError):
                    socket.connection.stream.recv(1)
        assert len(socket.read().payload) == 200_000


@pytest.mark.parametrize("how", ["close", "reset", "half_close"])
@both_kinds_of_work
def test_a_client_that_left_without_a_word_is_forgotten(lab, work, how):
    left = [RawWebSocket(lab, f"/lab/sockets/echo/{work}") for _ in range(20)]
    left += [RawWebSocket(lab, f"/lab/sockets/bell/{work}") for _ in range(20)]
    assert open_sockets(lab) == 40
    for socket in left:
        getattr(socket.connection, how)()
    eventually(lambda: open_sockets(lab) == 0, deadline=5, what="no sockets")
    eventually(lambda: sessions(lab) == 0, what="no sessions")
    ring(lab, "anybody?")
    for socket in left:
        socket.connection.close()


# Many.


def idle_cost(lab, open_one) -> float:
    """Bytes of resident memory for each of a thousand connections that wait, kernel memory not counted."""
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            open_one(stack)
        # What the first ones bring along belongs to the server.
        before = lab.rss_bytes()
        for _ in range(1000):
            open_one(stack)
        return (lab.rss_bytes() - before) / 1000


def test_a_thousand_idle_sockets_cost_little(make_server):
    lab = make_server(binary="atrium_lab")
    cost = idle_cost(lab, lambda stack: stack.enter_context(RawWebSocket(lab, "/lab/sockets/bell/quick")))
    eventually(lambda: open_sockets(lab) == 0, what="no sockets")
    events = make_server(binary="atrium_lab")
    event_cost = idle_cost(events, lambda stack: stack.enter_context(Listener(events)))
    print(f"idle: {cost:.0f} bytes a socket, {event_cost:.0f} bytes an event stream")
    assert lab.sanitized or cost < min(event_cost, 9000)


def test_a_thousand_sockets_hear_the_bell_and_the_server_stays_prompt(lab):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(RawWebSocket(lab, "/lab/sockets/bell/quick")) for _ in range(1000)]
        threads = lab.thread_count()
        ring(lab, "hear, hear")
        assert {socket.read(30).payload for socket in sockets} == {b"hear, hear"}
        assert lab.get("/livez").status == 200
        assert lab.thread_count() == threads
        assert open_sockets(lab) == 1000


# Stopping.


def test_the_end_of_the_server_is_announced(lab):
    sockets = [RawWebSocket(lab, path) for path in
               (ECHO, "/lab/sockets/echo/blocking", "/lab/sockets/bell/quick", "/lab/sockets/bell/blocking") * 5]
    lab.terminate()
    for socket in sockets:
        last = socket.read()
        assert (last.opcode, last.code) == (CLOSE, 1001)
        socket.send(close_frame(1001))
        socket.connection.expect_closed()
        socket.connection.close()
    assert lab.wait() == 0


def test_clients_that_do_not_say_goodbye_hold_the_server_up_for_seconds_only(lab):
    sockets = [RawWebSocket(lab, ECHO) for _ in range(10)]
    began = time.monotonic()
    lab.terminate()
    assert lab.wait(deadline=30) == 0
    assert time.monotonic() - began < 2 + LATE
    assert {socket.expect_end(1001) for socket in sockets} == {"the server is stopping"}
    for socket in sockets:
        socket.connection.close()


def test_a_session_at_work_may_finish_before_the_server_ends(lab):
    with RawWebSocket(lab, "/lab/sockets/slow/1000") as socket:
        socket.send(frame(TEXT, "think about it"))
        eventually(lambda: lab.metrics().value("atrium_workers_running") >= 2, what="a session at work")
        lab.terminate()
        assert socket.read().code == 1001
        socket.send(close_frame(1001))
        assert lab.wait() == 0


# What is seen from outside.


def test_a_socket_is_one_line_in_the_log_when_it_ends(lab):
    with RawWebSocket(lab, ECHO + "?token=secret", "User-Agent: tester") as socket:
        socket.send(frame(TEXT, "hello")).read()
        request_id = socket.head.header("x-request-id")
        lab.get("/livez")
        assert request_id not in lab.stdout()
        socket.send(close_frame(1000)).expect_end(1000)
    lab.stop()
    assert "secret" not in lab.stdout()
    line, = [json.loads(line) for line in lab.stdout().splitlines() if request_id in line]
    sent = len(handshake(ECHO + "?token=secret", "User-Agent: tester")) + len(frame(TEXT, "hello")) + 8
    assert (line["status"], line["method"], line["path"], line["route"]) == (101, "GET", ECHO, ECHO)
    assert (line["client"], line["agent"]) == ("127.0.0.1", "tester")
    assert line["bytes_in"] == sent
    assert line["bytes_out"] > 7 + 4
    assert line["duration_us"] > 0


def test_sockets_and_their_messages_are_counted(lab):
    with RawWebSocket(lab, ECHO) as socket:
        for _ in range(3):
            socket.send(frame(TEXT, "hello")).read()
        metrics = lab.metrics()
        assert metrics.value("atrium_http_sockets") == 1
        assert metrics.value("atrium_http_connections") == 2
        assert metrics.value("atrium_http_socket_received_messages_total") == 3
        assert metrics.value("atrium_http_socket_sent_messages_total") == 3
        socket.send(close_frame(1000)).expect_end(1000)
    metrics = eventually(lambda: (now := lab.metrics()).value("atrium_http_sockets") == 0 and now)
    assert metrics.value("atrium_http_requests_total", route=f"GET {ECHO}", status="1xx") == 1


def test_the_api_document_says_that_a_route_is_a_socket(lab):
    document = lab.get("/api/openapi.json").json()
    operation = document["paths"][ECHO]["get"]
    assert operation["x-socket"] is True
    assert "101" in operation["responses"] and "2XX" not in operation["responses"]
    assert "requestBody" not in operation
    assert operation["x-body-bytes-max"] == MIB
    assert "x-socket" not in document["paths"]["/livez"]["get"]


# Through TLS.


@pytest.fixture
def secure(make_server, tmp_path):
    """A lab, and how to open a socket of it through TLS."""
    certificate = make_certificate(tmp_path, serial=1)
    lab = make_server(binary="atrium_lab", config=tls_config(certificate) | {"http": {"heartbeat": "2s"}})

    def open_socket(path: str) -> RawWebSocket:
        return RawWebSocket(lab, path, connection=connect_tls(lab, trusting(certificate)))

    return lab, open_socket


def test_sockets_work_through_tls(make_server, tmp_path):
    certificate = make_certificate(tmp_path, serial=1)
    lab = make_server(binary="atrium_lab", config=tls_config(certificate))
    address = f"localhost:{tls_port(lab)}"
    with contextlib.closing(websocket.create_connection(
            f"wss://{address}{ECHO}", timeout=10, http_no_proxy=["*"], origin=f"https://{address}",
            sslopt={"ca_certs": str(certificate.certificate)})) as echo:
        for text in ["hello", "x" * 100_000, "x" * MIB]:
            echo.send(text)
            assert echo.recv() == text


def test_through_tls_a_ping_is_answered_while_the_session_thinks(secure):
    _, open_socket = secure
    with open_socket("/lab/sockets/slow/1000") as socket:
        socket.send(frame(TEXT, "think"), frame(PING, "?"))
        assert socket.read() == Frame(PONG, b"?")
        assert socket.read() == Frame(TEXT, b"think")
        assert socket.send(close_frame(1000)).expect_end(1000) == ""


def test_through_tls_faults_are_told(secure):
    lab, open_socket = secure
    with open_socket(ECHO) as socket:
        last = socket.send(frame(TEXT, "not masked", mask=None)).read()
        assert (last.opcode, last.code) == (CLOSE, 1002)
    eventually(lambda: sessions(lab) == 0, what="no sessions")


def test_through_tls_a_client_that_gives_no_sign_of_life_is_gone(secure):
    lab, open_socket = secure
    with open_socket(ECHO) as socket:
        assert socket.read() == Frame(PING, b"")
        eventually(lambda: sessions(lab) == 0, deadline=4 + LATE, what="no sessions")


def test_through_tls_a_client_that_left_is_forgotten(secure):
    lab, open_socket = secure
    left = [open_socket(path) for path in (ECHO, "/lab/sockets/bell/blocking")]
    for socket in left:
        socket.connection.close()
    eventually(lambda: sessions(lab) == 0, deadline=1.5, what="no sessions")


def test_through_tls_the_end_of_the_server_is_announced(secure):
    lab, open_socket = secure
    with open_socket("/lab/sockets/bell/quick") as socket:
        lab.terminate()
        assert socket.read().code == 1001
        socket.send(close_frame(1001))
        assert lab.wait() == 0
