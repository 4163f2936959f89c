# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The control socket: who may open the file is the operator, and nobody else knows that it exists."""

import json
import os
import shutil
import signal
import socket
import stat
import subprocess

import pytest
from programs import run
from raw_http import RawConnection
from running_server import eventually

STATS = "/control/store/stats"


class ControlConnection(RawConnection):
    """A bare connection to the control socket."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(10)
        # A path may be longer than an address has room for.
        folder = os.open(path.parent, os.O_PATH)
        try:
            self._socket.connect(f"/proc/self/fd/{folder}/{path.name}")
        finally:
            os.close(folder)
        self._buffer = bytearray()
        self._ended = False


def control(server) -> ControlConnection:
    return ControlConnection(server.data / "control.sock")


def ask(server, target: str, method: str = "GET", headers: str = "", body: str = ""):
    with control(server) as connection:
        connection.send(f"{method} {target} HTTP/1.1\r\nHost: control\r\n{headers}"
                        f"Content-Length: {len(body)}\r\n\r\n{body}")
        return connection.read_response()


def without_request(response) -> tuple:
    """What one request has in common with another that is answered alike."""
    body = {name: value for name, value in response.json().items() if name != "request_id"} if response.body else None
    headers = {name: value for name, value in response.headers if name not in ("x-request-id", "date")}
    return response.status, body, headers


def test_the_file_is_for_its_owner_alone(server):
    status = (server.data / "control.sock").stat()
    assert stat.S_ISSOCK(status.st_mode)
    assert stat.S_IMODE(status.st_mode) == 0o600
    assert stat.S_IMODE(server.data.stat().st_mode) == 0o700


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_curl_reaches_it(server):
    printed = subprocess.run(["curl", "--silent", "--fail", "--unix-socket", "control.sock", f"http://control{STATS}"],
                             cwd=server.data, capture_output=True, text=True, timeout=30, check=True)
    assert json.loads(printed.stdout)["folder"] == str(server.data / "store")


def test_other_routes_are_there_too_and_many_requests_share_a_connection(server):
    with control(server) as connection:
        for target in ("/api/health", STATS, "/metrics", "/"):
            connection.send(f"GET {target} HTTP/1.1\r\nHost: control\r\n\r\n")
            assert connection.read_response().status == 200


@pytest.mark.parametrize("method, path", [
    ("GET", STATS), ("HEAD", STATS), ("POST", STATS), ("OPTIONS", STATS), ("DELETE", STATS),
    ("POST", "/control/store/tasks"), ("GET", "/control/store/tasks"), ("GET", "/control/store/tasks/1"),
    ("POST", "/control/store/checkpoint"), ("POST", "/control/files/tasks"), ("GET", "/control/blobs/stats"),
    ("GET", "/control/jobs"), ("POST", "/control/jobs/store.backup/run"),
])
def test_over_the_network_no_such_route_exists(server, method, path):
    # Exactly what is said of an address that nobody ever heard of.
    assert without_request(server.request(method, path)) == without_request(server.request(method, "/nothing/here"))


def test_the_api_document_does_not_mention_it(server):
    assert "control" not in server.get("/api/openapi.json").text


def test_headers_of_a_proxy_are_not_believed(make_server):
    server = make_server(config={"http": {"trusted_proxies": ["0.0.0.0/0", "::/0"], "operators": []}})
    assert ask(server, "/metrics", headers="X-Forwarded-For: 192.0.2.1\r\n").status == 200
    assert '"client":"control"' in eventually(lambda: server.stdout())


def test_network_headers_do_not_open_it(make_server):
    server = make_server(config={"http": {"trusted_proxies": ["127.0.0.1"]}})
    for value in ("control", "unix:", "127.0.0.1", ""):
        assert server.get(STATS, headers={"X-Forwarded-For": value}).status == 404


def test_the_access_log_names_the_client_control(server):
    ask(server, STATS)
    lines = eventually(lambda: [line for line in server.stdout().splitlines() if STATS in line])
    assert json.loads(lines[0])["client"] == "control"


def test_no_rate_limits_it(make_server):
    server = make_server(config={"http": {"request_rate": 0.01, "request_burst": 1, "costly_rate": 0.01,
                                          "costly_burst": 1}})
    assert [ask(server, "/").status for _ in range(20)] == [200] * 20


def test_a_server_that_is_full_can_still_be_reached(make_server):
    server = make_server(config={"http": {"max_connections": 2}})
    with server.connect() as one, server.connect() as two:
        for connection in (one, two):
            connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
            assert connection.read_response().status == 200
        with server.connect() as third:
            assert third.read_response().status == 503
        assert ask(server, STATS).status == 200


def test_it_is_bounded_itself(server):
    connections = [control(server) for _ in range(64)]
    try:
        for connection in connections:
            connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
            assert connection.read_response().status == 200
        with control(server) as more:
            assert more.read_response().status == 503
    finally:
        for connection in connections:
            connection.close()


@pytest.mark.parametrize("request_bytes, status", [
    (b"nonsense\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\n\r\n", 400),
    (b"GET /control/nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    (b"DELETE /control/jobs HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    (b"POST /control/store/tasks HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{]",
     400),
    (b"POST /control/store/tasks HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n", 413),
    (b"GET /control/store/tasks/77 HTTP/1.1\r\nHost: a\r\n\r\n", 404),
])
def test_what_makes_no_sense_is_refused(server, request_bytes, status):
    with control(server) as connection:
        assert connection.send(request_bytes).read_response().status == status
    assert ask(server, STATS).status == 200


def test_a_clean_end_takes_the_file_away_and_a_new_server_makes_it_again(make_server):
    first = make_server()
    first.stop()
    assert not (first.data / "control.sock").exists()
    second = make_server(data=first.data)
    assert ask(second, STATS).status == 200


def test_the_file_of_a_killed_server_is_replaced(make_server):
    first = make_server()
    first.kill()
    assert (first.data / "control.sock").exists()
    second = make_server(data=first.data)
    assert ask(second, STATS).status == 200


def test_an_open_connection_is_drained_like_any_other(server):
    with control(server) as connection:
        connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.read_response().status == 200
        server.signal(signal.SIGTERM)
        connection.expect_closed()
    assert server.wait() == 0


def test_a_data_folder_with_a_long_path_has_one_too(make_server, tmp_path):
    data = tmp_path / ("d" * 100) / ("e" * 100)
    server = make_server(data=data)
    assert ask(server, STATS).json()["folder"] == str(data / "store")


def test_a_file_in_its_place_stops_the_start_and_stays(build_folder, tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "control.sock").write_text("precious")
    printed = run(build_folder.resolve() / "atrium", "serve", "--port", 0, "--data", data, folder=tmp_path)
    assert printed.returncode == 1
    assert "is in the way of the control socket" in printed.stderr
    assert (data / "control.sock").read_text() == "precious"
