# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What every client meets first: health, connections that stay open, methods, addresses, errors."""

import datetime

import pytest
from programs import run

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


def get(path: str, *headers: str, method: str = "GET", version: str = "1.1") -> str:
    lines = [f"{method} {path} HTTP/{version}", "Host: localhost", *headers]
    return "\r\n".join(lines) + "\r\n\r\n"


def expect_problem(answer, status: int) -> dict:
    assert answer.status == status
    assert answer.header("content-type") == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert problem["type"] == "about:blank"
    assert problem["title"] == answer.reason
    assert problem["request_id"] == answer.header("x-request-id")
    return problem


# Health.


def test_health_says_ok_time_and_version(server, build_folder):
    answer = server.get("/api/health")
    assert answer.status == 200
    assert answer.header("content-type") == "application/json"
    health = answer.json()
    assert set(health) == {"ok", "time", "version"}
    assert health["ok"] is True
    assert run(build_folder / "atrium", "version").stdout == f"atrium {health['version']}\n"


def test_health_tells_the_time_of_now_in_utc(server):
    before = datetime.datetime.now(datetime.timezone.utc)
    time = datetime.datetime.strptime(server.get("/api/health").json()["time"], "%Y-%m-%dT%H:%M:%S.%f%z")
    after = datetime.datetime.now(datetime.timezone.utc)
    millisecond = datetime.timedelta(milliseconds=1)
    assert before - millisecond <= time <= after + millisecond


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
def test_probes_answer_ok(server, path):
    answer = server.get(path)
    assert (answer.status, answer.text) == (200, "ok\n")


# Connections.


def test_two_requests_are_served_on_one_connection(server):
    with server.connect() as connection:
        for _ in range(2):
            answer = connection.send(get("/livez")).read_response()
            assert (answer.status, answer.text, answer.header("connection")) == (200, "ok\n", None)


def test_pipelined_requests_are_answered_in_order(lab):
    with lab.connect() as connection:
        connection.send("".join(get(f"/lab/names/number-{n}") for n in range(20)))
        for n in range(20):
            assert connection.read_response().text == f"number-{n}"


def test_a_slow_request_does_not_let_those_behind_it_overtake(lab):
    with lab.connect() as connection:
        connection.send(get("/lab/sleep/100") + get("/lab/names/after") + get("/lab/blocking") + get("/livez"))
        answers = [connection.read_response() for _ in range(4)]
        assert [answer.status for answer in answers] == [200] * 4
        assert [answers[0].text, answers[1].text, answers[3].text] == ["slept", "after", "ok\n"]
        assert answers[2].json()["title"] == "Dinner with the neighbours"


def test_a_request_may_arrive_byte_by_byte(lab):
    with lab.connect() as connection:
        for byte in get("/lab/names/slowly").encode():
            connection.send(bytes([byte]))
        assert connection.read_response().text == "slowly"


def test_connection_close_is_obeyed(server):
    with server.connect() as connection:
        answer = connection.send(get("/livez", "Connection: close")).read_response()
        assert (answer.status, answer.header("connection")) == (200, "close")
        connection.expect_closed()


def test_http_1_0_closes_after_the_answer(server):
    with server.connect() as connection:
        answer = connection.send(get("/livez", version="1.0")).read_response()
        assert (answer.status, answer.header("connection")) == (200, "close")
        connection.expect_closed()


def test_http_1_0_with_keep_alive_stays_open(server):
    with server.connect() as connection:
        for _ in range(2):
            answer = connection.send(get("/livez", "Connection: keep-alive", version="1.0")).read_response()
            assert (answer.status, answer.header("connection")) == (200, "keep-alive")


def test_http_1_0_needs_no_host(server):
    assert server.exchange("GET /livez HTTP/1.0\r\n\r\n").status == 200


def test_http_1_0_gets_a_generated_body_without_chunks(lab):
    with lab.connect() as connection:
        answer = connection.send(get("/lab/count/1000", "Connection: keep-alive", version="1.0")).read_response()
        assert answer.header("transfer-encoding") is None
        assert answer.text == "".join(f"{n}\n" for n in range(1000))


def test_an_empty_line_before_a_request_is_ignored(server):
    # RFC 9112 section 2.2: some clients send one behind each body.
    assert server.exchange("\r\n" + get("/livez")).status == 200


# Methods.


@pytest.mark.parametrize("path", ["/api/health", "/", "/lab/tagged", "/lab/blocking"])
def test_head_has_the_headers_of_get_and_no_body(lab, path):
    def told(answer):
        return {k: v for k, v in answer.headers if k not in ("date", "x-request-id")}

    with lab.connect() as connection:
        whole = connection.send(get(path)).read_response()
        head = connection.send(get(path, method="HEAD")).read_response(head_only=True)
        assert head.status == whole.status == 200
        assert told(head) == told(whole)
        assert head.header("content-length") == str(len(whole.body))
        # Had a body come, it would be read here as the next answer.
        assert connection.send(get("/livez")).read_response().text == "ok\n"


def test_head_of_a_generated_body_sends_nothing_of_it(lab):
    with lab.connect() as connection:
        head = connection.send(get("/lab/count/100", method="HEAD")).read_response(head_only=True)
        assert (head.status, head.header("content-type")) == (200, "text/plain")
        assert connection.send(get("/livez")).read_response().text == "ok\n"


def test_an_unknown_address_is_a_problem_with_404(server):
    for path in ("/nothing", "/api/nothing", "/api", "/assets/nothing.js"):
        problem = expect_problem(server.get(path), 404)
        assert problem["detail"] == "there is nothing at this address"


BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def test_an_unknown_address_is_a_page_with_404_for_a_browser(server):
    known = server.request("GET", "/login", headers=BROWSER)
    for path in ("/nothing", "/api/nothing", "/api", "/calender/month"):
        page = server.request("GET", path, headers=BROWSER)
        assert (page.status, page.header("content-type")) == (404, known.header("content-type"))
        assert page.body == known.body
        assert page.header("content-security-policy") == known.header("content-security-policy")
        assert page.header("cache-control") == "no-store"
        assert page.header("etag") is None


def test_an_unknown_address_is_a_problem_for_programs_and_other_methods(server):
    for accept in ("application/json", "*/*"):
        expect_problem(server.request("GET", "/nothing", headers={"Accept": accept}), 404)
    assert server.request("POST", "/nothing", headers=BROWSER).header("content-type") == "application/problem+json"


def test_a_method_the_address_does_not_take_is_a_problem_with_405_and_allow(lab):
    answer = lab.request("DELETE", "/lab/events")
    expect_problem(answer, 405)
    assert set(answer.header("allow").split(", ")) == {"OPTIONS", "GET", "HEAD", "POST"}
    answer = lab.request("PUT", "/lab/echo")
    expect_problem(answer, 405)
    assert set(answer.header("allow").split(", ")) == {"OPTIONS", "POST"}


def test_head_of_an_address_without_get_is_405(lab):
    with lab.connect() as connection:
        head = connection.send(get("/lab/echo", method="HEAD")).read_response(head_only=True)
        assert head.status == 405
        assert connection.send(get("/livez")).read_response().text == "ok\n"


def test_options_lists_the_methods(lab):
    answer = lab.request("OPTIONS", "/lab/events")
    assert (answer.status, answer.body) == (204, b"")
    assert set(answer.header("allow").split(", ")) == {"OPTIONS", "GET", "HEAD", "POST"}
    assert lab.request("OPTIONS", "/lab/nothing").status == 404


def test_options_of_the_server_as_a_whole_is_answered(server):
    assert server.exchange(get("*", method="OPTIONS")).status == 204


@pytest.mark.parametrize("method", ["BREW", "get", "TRACE", "CONNECT", "PROPFIND"])
def test_an_unknown_method_is_a_problem_with_501(server, method):
    expect_problem(server.exchange(get("/livez", method=method)), 501)


def test_no_content_has_neither_body_nor_length(lab):
    with lab.connect() as connection:
        connection.send("POST /lab/events HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        answer = connection.read_response()
        assert (answer.status, answer.header("content-length")) == (204, None)
        assert connection.send(get("/livez")).read_response().text == "ok\n"


# Addresses.


@pytest.mark.parametrize("path", ["/livez/", "/api/health/", "/lab/names/x/"])
def test_one_slash_at_the_end_changes_nothing(lab, path):
    assert lab.get(path).status == 200


def test_a_query_does_not_change_the_route(server):
    assert server.get("/livez?a=b&c=/d?e").text == "ok\n"


def test_an_absolute_target_means_its_path(lab):
    with lab.connect() as connection:
        assert connection.send(get("http://localhost/lab/names/absolute?x=1")).read_response().text == "absolute"
        first_page = connection.send(get("http://localhost")).read_response()
        assert (first_page.status, first_page.header("content-type")) == (200, "text/html; charset=utf-8")


def test_the_query_of_an_absolute_target_is_not_its_path(lab):
    # The authority ends at a question mark as well as at a slash (RFC 3986 section 3.2).
    answer = lab.exchange(get("http://localhost?next=/lab/names/query"))
    assert (answer.status, answer.header("content-type")) == (200, "text/html; charset=utf-8")


def test_the_host_of_an_absolute_target_counts_and_the_header_does_not(lab):
    # RFC 9112 section 3.2.2.
    answer = lab.exchange("GET http://one.example:81/lab/whoami HTTP/1.1\r\nHost: two.example\r\n\r\n")
    assert answer.json()["host"] == "one.example:81"


def test_typed_parameters_are_read(lab):
    room = "0192f0c1-7c1e-7aaa-8b1d-0123456789ab"
    assert lab.get(f"/lab/rooms/{room}/seats/7").text == f"{room} 7"
    assert lab.get(f"/lab/rooms/{room}/seats/4294967295").text == f"{room} 4294967295"


@pytest.mark.parametrize("room, seat, named", [
    ("not-a-uuid", "7", "room"),
    ("0192f0c1-7c1e-7aaa-8b1d-0123456789a", "7", "room"),
    ("0192f0c1-7c1e-7aaa-8b1d-0123456789ab", "seven", "seat"),
    ("0192f0c1-7c1e-7aaa-8b1d-0123456789ab", "-1", "seat"),
    ("0192f0c1-7c1e-7aaa-8b1d-0123456789ab", "4294967296", "seat"),
    ("0192f0c1-7c1e-7aaa-8b1d-0123456789ab", "7x", "seat"),
])
def test_a_parameter_of_the_wrong_form_is_refused_by_name(lab, room, seat, named):
    problem = expect_problem(lab.get(f"/lab/rooms/{room}/seats/{seat}"), 400)
    assert problem["detail"].startswith(f"{named}: ")


@pytest.mark.parametrize("sent, meant", [
    ("a%20b", "a b"),
    ("a+b", "a+b"),
    ("a%2Fb", "a/b"),
    ("%C3%A9t%C3%A9", "été"),
    ("%E6%97%A5%E6%9C%AC", "日本"),
    ("100%25", "100%"),
    ("%2e%2e", ".."),
    ("q%3Fq", "q?q"),
])
def test_names_are_decoded_once(lab, sent, meant):
    answer = lab.get(f"/lab/names/{sent}")
    assert (answer.status, answer.text) == (200, meant)


def test_a_route_may_be_spelled_with_escapes(server):
    assert server.get("/%6Civez").text == "ok\n"


# On every answer.


@pytest.mark.parametrize("request_line, status", [
    ("GET /livez HTTP/1.1", 200),
    ("GET / HTTP/1.1", 200),
    ("GET /lab/nothing HTTP/1.1", 404),
    ("PUT /livez HTTP/1.1", 405),
    ("BREW /livez HTTP/1.1", 501),
    ("GET /lab/fail/throws HTTP/1.1", 500),
    ("POST /lab/forbidden HTTP/1.1", 403),
    ("GET /lab/count/3 HTTP/1.1", 200),
    ("OPTIONS /livez HTTP/1.1", 204),
    ("GET /%zz HTTP/1.1", 400),
    ("GET / HTTP/3.0", 505),
])
def test_security_headers_are_on_every_answer(lab, request_line, status):
    answer = lab.exchange(f"{request_line}\r\nHost: localhost\r\n\r\n")
    assert answer.status == status
    for name, value in SECURITY_HEADERS.items():
        assert answer.all(name) == [value]
    assert len(answer.all("content-security-policy")) == 1
    assert "frame-ancestors 'none'" in answer.header("content-security-policy")
    assert answer.header("strict-transport-security") is None
    assert answer.header("server") is None
    datetime.datetime.strptime(answer.header("date"), "%a, %d %b %Y %H:%M:%S GMT")


def test_request_ids_differ(server):
    ids = [server.get("/livez").header("x-request-id") for _ in range(20)]
    assert all(ids) and len(set(ids)) == 20


def test_answers_of_the_api_are_not_kept(lab):
    for path in ("/api/health", "/lab/blocking", "/lab/nothing"):
        assert lab.get(path).header("cache-control") == "no-store"


# Blank lines, which old clients send behind a body (RFC 9112 §2.2).


def test_a_blank_line_before_a_request_is_passed_over(server):
    with server.connect() as connection:
        connection.send("\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.read_response().status == 200


def test_a_blank_line_behind_a_request_does_not_hold_its_answer_back(server):
    with server.connect() as connection:
        connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n\r\n")
        assert connection.read_response().status == 200
        connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.read_response().status == 200


def test_nothing_but_blank_lines_is_no_request(server):
    with server.connect() as connection:
        connection.send("\r\n" * 10)
        assert connection.read_response().status == 400


@pytest.mark.parametrize("what, status, text", [("small", 200, "at once"), ("large", 200, "later"),
                                                ("fails", 404, "nothing at hand")])
def test_a_route_of_two_steps_answers_at_once_or_later(lab, what, status, text):
    answer = lab.get(f"/lab/two-step/{what}")
    assert answer.status == status and text in answer.text


def test_an_answer_in_memory_keeps_to_the_bound_of_its_route(lab):
    assert len(lab.get("/lab/overlong/1000").body) == 1000
    answer = lab.get("/lab/overlong/1001")
    assert answer.status == 500 and "1001" not in answer.text
    lab.wait_for_log(lambda line: line.get("message") == "request failed" and "1001 bytes" in line["error"])
