# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What the server says about itself: a line per request, measurements, and errors in the log; never a secret."""

import datetime
import json

import pytest
from metrics_text import Metrics
from running_server import eventually

FIELDS = ["time", "request_id", "client", "method", "path", "route", "status", "bytes_in", "bytes_out", "duration_us",
          "agent"]


def get(path: str, *headers: str, method: str = "GET") -> str:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers]) + "\r\n\r\n"


def access_line(server, request_id: str) -> dict:
    """The line about one request; every line on standard output must be JSON."""
    def find():
        *complete, _ = server.stdout().split("\n")
        lines = [json.loads(line) for line in complete]
        return [line for line in lines if line["request_id"] == request_id]

    found = eventually(find, what="the line of the request")
    assert len(found) == 1
    return found[0]


# A line per request.


def test_each_request_has_one_line_with_all_fields(lab):
    answer = lab.get("/lab/names/ann?token=hidden", {"User-Agent": "probe/1.0"})
    line = access_line(lab, answer.header("x-request-id"))
    assert list(line) == FIELDS
    time = datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00"))
    assert abs(datetime.datetime.now(datetime.timezone.utc) - time) < datetime.timedelta(minutes=1)
    assert (line["client"], line["method"], line["status"]) == ("127.0.0.1", "GET", 200)
    assert (line["path"], line["route"]) == ("/lab/names/ann", "/lab/names/{name}")
    assert line["agent"] == "probe/1.0"
    assert 0 <= line["duration_us"] < 60_000_000


@pytest.mark.parametrize("status", range(440, 448))
def test_a_status_of_no_standard_is_sent_logged_and_counted_as_it_is(lab, status):
    answer = lab.get(f"/lab/status/{status}")
    assert (answer.status, answer.text) == (status, "as asked")
    assert access_line(lab, answer.header("x-request-id"))["status"] == status
    requests = lab.metrics().value("atrium_http_requests_total", route="GET /lab/status/{status}", status="4xx")
    assert requests == 1


def test_a_line_counts_the_bytes(lab):
    body = b"x" * 10_000
    with lab.connect() as connection:
        connection.send(f"POST /lab/echo HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = connection.read_response()
    line = access_line(lab, answer.header("x-request-id"))
    assert 10_000 <= line["bytes_in"] < 10_500
    assert 10_000 < line["bytes_out"] < 11_000


def test_a_line_tells_how_long_it_took(lab):
    line = access_line(lab, lab.get("/lab/sleep/200").header("x-request-id"))
    assert 200_000 <= line["duration_us"] < 30_000_000


@pytest.mark.parametrize("request_text, status", [
    (get("/lab/nothing"), 404),
    (get("/lab/echo"), 405),
    (get("/livez", method="BREW"), 501),
    (get("/lab/fail/throws"), 500),
    (get("/%zz"), 400),
    ("GET /livez HTTP/1.1\r\n\r\n", 400),
    ("nonsense\r\n\r\n", 400),
    ("GET / HTTP/7.0\r\n\r\n", 505),
    (get("/livez", "X: " + "a" * 40_000), 431),
], ids=lambda value: str(value)[:30])
def test_refused_requests_have_a_line_that_says_who_sent_them(lab, request_text, status):
    with lab.connect(source="127.0.0.5") as connection:
        answer = connection.send(request_text).read_response()
    assert answer.status == status
    line = access_line(lab, answer.header("x-request-id"))
    assert (line["status"], line["client"]) == (status, "127.0.0.5")


def test_lines_can_be_turned_off(make_server):
    server = make_server(config={"log": {"access": False}})
    server.get("/livez")
    server.stop()
    assert server.stdout() == ""


def test_the_lines_of_the_last_requests_are_written_before_the_end(lab):
    ids = [lab.get(f"/lab/names/{n}").header("x-request-id") for n in range(50)]
    lab.stop()
    # Each thread writes its own lines in blocks, so that their order says nothing.
    assert sorted(json.loads(line)["request_id"] for line in lab.stdout().splitlines()) == sorted(ids)


# What must not be in it.


def expect_nowhere(server, secret: str) -> None:
    server.stop()
    assert secret not in server.stdout()
    assert secret not in server.stderr()


def test_neither_query_nor_credentials_are_written_anywhere(lab):
    headers = {"Authorization": "Bearer s3cr3t-1", "Cookie": "session=s3cr3t-2", "X-Api-Key": "s3cr3t-3",
               "Referer": "https://a.example/?s3cr3t-4", "Proxy-Authorization": "Basic s3cr3t-5"}
    for path in ("/livez?token=s3cr3t-6", "/lab/nothing?s3cr3t-7", "/lab/fail/throws?s3cr3t-8", "/?s3cr3t-9"):
        lab.get(path, headers)
    lab.post("/lab/form", "password=s3cr3t", headers)
    expect_nowhere(lab, "s3cr3t")


def test_the_query_of_an_absolute_target_is_not_written_either(lab):
    lab.exchange(get("http://localhost?next=/s3cr3t"))
    lab.exchange(get("http://localhost/livez?next=/s3cr3t"))
    expect_nowhere(lab, "s3cr3t")


def test_a_path_with_a_secret_is_written_as_its_pattern(lab):
    answer = lab.get("/lab/secret/s3cr3t-token")
    assert answer.text == "12"
    line = access_line(lab, answer.header("x-request-id"))
    assert line["path"] == line["route"] == "/lab/secret/{token}"
    expect_nowhere(lab, "s3cr3t")


@pytest.mark.parametrize("request_text, status", [
    (get("/lab/secret/s3cr3t", method="POST"), 405),
    (get("/lab/secret/s3cr3t", method="OPTIONS"), 204),
    (get("/lab/secret/s3cr3t", method="BREW"), 501),
    (get("/lab/secret/s3cr3t", "Content-Length: 3"), 413),
    (get("/lab/secret/s3cr3t", "Transfer-Encoding: gzip"), 400),
    ("GET /lab/secret/s3cr3t HTTP/1.1\r\n\r\n", 400),
    (get("/lab/secret/s3cr3t%zz"), 400),
    (get("/lab/secret/s3cr3t/more"), 404),
    (get("/lab/secret/s3cr3t" + "a" * 9000), 414),
], ids=lambda value: str(value)[:60])
def test_a_secret_is_not_written_when_its_request_is_refused(lab, request_text, status):
    with lab.connect() as connection:
        answer = connection.send(request_text).read_response()
    assert answer.status == status
    assert access_line(lab, answer.header("x-request-id"))["status"] == status
    expect_nowhere(lab, "s3cr3t")


@pytest.mark.parametrize("agent", [
    b'quote " and backslash \\ and {"json": 1}',
    b"tab \t here",
    b"\xff\xfe not UTF-8",
    "\u2028 line separator \u00e9".encode(),
    b"<script>alert(1)</script>",
    "\u00e9".encode() * 300,
    b"a" * 5000,
], ids=lambda agent: repr(agent[:30]))
def test_a_hostile_agent_does_not_break_its_line(lab, agent):
    with lab.connect() as connection:
        answer = connection.send(b"GET /livez HTTP/1.1\r\nHost: a\r\nUser-Agent: " + agent + b"\r\n\r\n").read_response()
    line = access_line(lab, answer.header("x-request-id"))
    assert line["status"] == 200
    assert len(line["agent"]) <= 200


@pytest.mark.parametrize("path", [b'/"}{', b"/%0a%0dfake", b"/\\u0000", b"/'--", "/\u00e9".encode(), b"/" + b"a" * 8000],
                         ids=lambda path: repr(path[:20]))
def test_a_hostile_path_does_not_break_its_line(lab, path):
    with lab.connect() as connection:
        answer = connection.send(b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n\r\n").read_response()
    assert access_line(lab, answer.header("x-request-id"))["status"] == answer.status


# Errors.


@pytest.mark.parametrize("path", ["/lab/fail/throws", "/lab/fail/privately"])
def test_the_detail_of_a_bug_is_in_the_log_and_not_in_the_answer(lab, path):
    answer = lab.get(path)
    assert answer.status == 500
    assert "secret detail" not in answer.text
    assert answer.json()["title"] == "Internal Server Error"
    line = lab.wait_for_log(lambda line: "secret detail" in line.get("error", ""))
    assert line["level"] == "error"
    assert line["request_id"] == answer.header("x-request-id") == answer.json()["request_id"]
    assert lab.get("/livez").status == 200


# Measurements.


def requests(metrics: Metrics, route: str, status: str) -> float:
    return metrics.total("atrium_http_requests_total", route=route, status=status)


def test_requests_are_counted_by_route_and_class_of_status(lab):
    for path in ("/lab/names/a", "/lab/names/b", "/lab/rooms/x/seats/1", "/lab/nothing", "/lab/fail/throws"):
        lab.get(path)
    metrics = lab.metrics()
    assert requests(metrics, "GET /lab/names/{name}", "2xx") == 2
    assert requests(metrics, "GET /lab/rooms/{room}/seats/{seat}", "4xx") == 1
    assert requests(metrics, "GET /{path...}", "4xx") == 1
    assert requests(metrics, "GET /lab/fail/throws", "5xx") == 1


def test_strangers_cannot_make_more_series(lab):
    def series() -> int:
        # Jobs begin their work at this time, and with it the series of the tables they use.
        return sum(not name.startswith("atrium_store_") for name, _, _ in lab.metrics().samples)

    before = series()
    lab.get("/lab/nothing")
    lab.request("METHOD", "/lab/nothing")
    first = series()
    for n in range(50):
        lab.get(f"/lab/nothing/{n}")
        lab.request(f"METHOD{n}", "/lab/nothing")
    # What leads nowhere is one route, and what no route takes is none.
    assert series() == first
    assert before < first


def test_the_histogram_of_durations_is_consistent(lab):
    for _ in range(5):
        lab.get("/lab/names/a")
    lab.get("/lab/sleep/30")
    metrics = lab.metrics()
    name = "atrium_http_request_duration_seconds"
    for route, count, seconds in (("GET /lab/names/{name}", 5, 0), ("GET /lab/sleep/{milliseconds}", 1, 0.03)):
        buckets = [(float(labels["le"]), value) for labels, value in metrics.matching(f"{name}_bucket", route=route)]
        bounds, counts = zip(*buckets)
        assert list(bounds) == sorted(bounds) and bounds[-1] == float("inf")
        assert list(counts) == sorted(counts)
        assert counts[-1] == metrics.value(f"{name}_count", route=route) == count
        assert metrics.value(f"{name}_sum", route=route) >= seconds
        assert all(value == 0 for bound, value in buckets if bound < seconds)


def test_open_connections_are_measured(lab):
    assert lab.metrics().value("atrium_http_connections") == 1
    open_ones = [lab.connect() for _ in range(10)]
    eventually(lambda: lab.metrics().value("atrium_http_connections") == 11, what="eleven connections")
    for connection in open_ones:
        connection.close()
    eventually(lambda: lab.metrics().value("atrium_http_connections") == 1, what="one connection")
    assert lab.metrics().value("atrium_http_connections_opened_total") >= 13


def test_bytes_are_measured(lab):
    pages = []

    def grown(name: str, before: float) -> float:
        """By how much it is more, without the pages that were looked at meanwhile."""
        pages.append(lab.get("/metrics"))
        sent = sum(len(page.body) for page in pages[:-1]) if "sent" in name else 0
        return Metrics(pages[-1].text).value(name) - before - sent

    first = lab.metrics()
    lab.post("/lab/echo", b"x" * 100_000)
    for name in ("atrium_http_received_bytes_total", "atrium_http_sent_bytes_total"):
        # Counted when the exchange is over, which the client may see first.
        more = eventually(lambda name=name: max(0, grown(name, first.value(name)) - 100_000), what=name)
        assert more < 20_000 + 1000 * len(pages)


def test_waiting_work_is_measured(make_server):
    lab = make_server(binary="atrium_lab", config={"http": {"worker_threads": 2}})
    metrics = lab.metrics()
    assert metrics.value("atrium_workers_queue_depth") == 0
    assert metrics.value("atrium_workers_running") == 1


def test_the_process_is_measured(server, build_folder):
    metrics = server.metrics()
    assert 0.5 < metrics.value("process_resident_memory_bytes") / server.rss_bytes() < 2
    assert abs(metrics.value("process_open_fds") - server.open_file_count()) <= 2
    assert metrics.value("process_max_fds") >= 1000
    assert metrics.value("process_cpu_seconds_total") > 0
    version = server.get("/api/health").json()["version"]
    assert metrics.value("atrium_build_info", version=version) == 1


def test_measurements_are_in_the_text_format_with_types(server):
    answer = server.get("/metrics")
    assert answer.header("content-type") == "text/plain; version=0.0.4; charset=utf-8"
    typed = {line.split()[2] for line in answer.text.splitlines() if line.startswith("# TYPE ")}
    helped = {line.split()[2] for line in answer.text.splitlines() if line.startswith("# HELP ")}
    assert typed == helped
    assert "atrium_http_connections" in typed and "process_open_fds" in typed


def test_lines_lost_from_the_access_log_are_counted(server):
    assert server.metrics().value("atrium_access_log_dropped_bytes_total") == 0
