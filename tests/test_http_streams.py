# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Server-sent events: what is said reaches everybody who listens, in order, and nobody keeps the server from ending."""

import concurrent.futures
import time

import pytest
from listening import Listener
from running_server import eventually


def say(server, text: str) -> None:
    assert server.post("/lab/events", text.encode()).status == 204


def test_a_stream_is_announced_as_what_it_is(lab):
    with Listener(lab) as listener:
        assert listener.head.status == 200
        assert listener.head.header("content-type") == "text/event-stream"
        assert listener.head.header("cache-control") == "no-store"
        assert listener.head.header("transfer-encoding") == "chunked"


def test_every_listener_hears_everything_in_order(lab):
    listeners = [Listener(lab) for _ in range(5)]
    for n in range(20):
        say(lab, f"word {n}")
    for listener in listeners:
        for n in range(20):
            assert listener.next_event() == {"id": str(n + 1), "event": "said", "data": f"word {n}"}
        listener.connection.close()


def test_an_event_arrives_at_once_and_not_with_the_next(lab):
    with Listener(lab) as listener:
        for n in range(3):
            began = time.monotonic()
            say(lab, f"word {n}")
            assert listener.next_event()["data"] == f"word {n}"
            assert time.monotonic() - began < 5


def test_several_lines_stay_one_event(lab):
    with Listener(lab) as listener:
        say(lab, "first\nsecond\n\nid: 99\nfourth")
        assert listener.next_event() == {"id": "1", "event": "said", "data": "first\nsecond\n\nid: 99\nfourth"}


@pytest.mark.parametrize("separator", ["\r", "\r\n"], ids=repr)
def test_no_kind_of_line_end_lets_a_text_become_fields(lab, separator):
    # Readers of a stream end a line at each of the three.
    with Listener(lab) as listener:
        say(lab, f"first{separator}{separator}event: forged{separator}data: forged")
        assert listener.next_event() == {"id": "1", "event": "said", "data": "first\n\nevent: forged\ndata: forged"}


def test_a_listener_resumes_where_it_was(lab):
    for n in range(5):
        say(lab, f"word {n}")
    with Listener(lab, "Last-Event-ID: 3") as listener:
        assert [listener.next_event()["id"] for _ in range(2)] == ["4", "5"]
        say(lab, "word 5")
        assert listener.next_event() == {"id": "6", "event": "said", "data": "word 5"}


def test_http_1_0_hears_without_chunks(lab):
    with lab.connect() as connection:
        connection.send("GET /lab/events HTTP/1.0\r\n\r\n")
        head = connection.read_head()
        assert (head.status, head.header("transfer-encoding"), head.header("connection")) == (200, None, "close")
        say(lab, "word")
        assert connection.read_until(b"\n\n") == b"id: 1\nevent: said\ndata: word\n\n"


def test_two_hundred_listeners_hear_the_same(lab):
    listeners = [Listener(lab) for _ in range(200)]
    before = lab.thread_count()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: say(lab, f"word {n}"), range(10)))
    heard = {tuple(listener.next_event(30)["data"] for _ in range(10)) for listener in listeners}
    assert len(heard) == 1
    assert sorted(heard.pop()) == sorted(f"word {n}" for n in range(10))
    assert lab.thread_count() == before
    for listener in listeners:
        listener.connection.close()


def test_a_listener_that_left_is_forgotten_though_nothing_is_said(lab):
    listeners = [Listener(lab) for _ in range(20)]
    assert lab.metrics().value("atrium_http_connections") == 21
    for listener in listeners:
        listener.connection.close()
    eventually(lambda: lab.metrics().value("atrium_http_connections") == 1, deadline=5, what="one connection")


def test_listeners_that_left_are_forgotten_when_something_is_said(lab):
    listeners = [Listener(lab) for _ in range(20)]
    for n, listener in enumerate(listeners):
        listener.connection.reset() if n % 2 else listener.connection.close()

    def forgotten():
        say(lab, "anybody?")
        return lab.metrics().value("atrium_http_connections") == 1

    eventually(forgotten, what="one connection")


def test_a_listener_that_does_not_read_is_given_up_and_others_hear_on(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"write_timeout": "1s"}})
    with Listener(lab) as deaf, Listener(lab) as keen:
        text = "x" * 4000
        said = 0

        def given_up():
            nonlocal said
            for _ in range(50):
                say(lab, text)
                said += 1
            return lab.metrics().value("atrium_http_timeouts_total") == 1

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            heard = pool.submit(lambda: [keen.next_event(60)["id"] for _ in range(1000)])
            eventually(given_up, deadline=60, what="the deaf listener to be given up")
            for _ in range(max(0, 1000 - said)):
                say(lab, text)
            assert heard.result(60) == [str(n + 1) for n in range(1000)]
        assert deaf.head.status == 200


def test_the_end_of_the_server_ends_streams_cleanly(lab):
    listeners = [Listener(lab) for _ in range(10)]
    say(lab, "last words")
    assert {listener.next_event()["data"] for listener in listeners} == {"last words"}
    lab.terminate()
    for listener in listeners:
        assert listener.next_chunk() == b""
        listener.connection.expect_closed()
        listener.connection.close()
    assert lab.wait() == 0


def test_a_silent_stream_is_kept_open_by_comments(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"heartbeat": "200ms"}})
    with Listener(lab) as listener:
        assert listener.next_chunk() == b": still here\n\n"
        assert listener.next_chunk() == b": still here\n\n"
        say(lab, "news")
        event = listener.next_event()
        while "event" not in event:
            event = listener.next_event()
        assert event["data"] == "news"


def test_looking_at_many_listeners_holds_up_nobody_and_leaves_nobody_out(make_server):
    """Each look takes 100 ms, so that all of them would take the only thread for two seconds."""
    lab = make_server(binary="atrium_lab", config={"http": {"threads": 1}})
    hosts = [Listener(lab, path="/lab/slow-later/host") for _ in range(15)]
    guests = [Listener(lab, path="/lab/slow-later/guest") for _ in range(5)]
    slowest = 0.0
    for _ in range(20):
        began = time.monotonic()
        assert lab.get("/lab/quick").status == 200
        slowest = max(slowest, time.monotonic() - began)
        time.sleep(0.1)
    assert slowest < 1.5
    assert lab.post("/lab/release").status == 204
    for guest in guests:
        assert guest.next_chunk(30) == b""
    for listener in hosts + guests:
        listener.connection.close()
