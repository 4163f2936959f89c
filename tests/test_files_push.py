# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""How clients hear of changes at once: over a WebSocket, with tokens that say of which libraries."""

import contextlib
import json
import time

import pytest
import websocket
from identity_client import start_house
from raw_websocket import CLOSE, PING, PONG, TEXT, RawWebSocket, frame
from seafile_client import FilesPerson

PROTOCOL = "notification.seafile.com"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesPerson(house, house.make_user("ann@example.org"))


@pytest.fixture
def library(ann):
    return ann.make_library("Papers")


@contextlib.contextmanager
def listener(server):
    connected = websocket.create_connection(f"ws://{server.address}:{server.port}/notification",
                                            subprotocols=[PROTOCOL], timeout=10, http_no_proxy=["*"])
    try:
        yield connected
    finally:
        connected.shutdown()


def jwt(library) -> str:
    answer = library.call("GET", "jwt-token")
    assert answer.status == 200, answer.text
    return answer.json()["jwt_token"]


def ask(socket, kind: str, *libraries: dict) -> None:
    socket.send(json.dumps({"type": kind, "content": {"repos": list(libraries)}}))


def subscribe(socket, library) -> None:
    ask(socket, "subscribe", {"id": library.id, "jwt_token": jwt(library)})


def update(library, commit: str) -> dict:
    return {"type": "repo-update", "content": {"repo_id": library.id, "commit_id": commit}}


def expired(library) -> dict:
    return {"type": "jwt-expired", "content": {"repo_id": library.id}}


def hear(socket) -> dict:
    return json.loads(socket.recv())


def change(ann, library, name: str) -> str:
    """Moves the head."""
    answer = ann.call("POST", f"/api2/repos/{library.id}/?op=rename", {"repo_name": name})
    assert answer.status == 200, answer.text
    return library.head()


def test_clients_find_out_that_changes_are_told(house):
    answer = house.server.get("/notification/ping")
    assert (answer.status, answer.json()) == (200, {"ret": "pong"})


def test_a_change_is_told_at_once(ann, library):
    with listener(library.server) as socket:
        assert socket.getsubprotocol() == PROTOCOL
        subscribe(socket, library)
        assert hear(socket) == update(library, library.head())
        for name in ("Sheets", "Scores", "Songs"):
            began = time.monotonic()
            head = change(ann, library, name)
            assert hear(socket) == update(library, head)
            assert time.monotonic() - began < 5


def test_only_what_was_subscribed_to_is_told(ann, library):
    other = ann.make_library("Others")
    with listener(library.server) as socket:
        subscribe(socket, library)
        hear(socket)
        change(ann, other, "Still others")
        head = change(ann, library, "Sheets")
        assert hear(socket) == update(library, head)
        ask(socket, "unsubscribe", {"id": library.id})
        subscribe(socket, other)
        assert hear(socket) == update(other, other.head())
        change(ann, library, "Scores")
        head = change(ann, other, "Yet others")
        assert hear(socket) == update(other, head)


def test_a_token_opens_its_own_library_alone(ann, library):
    other = ann.make_library("Others")
    bob = FilesPerson(ann.house, ann.house.make_user("bob@example.org"))
    bobs = bob.make_library("Bobs")
    with listener(library.server) as socket:
        for secret in (jwt(other), jwt(bobs), "x.y.z", "", jwt(library) + "x"):
            ask(socket, "subscribe", {"id": library.id, "jwt_token": secret})
            assert hear(socket) == expired(library)
        change(ann, library, "Sheets")
        subscribe(socket, other)
        assert hear(socket) == update(other, other.head())


def test_the_token_is_for_who_syncs_the_library(ann, library):
    other = ann.make_library("Others")
    assert library.call("GET", "jwt-token", secret=other.token).status == 403
    assert library.call("GET", "jwt-token", secret="").status == 403


def test_who_may_not_see_the_library_any_more_hears_nothing(ann, library):
    other = ann.make_library("Others")
    with listener(library.server) as socket:
        subscribe(socket, library)
        hear(socket)
        subscribe(socket, other)
        hear(socket)
        assert ann.call("DELETE", f"/api2/repos/{library.id}/").status == 200
        head = change(ann, other, "Still others")
        assert hear(socket) == update(other, head)


def test_pings_are_answered_promptly(library):
    with RawWebSocket(library.server, "/notification", f"Sec-WebSocket-Protocol: {PROTOCOL}") as socket:
        assert socket.head.header("sec-websocket-protocol") == PROTOCOL
        began = time.monotonic()
        socket.send(frame(PING, "are you there?"))
        answer = socket.read()
        assert (answer.opcode, answer.payload) == (PONG, b"are you there?")
        assert time.monotonic() - began < 4


@pytest.mark.parametrize("text", ["hello", "[]", '{"type": 1}', '{"type":"subscribe","content":{"repos":[{"id":"x"}]}}'])
def test_what_is_no_message_ends_the_socket(library, text):
    with RawWebSocket(library.server, "/notification") as socket:
        socket.send(frame(TEXT, text))
        assert socket.read().opcode == CLOSE


def test_messages_of_newer_clients_are_passed_over(ann, library):
    with listener(library.server) as socket:
        socket.send('{"type":"something-new","content":{"more":1}}')
        socket.send('{"type":"alone"}')
        subscribe(socket, library)
        assert hear(socket) == update(library, library.head())
