# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Starting, stopping and reloading: what clients notice of it, which should be nothing."""

import hashlib
import signal
import socket
import time

import pytest
from certificates import make_certificate, serial_seen, tls_config
from programs import clean_environment, run
from running_server import RunningServer, eventually

MIB = 1 << 20


def get(path: str, *headers: str) -> str:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers]) + "\r\n\r\n"


def refuses_connections(server) -> bool:
    try:
        socket.create_connection((server.address, server.port), timeout=5).close()
    except ConnectionRefusedError:
        return True
    return False


def wait_until_running(server, count: int) -> None:
    """`count` requests are at work on worker threads, besides the one that asks."""
    eventually(lambda: server.metrics().value("atrium_workers_running") == count + 1, what=f"{count} at work")


# Stopping.


def test_requests_in_flight_are_answered_before_the_server_ends(make_server):
    # One client has a quarter of the workers, and one room three quarters.
    lab = make_server(binary="atrium_lab", config={"http": {"worker_threads": 280}})
    connections = [lab.connect(source=f"127.0.0.{2 + n % 10}").send(get("/lab/sleep/500")) for n in range(200)]
    wait_until_running(lab, 200)
    lab.terminate()
    eventually(lambda: refuses_connections(lab), what="refused connections")
    assert lab.process.poll() is None
    answers = [connection.read_response(deadline=30) for connection in connections]
    assert [(answer.status, answer.text) for answer in answers] == [(200, "slept")] * 200
    assert {answer.header("connection") for answer in answers} == {"close"}
    for connection in connections:
        connection.expect_closed()
        connection.close()
    assert lab.wait() == 0


def test_requests_that_were_sent_but_not_begun_are_answered_too(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"worker_threads": 2}})
    connections = [lab.connect().send(get("/lab/sleep/100")) for _ in range(10)]
    lab.terminate()
    for connection in connections:
        assert connection.read_response(deadline=30).text == "slept"
        connection.close()
    assert lab.wait() == 0


def test_a_connection_without_a_request_is_closed_at_once(lab):
    with lab.connect() as idle, lab.connect() as busy:
        assert idle.send(get("/livez")).read_response().status == 200
        busy.send(get("/lab/sleep/1500"))
        wait_until_running(lab, 1)
        lab.terminate()
        began = time.monotonic()
        idle.expect_closed()
        assert time.monotonic() - began < 1
        assert busy.read_response().text == "slept"
    assert lab.wait() == 0


def test_a_server_without_requests_ends_quickly(lab):
    idle = [lab.connect() for _ in range(20)]
    for connection in idle:
        connection.send(get("/livez")).read_response()
    began = time.monotonic()
    lab.terminate()
    assert lab.wait() == 0
    assert time.monotonic() - began < 2
    for connection in idle:
        connection.expect_closed()
        connection.close()


def test_pipelined_requests_that_were_sent_before_are_all_answered(lab):
    with lab.connect() as connection:
        connection.send(get("/lab/sleep/500") + get("/lab/names/second") + get("/lab/sleep/1") + get("/livez"))
        wait_until_running(lab, 1)
        lab.terminate()
        answers = [connection.read_response() for _ in range(4)]
        assert [answer.text for answer in answers] == ["slept", "second", "slept", "ok\n"]
        assert answers[3].header("connection") == "close"
        connection.expect_closed()
    assert lab.wait() == 0


def test_an_upload_that_has_begun_may_finish(lab):
    body = b"upload" * MIB
    with lab.connect() as connection:
        connection.send(f"PUT /lab/upload HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n")
        connection.send(body[:MIB])
        lab.terminate()
        eventually(lambda: refuses_connections(lab), what="refused connections")
        answer = connection.send(body[MIB:]).read_response()
        assert answer.text == f"{len(body)} {hashlib.sha256(body).hexdigest()}\n"
        connection.expect_closed()
    assert lab.wait() == 0


def test_a_request_whose_head_has_begun_may_finish(lab):
    with lab.connect() as connection:
        connection.send(get("/livez")).read_response()
        connection.send("GET /lab/names/late HTTP/1.1\r\n")
        lab.terminate()
        eventually(lambda: refuses_connections(lab), what="refused connections")
        answer = connection.send("Host: a\r\n\r\n").read_response()
        assert (answer.text, answer.header("connection")) == ("late", "close")
    assert lab.wait() == 0


def test_a_download_that_has_begun_may_finish(lab):
    with lab.connect() as connection:
        connection.send(get("/lab/count/1000000"))
        assert connection.read_head().status == 200
        lab.terminate()
        eventually(lambda: refuses_connections(lab), what="refused connections")
        assert connection.read_to_end(deadline=30).endswith(b"999999\n\r\n0\r\n\r\n")
    assert lab.wait() == 0


def test_what_takes_longer_than_the_drain_time_is_cut_off(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"drain_timeout": "500ms"}})
    with lab.connect() as connection:
        connection.send("PUT /lab/upload HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
        lab.terminate()
        assert lab.wait(deadline=20) == 0
        assert connection.read_to_end() == b""
    lab.wait_for_log(lambda line: line["level"] == "warn" and "cut off" in line["message"])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_both_ways_to_ask_for_an_end_are_understood(server, number):
    server.signal(number)
    assert server.wait() == 0
    assert [line["message"] for line in server.log_lines()][-2:] == ["stopping", "stopped"]


def test_a_second_server_on_the_same_port_says_so_and_fails(server, build_folder, tmp_path):
    second = run(build_folder / "atrium", "serve", "--port", server.port, "--data", tmp_path / "other", folder=tmp_path)
    assert second.returncode == 1
    assert f"cannot listen on 127.0.0.1 port {server.port}: Address already in use" in second.stderr
    assert server.get("/livez").status == 200


def test_a_port_can_be_used_again_at_once(server, build_folder, tmp_path):
    with server.connect() as connection:
        connection.send(get("/livez")).read_response()
        server.stop()
    command = [str(build_folder / "atrium"), "serve", "--port", str(server.port), "--data", str(server.data)]
    second = RunningServer([*command, "--set", "log.format=json"], tmp_path, clean_environment())
    try:
        second.wait_until_listening()
        assert second.port == server.port
        assert second.get("/livez").status == 200
    finally:
        second.stop()


# Reloading.


def reload(server) -> None:
    count = sum(line["message"] == "reloaded" for line in server.log_lines())
    server.signal(signal.SIGHUP)
    eventually(lambda: sum(line["message"] == "reloaded" for line in server.log_lines()) == count + 1, what="reload")


def test_a_new_certificate_is_shown_after_a_reload(make_server, tmp_path):
    certificate = make_certificate(tmp_path, serial=1001)
    server = make_server(config=tls_config(certificate))
    assert serial_seen(server) == 1001
    make_certificate(tmp_path, serial=1002)
    assert serial_seen(server) == 1001
    reload(server)
    assert serial_seen(server) == 1002


def test_a_broken_certificate_on_reload_leaves_the_old_one(make_server, tmp_path):
    certificate = make_certificate(tmp_path, serial=1001)
    server = make_server(config=tls_config(certificate))
    certificate.certificate.write_text("-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----\n")
    reload(server)
    server.wait_for_log(lambda line: line["level"] == "error" and "certificate.pem" in line.get("error", ""))
    assert serial_seen(server) == 1001
    certificate.certificate.unlink()
    reload(server)
    assert serial_seen(server) == 1001
    make_certificate(tmp_path, serial=1003)
    reload(server)
    assert serial_seen(server) == 1003


def test_a_key_that_does_not_fit_leaves_the_old_certificate(make_server, tmp_path):
    certificate = make_certificate(tmp_path, serial=1001)
    server = make_server(config=tls_config(certificate))
    other = tmp_path / "other"
    other.mkdir()
    make_certificate(other, serial=1002).key.rename(certificate.key)
    reload(server)
    server.wait_for_log(lambda line: line["level"] == "error" and "key.pem" in line.get("error", ""))
    assert serial_seen(server) == 1001


def test_a_reload_disturbs_no_connection(lab):
    with lab.connect() as connection:
        connection.send(get("/lab/sleep/300"))
        wait_until_running(lab, 1)
        reload(lab)
        assert connection.read_response().text == "slept"
        assert connection.send(get("/livez")).read_response().text == "ok\n"


def test_the_access_log_is_opened_again_after_it_was_moved_away(make_server, tmp_path):
    log = tmp_path / "access.log"
    server = make_server(config={"log": {"access_file": str(log)}})
    first = server.get("/livez").header("x-request-id")
    eventually(lambda: first in log.read_text(), what="the line of the first request")
    moved = log.rename(tmp_path / "access.log.1")
    reload(server)
    second = server.get("/livez").header("x-request-id")
    eventually(lambda: log.exists() and second in log.read_text(), what="the line of the second request")
    assert first in moved.read_text() and second not in moved.read_text()
    assert first not in log.read_text()
    assert server.stdout() == ""
