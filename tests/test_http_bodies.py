# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies, in both directions: whole, in pieces, too long, broken off."""

import hashlib
import os
import subprocess

import pytest
from raw_http import ConnectionEnded
from running_server import eventually

MIB = 1 << 20


def post(path: str, *headers: str, method: str = "POST") -> str:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers]) + "\r\n\r\n"


def chunked(body: bytes, size: int) -> bytes:
    pieces = [body[at:at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


@pytest.fixture
def noise() -> bytes:
    """Bytes in which any loss, doubling or swap shows."""
    return os.urandom(MIB)


# Bodies held in memory.


def test_a_body_with_a_length_arrives_whole(lab, noise):
    answer = lab.post("/lab/echo", noise)
    assert answer.status == 200
    assert answer.body == noise


def test_an_empty_body_is_a_body(lab):
    for headers in (["Content-Length: 0"], ["Transfer-Encoding: chunked"], []):
        rest = "0\r\n\r\n" if "chunked" in "".join(headers) else ""
        answer = lab.exchange(post("/lab/echo", *headers) + rest)
        assert (answer.status, answer.body) == (200, b"")


@pytest.mark.parametrize("size", [1, 7, 4096, 65_536, MIB])
def test_a_body_in_chunks_of_any_size_arrives_whole(lab, noise, size):
    body = noise[:size * 300]
    with lab.connect() as connection:
        connection.send(post("/lab/echo", "Transfer-Encoding: chunked").encode() + chunked(body, size))
        answer = connection.read_response()
        assert answer.status == 200
        assert answer.body == body
        assert connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").read_response().text == "ok\n"


@pytest.mark.parametrize("step", [1, 2, 3, 5, 11, 13])
def test_a_chunked_body_may_be_split_anywhere(lab, step):
    body = bytes(range(256))
    request = post("/lab/echo", "Transfer-Encoding: chunked").encode() + chunked(body, 100)
    with lab.connect() as connection:
        for at in range(0, len(request), step):
            connection.send(request[at:at + step])
        answer = connection.read_response()
        assert (answer.status, answer.body) == (200, body)


def test_chunk_extensions_and_trailers_are_skipped(lab):
    with lab.connect() as connection:
        connection.send(post("/lab/echo", "Transfer-Encoding: chunked"))
        connection.send('4;name=value\r\nbody\r\n3;x="y;z"\r\n, 2\r\n0\r\nX-Trailer: a\r\nX-More: b\r\n\r\n')
        answer = connection.read_response()
        assert (answer.status, answer.body) == (200, b"body, 2")
        assert connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").read_response().text == "ok\n"


def test_the_longest_body_is_taken_and_one_byte_more_is_not(lab, noise):
    assert lab.post("/lab/echo", noise).status == 200
    with lab.connect() as connection:
        connection.send(post("/lab/echo", f"Content-Length: {MIB + 1}"))
        assert connection.read_response().status == 413
    with lab.connect() as connection:
        connection.send(post("/lab/echo", "Transfer-Encoding: chunked").encode() + chunked(noise, 65_536))
        assert connection.read_response().body == noise
    with lab.connect() as connection:
        connection.send(post("/lab/echo", "Transfer-Encoding: chunked").encode() + chunked(noise + b"x", 65_536))
        assert connection.read_response().status == 413
        connection.half_close()
        connection.expect_closed()


def test_pipelined_bodies_keep_to_their_requests(lab):
    with lab.connect() as connection:
        one = post("/lab/echo", "Content-Length: 3").encode() + b"one"
        two = post("/lab/echo", "Transfer-Encoding: chunked").encode() + chunked(b"two", 2)
        three = post("/lab/upload", "Content-Length: 5", method="PUT").encode() + b"three"
        connection.send(one + two + three + one)
        assert connection.read_response().body == b"one"
        assert connection.read_response().body == b"two"
        assert connection.read_response().text == f"5 {sha256(b'three')}\n"
        assert connection.read_response().body == b"one"


@pytest.mark.parametrize("framing", ["Content-Length: 4", "Transfer-Encoding: chunked"])
def test_a_route_that_takes_no_body_refuses_one(lab, framing):
    with lab.connect() as connection:
        answer = connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n").read_response()
        assert (answer.status, answer.header("connection")) == (413, "close")
        assert answer.json()["detail"] == "this address takes no body"
        connection.half_close()
        connection.expect_closed()


# Expectations.


@pytest.mark.parametrize("framing", ["Content-Length: 4", "Transfer-Encoding: chunked"])
def test_a_client_that_asks_first_is_told_to_continue(lab, framing):
    with lab.connect() as connection:
        connection.send(post("/lab/echo", framing, "Expect: 100-continue"))
        assert connection.read_response().status == 100
        answer = connection.send("body" if "Length" in framing else "4\r\nbody\r\n0\r\n\r\n").read_response()
        assert (answer.status, answer.body) == (200, b"body")


def test_a_client_that_does_not_wait_to_be_told_is_served_all_the_same(lab):
    with lab.connect() as connection:
        connection.send(post("/lab/echo", "Content-Length: 4", "Expect: 100-continue") + "body")
        answer = connection.read_response()
        if answer.status == 100:
            answer = connection.read_response()
        assert (answer.status, answer.body) == (200, b"body")


def test_an_upload_is_told_to_continue(lab):
    with lab.connect() as connection:
        connection.send(post("/lab/upload", "Content-Length: 4", "Expect: 100-continue", method="PUT"))
        assert connection.read_response().status == 100
        assert connection.send("body").read_response().text == f"4 {sha256(b'body')}\n"


@pytest.mark.parametrize("path, length, status", [
    ("/lab/echo", 2 * MIB, 413),
    ("/lab/forbidden", 10, 403),
    ("/lab/nothing", 10, 404),
    ("/livez", 10, 405),
])
def test_a_client_that_asks_first_is_refused_before_it_sends(lab, path, length, status):
    with lab.connect() as connection:
        connection.send(post(path, f"Content-Length: {length}", "Expect: 100-continue"))
        answer = connection.read_response()
        assert answer.status == status
        # The body may or may not come after this; so no next request can be told from it.
        assert answer.header("connection") == "close"
        connection.half_close()
        connection.expect_closed()


def test_a_forbidden_body_is_not_waited_for(lab):
    with lab.connect() as connection:
        connection.send(post("/lab/forbidden", "Content-Length: 1000"))
        answer = connection.read_response()
        assert (answer.status, answer.header("connection")) == (403, "close")


@pytest.mark.parametrize("expectation", ["the moon", "100-continue, more", ""])
def test_an_expectation_nobody_knows_is_refused(lab, expectation):
    answer = lab.exchange(post("/lab/echo", "Content-Length: 4", f"Expect: {expectation}") + "body")
    assert answer.status == 417


# Forms.


def test_the_fields_of_a_form_are_read(lab):
    form = "name=Ann+B%2E&empty=&city=Z%C3%BCrich&name=again"
    answer = lab.post("/lab/form", form, {"Content-Type": "application/x-www-form-urlencoded"})
    assert (answer.status, answer.text) == (200, "name=Ann B.\nempty=\ncity=Zürich\nname=again\n")


@pytest.mark.parametrize("form, content_type", [
    ("a=%zz", "application/x-www-form-urlencoded"),
    ("a=%ff", "application/x-www-form-urlencoded"),
    ("a=1", "text/plain"),
    ("a=1", ""),
])
def test_what_is_no_form_is_refused(lab, form, content_type):
    assert lab.post("/lab/form", form, {"Content-Type": content_type}).status == 400


def multipart(boundary: str, file: bytes) -> bytes:
    return (f'--{boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nSummer\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="photo"; filename="s\u00e9e.jpg"\r\n'
            f'Content-Type: image/jpeg\r\n\r\n').encode() + file + f"\r\n--{boundary}--\r\n".encode()


def report(file: bytes) -> str:
    return f"file s\u00e9e.jpg {len(file)} {sha256(file)} after 1\nfield title=Summer\n"


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_a_multipart_form_may_be_split_anywhere(lab, step):
    file = b"\r\n--bound\r\n-- almost a boundary\r\n--boundar" + bytes(range(256))
    body = multipart("boundary", file)
    with lab.connect() as connection:
        connection.send(post("/lab/multipart", "Content-Type: multipart/form-data; boundary=boundary",
                             f"Content-Length: {len(body)}"))
        for at in range(0, len(body), step):
            connection.send(body[at:at + step])
        answer = connection.read_response()
        assert (answer.status, answer.text) == (200, report(file))


def test_a_large_file_in_a_multipart_form_arrives_whole(lab, noise):
    file = noise * 8
    answer = lab.post("/lab/multipart", multipart("b", file), {"Content-Type": "multipart/form-data; boundary=b"})
    assert (answer.status, answer.text) == (200, report(file))


def test_fields_may_stand_on_both_sides_of_a_file_that_is_not_held_in_memory(lab, tmp_path, noise):
    path = tmp_path / "large"
    with open(path, "wb") as file:
        for n in range(100):
            file.write(bytes([n]) + noise)
    before = lab.peak_rss_bytes()
    done = subprocess.run(
        ["curl", "-sS", "--max-time", "60", "-F", "parent_dir=/", "-F", f"file=@{path}", "-F", "replace=1",
         "-F", f"file=@{path};filename=again", f"{lab.url}/lab/multipart"], capture_output=True, text=True, check=True)
    described = f"{path.stat().st_size} {sha256(path.read_bytes())}"
    assert done.stdout == (f"file large {described} after 1\nfile again {described} after 2\n"
                           "field parent_dir=/\nfield replace=1\n")
    assert lab.sanitized or lab.peak_rss_bytes() - before < 16 * MIB


@pytest.mark.parametrize("content_type, body", [
    ("multipart/form-data", b"--b--\r\n"),
    ("text/plain; boundary=b", b"--b--\r\n"),
    ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data; name=a\r\n\r\nno end"),
    ("multipart/form-data; boundary=b", b"no boundary at all"),
])
def test_a_broken_multipart_form_is_refused(lab, content_type, body):
    answer = lab.post("/lab/multipart", body, {"Content-Type": content_type})
    assert answer.status == 400


# Streamed uploads.


@pytest.mark.parametrize("options", [[], ["-H", "Transfer-Encoding: chunked"], ["-H", "Expect:"]])
def test_fifty_megabytes_are_uploaded_without_being_held_in_memory(lab, tmp_path, noise, options):
    path = tmp_path / "large"
    with open(path, "wb") as file:
        for n in range(50):
            file.write(bytes([n]) + noise)
    expected = sha256(path.read_bytes())
    before = lab.peak_rss_bytes()
    done = subprocess.run(["curl", "-sS", "--max-time", "60", *options, "-T", path, f"{lab.url}/lab/upload"],
                          capture_output=True, text=True, check=True)
    assert done.stdout == f"{path.stat().st_size} {expected}\n"
    assert lab.sanitized or lab.peak_rss_bytes() - before < 16 * MIB


def test_an_upload_knows_which_part_of_a_whole_it_is(lab, noise):
    answer = lab.request("PUT", "/lab/part", noise, {"Content-Range": f"bytes {MIB}-{2 * MIB - 1}/{20 << 30}"})
    assert answer.text == f"{MIB} {2 * MIB - 1} {20 << 30} {sha256(noise)}\n"
    answer = lab.request("PUT", "/lab/part", b"", {"Content-Range": "bytes 5-4/10"})
    assert answer.status == 400 and "Content-Range" in answer.json()["detail"]


def test_a_sink_that_has_enough_says_so_while_the_client_still_sends(lab):
    with lab.connect() as connection:
        connection.send(post("/lab/upload/1000", f"Content-Length: {64 * MIB}", method="PUT"))
        try:
            for _ in range(1024):
                connection.send(b"a" * 65_536)
        except ConnectionError:
            pass
        answer = connection.read_response()
        assert (answer.status, answer.header("connection")) == (413, "close")
        assert answer.json()["detail"] == "the sink is full"


def test_a_sink_that_has_enough_is_heard_by_curl(lab, tmp_path):
    path = tmp_path / "large"
    path.write_bytes(b"a" * 4 * MIB)
    done = subprocess.run(["curl", "-s", "--max-time", "60", "-o", "-", "-w", "%{http_code}", "-H", "Expect:",
                           "-T", path, f"{lab.url}/lab/upload/1000"], capture_output=True, text=True, check=False)
    assert done.stdout.endswith("413")


def test_an_upload_that_arrives_is_stored(make_server, tmp_path, noise):
    folder = tmp_path / "stored"
    folder.mkdir()
    lab = make_server(binary="atrium_lab", env={"LAB_FOLDER": str(folder)})
    assert lab.request("PUT", "/lab/store", noise).status == 201
    assert [file.read_bytes() for file in folder.iterdir()] == [noise]


@pytest.mark.parametrize("leave", ["close", "reset", "half_close"])
def test_an_upload_that_breaks_off_leaves_no_file(make_server, tmp_path, leave):
    folder = tmp_path / "stored"
    folder.mkdir()
    lab = make_server(binary="atrium_lab", env={"LAB_FOLDER": str(folder)})
    connection = lab.connect().send(post("/lab/store", f"Content-Length: {10 * MIB}", method="PUT"))
    connection.send(b"a" * MIB)
    eventually(lambda: any(file.stat().st_size > 0 for file in folder.iterdir()), what="the beginning of the file")
    getattr(connection, leave)()
    eventually(lambda: not list(folder.iterdir()), what="an empty folder")
    connection.close()


# Replies made while they are sent.


def alphabet(size: int) -> bytes:
    return (b"abcdefghijklmnopqrstuvwxyz" * (size // 26 + 1))[:size]


@pytest.mark.parametrize("size", [0, 1, 4096, 4097, 100_000])
def test_a_generated_body_of_known_length_says_it_and_leaves_the_connection_usable(lab, size):
    with lab.connect() as connection:
        for version in ("1.1", "1.0"):
            answer = connection.send(f"GET /lab/alphabet/{size} HTTP/{version}\r\nHost: a\r\n"
                                     "Connection: keep-alive\r\n\r\n").read_response()
            assert (answer.status, answer.header("content-length")) == (200, str(size))
            assert answer.header("transfer-encoding") is None
            assert answer.body == alphabet(size)
    assert lab.request("HEAD", f"/lab/alphabet/{size}").header("content-length") == str(size)


@pytest.mark.parametrize("promised, given", [(10_000, 9_999), (10_000, 0), (5_000, 5_001), (0, 1)])
def test_a_generated_body_that_breaks_its_word_breaks_the_connection(lab, promised, given):
    with lab.connect() as connection:
        connection.send(f"GET /lab/alphabet/{promised}/{given} HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.read_head().header("content-length") == str(promised)
        received = connection.read_to_end()
        assert len(received) <= promised and alphabet(promised).startswith(received)
    lab.wait_for_log(lambda line: line["level"] == "error" and "another length" in line.get("error", ""))


def test_a_generated_body_comes_in_chunks_and_leaves_the_connection_usable(lab):
    with lab.connect() as connection:
        answer = connection.send("GET /lab/count/100000 HTTP/1.1\r\nHost: a\r\n\r\n").read_response()
        assert (answer.status, answer.header("transfer-encoding")) == (200, "chunked")
        assert answer.header("content-length") is None
        assert answer.body == b"".join(b"%d\n" % n for n in range(100_000))
        assert connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").read_response().text == "ok\n"


def test_a_generated_body_of_nothing_is_complete(lab):
    answer = lab.exchange("GET /lab/count/0 HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (answer.status, answer.body) == (200, b"")


def test_a_generated_body_that_breaks_can_be_told_from_a_whole_one(lab):
    with lab.connect() as connection:
        connection.send("GET /lab/count/10000/broken HTTP/1.1\r\nHost: a\r\n\r\n")
        with pytest.raises(ConnectionEnded):
            connection.read_response()
    with lab.connect() as connection:
        connection.send("GET /lab/count/10000/broken HTTP/1.1\r\nHost: a\r\n\r\n")
        answer = connection.read_head()
        assert (answer.status, answer.header("transfer-encoding")) == (200, "chunked")
        rest = connection.read_to_end()
        assert b"\r\n4999\n" in rest or b"\n4999\n" in rest
        assert not rest.endswith(b"0\r\n\r\n")
    lab.wait_for_log(lambda line: line["message"] == "reply broken off" and "ran dry" in line["error"])


def test_a_client_that_leaves_during_a_download_is_forgotten(lab):
    files = lab.open_file_count()
    for _ in range(5):
        connection = lab.connect().send("GET /lab/count/10000000 HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.read_bytes(100_000)
        connection.close()
    eventually(lambda: lab.open_file_count() <= files, what="all connections closed")
    assert lab.metrics().value("atrium_workers_running") <= 1
