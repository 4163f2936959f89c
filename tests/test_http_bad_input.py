# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Heads that are broken, by mistake or on purpose. Each costs its sender the connection, and nobody else anything."""

import pytest
from refusals import expect_others_are_served, expect_refused


@pytest.fixture
def target(lab):
    """A server that must serve others as before once the test is over."""
    yield lab
    expect_others_are_served(lab)


# The head.


@pytest.mark.parametrize("head", [
    b"GET\r\n\r\n",
    b"GET /\r\n\r\n",
    b"GET  /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    b" GET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET\t/livez\tHTTP/1.1\r\nHost: a\r\n\r\n",
    b"G@T /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /livez\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /liv\xffez\x01 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 32 + b"\r\n\r\n",
    b"\x00\x00\x00\x00\r\n\r\n",
    b"{\"jsonrpc\": \"2.0\"}\r\n\r\n",
], ids=repr)
def test_a_malformed_request_line_is_refused(target, head):
    expect_refused(target, head, 400)


@pytest.mark.parametrize("field", [
    b"NoColon",
    b": no name",
    b"Space : before the colon",
    b"Sp ace: in the name",
    b"Nul: a\x00b",
    b"Bell: a\x07b",
    b"Bare: a\rb",
    b"N\xc3\xa4me: not ASCII",
    b"Name\x00: NUL",
], ids=repr)
def test_a_malformed_header_is_refused(target, field):
    expect_refused(target, b"GET /livez HTTP/1.1\r\nHost: a\r\n" + field + b"\r\n\r\n", 400)


@pytest.mark.parametrize("line_end", [b"\n", b"\r"], ids=repr)
def test_a_header_line_ends_with_both_carriage_return_and_line_feed(target, line_end):
    # Lenient line ends are how two servers in a row come to see different headers.
    head = b"POST /lab/echo HTTP/1.1\r\nHost: a\r\nX: b" + line_end + b"Content-Length: 4\r\n\r\n"
    expect_refused(target, head, 400)


def test_a_first_header_line_that_is_indented_is_refused(target):
    expect_refused(target, "GET /livez HTTP/1.1\r\n X: folded\r\nHost: a\r\n\r\n", 400)


@pytest.mark.parametrize("version", ["HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/9.9"])
def test_another_version_of_http_is_not_spoken(target, version):
    expect_refused(target, f"GET /livez {version}\r\nHost: a\r\n\r\n", 505)


def test_the_opening_of_http_2_is_not_spoken(target):
    expect_refused(target, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505)


@pytest.mark.parametrize("version", [
    "HTTP/1.", "HTTP/11", "HTTP1.1", "http/1.1", "HTTP/1.1x", "FTP/1.1", "HTTP/1.10", "HTTP/1.1 ", " HTTP/1.1",
    "more HTTP/1.1", "HTTP/1.1\nX: a",
], ids=repr)
def test_what_is_not_a_version_is_refused(target, version):
    with target.connect() as connection:
        answer = connection.send(f"GET /livez {version}\r\nHost: a\r\n\r\n").read_response()
        assert answer.status in (400, 505)
        connection.expect_closed()


# Host.


@pytest.mark.parametrize("hosts", [
    [],
    ["Host: a", "Host: b"],
    ["Host: a", "Host: a"],
    ["Host:"],
    ["Host: a b"],
    ["Host: a/b"],
    ["Host: user@a"],
    ["Host: a,b"],
    ["Host: " + "a" * 256],
    ["Host: <script>"],
    ["Host: h\u00f6st"],
], ids=lambda hosts: " + ".join(hosts)[:40] or "none")
def test_a_request_names_exactly_one_good_host(target, hosts):
    expect_refused(target, "\r\n".join(["GET /livez HTTP/1.1", *hosts]) + "\r\n\r\n", 400)


@pytest.mark.parametrize("host", ["a", "a.example:8080", "127.0.0.1", "[::1]:8080", "under_score"])
def test_good_hosts_are_taken(target, host):
    assert target.exchange(f"GET /livez HTTP/1.1\r\nHost: {host}\r\n\r\n").status == 200


@pytest.mark.parametrize("host", ["[[[", "a:b:c", ":80", "a:99999", "a:", "::1"])
def test_a_host_is_a_name_or_an_address_perhaps_with_a_port(target, host):
    answer = target.exchange(f"GET /lab/whoami HTTP/1.1\r\nHost: {host}\r\n\r\n")
    assert answer.status in ((200,) if host == "a:" else (400,))


# Sizes of the head.


def test_a_header_line_that_is_too_long_is_refused(target):
    expect_refused(target, "GET /livez HTTP/1.1\r\nHost: a\r\nX-Long: " + "a" * 40_000 + "\r\n\r\n", 431)


def test_a_head_that_never_ends_is_refused_at_the_limit(target):
    with target.connect() as connection:
        connection.send("GET /livez HTTP/1.1\r\nHost: a\r\nX-Long: " + "a" * 33_000)
        assert connection.read_response().status == 431
        connection.expect_closed()


def test_too_many_headers_are_refused(target):
    fields = "".join(f"X-{n}: a\r\n" for n in range(250))
    expect_refused(target, f"GET /livez HTTP/1.1\r\nHost: a\r\n{fields}\r\n", 431)


def test_many_headers_are_taken(target):
    fields = "".join(f"X-{n}: a\r\n" for n in range(190))
    assert target.exchange(f"GET /livez HTTP/1.1\r\nHost: a\r\n{fields}\r\n").status == 200


def test_a_head_of_many_lines_may_not_exceed_the_limit_however_it_arrives(target):
    with target.connect() as connection:
        connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n")
        answered = False
        for n in range(40):
            try:
                connection.send(f"X-{n}: " + "a" * 1000 + "\r\n")
            except ConnectionError:
                answered = True
                break
        if not answered:
            connection.send("\r\n")
        assert connection.read_response().status == 431


def test_the_limit_of_the_head_can_be_set(make_server):
    server = make_server(config={"http": {"header_bytes_max": "1KiB"}})
    head = "GET /livez HTTP/1.1\r\nHost: a\r\nX: "
    assert server.exchange(head + "a" * (1024 - len(head) - 4) + "\r\n\r\n").status == 200
    assert server.exchange(head + "a" * (1024 - len(head) - 3) + "\r\n\r\n").status == 431


def test_a_target_that_is_too_long_is_refused(target):
    answer = target.exchange("GET /" + "a" * 9000 + " HTTP/1.1\r\nHost: a\r\n\r\n")
    assert answer.status == 414
    assert target.get("/lab/names/" + "a" * 8000).status == 200


# Addresses.


@pytest.mark.parametrize("path", [
    "/lab/names/%", "/lab/names/%1", "/lab/names/%zz", "/lab/names/%%41", "/%u0041",
    "/lab/names/%00", "/lab/names/a%00b",
    "/lab/names/%ff", "/lab/names/%c3%28", "/lab/names/%c0%ae", "/lab/names/%ed%a0%80", "/lab/names/%f5%80%80%80",
])
def test_a_path_that_decodes_to_no_text_is_refused(target, path):
    with target.connect() as connection:
        answer = connection.send(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n").read_response()
        assert answer.status == 400
        assert answer.json()["request_id"] == answer.header("x-request-id")


@pytest.mark.parametrize("path", [b"/lab/names/\xff\xfe", b"/lab/names/\xc3\x28", b"/\x80"], ids=repr)
def test_bytes_in_a_path_that_are_no_utf_8_are_refused(target, path):
    assert target.exchange(b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n\r\n").status == 400


@pytest.mark.parametrize("path", ["livez", "//", "http:/livez", "a://", "?x"])
def test_a_target_that_is_no_path_is_refused(target, path):
    answer = target.exchange(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")
    assert answer.status in ((200, 404) if path == "//" else (400,))


@pytest.mark.parametrize("path", [
    "/../etc/passwd", "/assets/../index.html", "/assets/../../etc/passwd", "/%2e%2e/etc/passwd",
    "/%2e%2e%2fetc%2fpasswd", "/assets/%2e%2e/index.html", "/assets/%2e%2e%2findex.html", "/..%5cindex.html",
    "/./index.html", "//index.html", "//etc/passwd", "/%2fetc/passwd", "/etc/passwd", "/proc/self/environ",
])
def test_no_spelling_leads_to_a_file_outside_the_pages(target, path):
    answer = target.exchange(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")
    assert answer.status == 404
    assert answer.header("content-type") == "application/problem+json"
