# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The instruments of the black-box tests see what they should: a bad end, a sanitizer's report, a late answer."""

import os
import socket
import sys
import threading

import pytest
from metrics_text import Metrics
from raw_http import ConnectionEnded, RawConnection, TimedOut
from running_server import RunningServer, eventually

# A server that says where it listens, answers one line to everybody, and ends as its argument says.
STAND_IN = """
import http.server, json, signal, sys
ending = sys.argv[1]
if ending == "at once":
    sys.exit("cannot read the configuration")
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-length", "5")
        self.end_headers()
        self.wfile.write(b"hello")
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Answer)
def stop(*_):
    if ending == "with a report":
        print("==1==ERROR: AddressSanitizer: heap-use-after-free", file=sys.stderr)
    sys.exit(3 if ending == "badly" else 0)
signal.signal(signal.SIGTERM, stop)
print("not JSON", file=sys.stderr)
line = {"message": "listening", "address": "127.0.0.1", "port": server.server_port}
print(json.dumps(line), file=sys.stderr, flush=True)
server.serve_forever()
"""


@pytest.fixture
def start(tmp_path):
    started = []

    def start_one(ending: str) -> RunningServer:
        server = RunningServer([sys.executable, "-c", STAND_IN, ending], tmp_path, dict(os.environ))
        started.append(server)
        server.wait_until_listening()
        return server

    yield start_one
    for server in started:
        server.kill()


def test_a_server_that_ends_well_passes(start):
    server = start("well")
    assert server.get("/").text == "hello"
    used = server.rss_bytes()
    assert used > 1_000_000
    assert server.peak_rss_bytes() >= used
    assert server.thread_count() == 1
    assert server.open_file_count() >= 4
    server.stop()


def test_a_bad_exit_status_is_found(start):
    with pytest.raises(AssertionError, match="ended with status 3"):
        start("badly").stop()


def test_a_sanitizer_report_is_found(start):
    with pytest.raises(AssertionError, match="heap-use-after-free"):
        start("with a report").stop()


def test_a_server_that_does_not_start_is_found_at_once(start):
    with pytest.raises(AssertionError, match="cannot read the configuration"):
        start("at once")


def test_a_killed_server_need_not_end_well(start):
    server = start("badly")
    server.kill()
    server.stop()


def test_waiting_ends_at_the_deadline():
    with pytest.raises(TimedOut, match="the moon"):
        eventually(lambda: False, deadline=0.05, what="the moon")


@pytest.fixture
def answering():
    """answering(data) is a connection on which the other side has sent these bytes and closed."""
    listener = socket.create_server(("127.0.0.1", 0))
    opened = []

    def answer(data: bytes, close: bool = True) -> RawConnection:
        def serve():
            peer, _ = listener.accept()
            peer.sendall(data)
            if close:
                peer.close()
            else:
                opened.append(peer)

        thread = threading.Thread(target=serve)
        thread.start()
        connection = RawConnection(listener.getsockname())
        opened.append(connection)
        thread.join()
        return connection

    yield answer
    for connection in opened:
        connection.close()
    listener.close()


def test_a_body_is_read_by_its_length_and_the_next_response_follows(answering):
    connection = answering(
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\nX-A: 2\r\n\r\nhi"
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    first = connection.read_response()
    assert (first.status, first.body, first.all("X-A"), first.header("x-b")) == (200, b"hi", ["1", "2"], None)
    assert connection.read_response().status == 404
    connection.expect_closed()


def test_a_chunked_body_is_put_together(answering):
    connection = answering(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nTrailer: t\r\n\r\n")
    assert connection.read_response().body == b"abcd"


def test_a_body_without_length_goes_to_the_end(answering):
    assert answering(b"HTTP/1.1 200 OK\r\n\r\nall of it").read_response().body == b"all of it"


def test_a_response_cut_short_is_found(answering):
    with pytest.raises(ConnectionEnded):
        answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort").read_response()


def test_a_silent_peer_is_found(answering):
    with pytest.raises(TimedOut):
        answering(b"HTTP/1.1 200", close=False).read_response(deadline=0.05)


def test_words_instead_of_closing_are_found(answering):
    with pytest.raises(AssertionError, match="instead of closing"):
        answering(b"HTTP/1.1 200 OK\r\n\r\n").expect_closed()


def test_metrics_are_read_with_their_labels():
    metrics = Metrics('# TYPE a counter\na{x="1",y="q\\"}"} 2\na{x="2",y="z"} 3.5\nb 1e3 1700000000\n')
    assert metrics.total("a") == 5.5
    assert metrics.value("a", x="1") == 2
    assert metrics.matching("a", y='q"}') == [({"x": "1", "y": 'q"}'}, 2.0)]
    assert metrics.value("b") == 1000
    assert metrics.total("c") == 0
    with pytest.raises(AssertionError, match="2 samples"):
        metrics.value("a")
