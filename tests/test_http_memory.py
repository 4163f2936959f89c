# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""One budget of memory for bodies and for what is decoded from them: what it does not hold waits, or is told to come
again, and the server stays as large as it was configured."""

import concurrent.futures
import contextlib
import json
import threading
import time

import pytest
from calendar_client import CalendarClient
from certificates import connect_tls, make_certificate, tls_config, trusting
from identity_client import start_house
from raw_http import RawConnection, Response
from running_server import eventually
from seafile_client import FilesPerson, pack

MIB = 1 << 20
BUDGET = 256 * MIB
# Beyond the budget: the program itself, what the store is configured to take in these tests, the pieces that many
# connections read at once, and what the allocator has not given back yet.
ALLOWANCE = 300 * MIB
CONFIG = {"http": {"body_memory": "256MiB"}, "store": {"memory": "64MiB"}}


@pytest.fixture
def house(make_server):
    return start_house(make_server, config=CONFIG)


def at_once(count: int, ask) -> list[Response]:
    """What `ask(n)` answers for each n, all of them asked at the same moment."""
    barrier = threading.Barrier(count)

    def one(n: int) -> Response:
        barrier.wait()
        return ask(n)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def expect_done_or_told_to_wait(answers: list[Response], done: int) -> list[int]:
    """Which were told to wait; at least one was not."""
    waiting = [n for n, answer in enumerate(answers) if answer.status == 503]
    assert {answer.status for answer in answers} <= {done, 503}, {answer.status for answer in answers}
    assert all(int(answers[n].header("retry-after")) >= 1 for n in waiting)
    assert len(waiting) < len(answers)
    return waiting


def expect_bounded(server) -> None:
    if not server.sanitized:
        assert server.peak_rss_bytes() < BUDGET + ALLOWANCE, f"{server.peak_rss_bytes() / MIB:.0f} MiB"
    eventually(lambda: server.metrics().value("atrium_body_memory_bytes") == 0, what="all memory given back")


def in_the_end(ask, done: int) -> Response:
    """The answer of somebody who comes again when told to."""
    until = time.monotonic() + 60
    while (answer := ask()).status == 503 and time.monotonic() < until:
        time.sleep(int(answer.header("retry-after")) / 10)
    assert answer.status == done, answer.text[:500]
    return answer


def bomb(n: int) -> bytes:
    """A folder whose text is sixty megabytes long, and a few hundred thousand bytes on the way."""
    entries = [{"id": "a" * 40, "mode": 0o100644, "modifier": "a@example.org", "mtime": n, "name": f"{i:06}", "size": 1}
               for i in range(420_000, 0, -1)]
    return pack([json.dumps({"dirents": entries, "type": 3, "version": 1}, sort_keys=True).encode()])


def test_objects_that_unfold_to_gigabytes_wait_for_each_other(house):
    ann = FilesPerson(house, house.make_user("ann@example.org"))
    library = ann.make_library("Papers")
    one = bomb(1)
    assert len(one) < 8 * MIB

    def send(_: int = 0) -> Response:
        return library.call("POST", "recv-fs", one, deadline=120)

    waiting = expect_done_or_told_to_wait(at_once(48, send), 200)
    expect_bounded(house.server)
    for _ in waiting[:3]:
        in_the_end(send, 200)
    assert house.server.metrics().value("atrium_body_memory_max_bytes") == BUDGET


def calendar_file(n: int) -> bytes:
    """Sixty megabytes in which a few entries stand; the rest is what other programs wrote for themselves."""
    padding = ("X-OTHER-PROGRAM:" + "x" * 60 + "\r\n") * 100
    event = "".join(f"BEGIN:VEVENT\r\nUID:{n}-{i}\r\nDTSTART:20270101T{i:02}0000Z\r\nSUMMARY:Entry {i}\r\n{padding}END:VEVENT\r\n"
                    for i in range(10))
    head, tail = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n", "END:VCALENDAR\r\n"
    filler = ("X-OTHER-PROGRAM:" + "y" * 60 + "\r\n") * ((60 * MIB - len(event)) // 78)
    return (head + filler + event + tail).encode()


def test_imports_of_sixty_megabytes_wait_for_each_other(house):
    ann = CalendarClient(house, house.make_user("ann@example.org"))
    calendars = [ann.make_calendar(f"Calendar {n}") for n in range(20)]
    text = calendar_file(1)
    assert 55 * MIB < len(text) < 64 * MIB

    def bring_in(n: int) -> Response:
        return house.server.request("POST", f"/api/calendars/{calendars[n]}/import", text,
                                    ann.who | {"Content-Type": "text/calendar"}, deadline=120)

    waiting = expect_done_or_told_to_wait(at_once(20, lambda n: tolerant(lambda: bring_in(n))), 200)
    expect_bounded(house.server)
    for n in waiting[:2]:
        assert in_the_end(lambda n=n: bring_in(n), 200).json()["added"] == 10


def tolerant(ask) -> Response:
    """A refusal may come before all is sent; a client that only then finds the connection closed has lost it."""
    try:
        return ask()
    except (BrokenPipeError, ConnectionResetError):
        return Response(503, "", [("retry-after", "1")])


# The edge alone.


@pytest.fixture
def lab(make_server):
    return make_server(binary="atrium_lab", config=CONFIG)


def half_sent(lab, bytes_sent: int, length: int, *, source: str | None = None, path: str = "/lab/weigh",
              headers: dict[str, str] | None = None) -> RawConnection:
    fields = {"Host": "a", "Content-Length": str(length)} | (headers or {})
    head = f"POST {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
    return lab.connect(source=source).send(head.encode() + b"x" * bytes_sent)


def held(server) -> float:
    return server.metrics().value("atrium_body_memory_bytes")


def expect_told_to_come_again(connection: RawConnection) -> None:
    answer = connection.read_response()
    assert (answer.status, answer.header("connection")) == (503, "close")
    assert answer.header("content-type") == "application/problem+json"
    assert int(answer.header("retry-after")) >= 1


def test_only_what_has_arrived_of_a_body_counts(lab):
    connections = [half_sent(lab, 1000, 60 * MIB) for _ in range(50)]
    eventually(lambda: lab.metrics().value("atrium_body_memory_bytes") > 0, what="bodies on their way")
    assert lab.metrics().value("atrium_body_memory_bytes") < 4 * MIB
    assert lab.post("/lab/weigh", b"y" * (30 * MIB)).text == str(30 * MIB)
    for connection in connections:
        connection.close()
    eventually(lambda: lab.metrics().value("atrium_body_memory_bytes") == 0, what="all memory given back")


def test_large_bodies_beyond_the_budget_are_told_to_come_again_and_small_ones_pass(lab):
    bodies = [half_sent(lab, 30 * MIB, 31 * MIB, source=f"127.0.0.{n}") for n in (2, 3, 4)]
    eventually(lambda: held(lab) >= 90 * MIB, what="bodies on their way")
    with half_sent(lab, 20 * MIB, 40 * MIB) as refused:
        expect_told_to_come_again(refused)
    assert lab.post("/lab/weigh", b"y" * 200_000).text == "200000"
    assert lab.metrics().value("atrium_body_memory_refused_total") >= 1
    for connection in bodies:
        assert connection.send(b"x" * MIB).read_response().text == str(31 * MIB)
        connection.close()
    assert lab.post("/lab/weigh", b"y" * (40 * MIB)).text == str(40 * MIB)
    expect_bounded(lab)


def test_a_body_is_given_back_before_its_connection_ends(lab):
    with lab.connect() as connection:
        for _ in range(3):
            request = f"POST /lab/weigh HTTP/1.1\r\nHost: a\r\nContent-Length: {20 * MIB}\r\n\r\n".encode()
            assert connection.send(request + b"x" * (20 * MIB)).read_response().text == str(20 * MIB)
            assert lab.metrics().value("atrium_body_memory_bytes") == 0


# Nobody has all of it, and nobody has it for long.


def test_large_bodies_of_one_client_leave_room_for_those_of_others(lab):
    with half_sent(lab, 40 * MIB, 48 * MIB, source="127.0.0.2") as first:
        eventually(lambda: held(lab) >= 40 * MIB, what="a body on its way")
        with half_sent(lab, 40 * MIB, 48 * MIB, source="127.0.0.2") as second:
            expect_told_to_come_again(second)
        assert lab.post("/lab/weigh", b"y" * (32 * MIB)).text == str(32 * MIB)
        assert first.send(b"x" * (8 * MIB)).read_response().text == str(48 * MIB)
    with half_sent(lab, 64 * MIB, 64 * MIB, source="127.0.0.2") as longest:
        assert longest.read_response().text == str(64 * MIB)


def test_a_person_has_one_share_from_all_addresses(house):
    ann, ben = (CalendarClient(house, house.make_user(f"{name}@example.org")) for name in ("ann", "ben"))

    def begin(who: CalendarClient, source: str) -> RawConnection:
        path = f"/api/calendars/{who.make_calendar('Work')}/import"
        return half_sent(house.server, 33 * MIB, 48 * MIB, source=source, path=path,
                         headers=who.who | {"Content-Type": "text/calendar"})

    with begin(ann, "127.0.0.2"):
        eventually(lambda: held(house.server) == 48 * MIB, what="a body on its way")
        with begin(ann, "127.0.0.3") as second:
            expect_told_to_come_again(second)
        with begin(ben, "127.0.0.3"):
            eventually(lambda: held(house.server) == 96 * MIB, what="the body of somebody else")


def test_many_small_bodies_of_few_clients_leave_room_for_all_others(lab):
    """As many as would take the whole budget, if they could."""
    connections = [half_sent(lab, 129 << 10, 256 << 10, source=f"127.0.0.{2 + n % 3}") for n in range(1200)]
    eventually(lambda: held(lab) + 256 * 1024 * lab.metrics().value("atrium_body_memory_refused_total") > BUDGET,
               what="bodies on their way, or refused")
    assert held(lab) < BUDGET / 2
    assert lab.get("/lab/decode/128").text == "decoded"
    assert lab.post("/lab/weigh", b"y" * 200_000).text == "200000"
    for connection in connections:
        connection.close()
    eventually(lambda: held(lab) == 0, what="all memory given back")


def test_a_body_that_was_fast_at_first_and_then_drips_is_given_up(make_server):
    lab = make_server(binary="atrium_lab", config=CONFIG | {"http": CONFIG["http"] | {"body_timeout": "1s"}})
    with half_sent(lab, 33 * MIB, 48 * MIB) as connection:
        eventually(lambda: held(lab) == 48 * MIB, what="a body on its way")
        began = time.monotonic()
        answer = b""
        connection.stream.settimeout(0.2)
        while not answer and time.monotonic() - began < 30:
            with contextlib.suppress(ConnectionError):
                connection.stream.sendall(b"x")
            with contextlib.suppress(TimeoutError):
                answer = connection.stream.recv(4096)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert held(lab) == 0


@pytest.mark.parametrize("method, path", [("POST", "/lab/echo"), ("POST", "/lab/weigh"), ("PUT", "/lab/upload")])
def test_a_connection_that_idles_holds_nothing_of_its_last_body(make_server, tmp_path, method, path):
    certificate = make_certificate(tmp_path, serial=78)
    lab = make_server(binary="atrium_lab", config=tls_config(certificate) | CONFIG)
    connect = [lambda: lab.connect(), lambda: connect_tls(lab, trusting(certificate))]
    for open_connection in connect:
        with open_connection() as connection:
            head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n".encode()
            assert connection.send(head + b"x" * 60_000).read_response().status == 200
            assert held(lab) == 0
