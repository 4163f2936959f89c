# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Parts of bodies, and requests that depend on what the client already has."""

import os
import re

import pytest

TEXT = b"0123456789abcdef"
TAG = '"one"'


@pytest.fixture
def file(tmp_path) -> bytes:
    content = os.urandom(300_000)
    (tmp_path / "file").write_bytes(content)
    return content


@pytest.fixture
def filing(make_server, tmp_path, file):
    """A lab that serves `file` at /lab/file, with the tag "file"."""
    return make_server(binary="atrium_lab", env={"LAB_FILE": str(tmp_path / "file")})


def parts_of(answer) -> list[tuple[str, str, bytes]]:
    """Type, range and bytes of each part of a multipart/byteranges answer."""
    boundary = re.fullmatch(r"multipart/byteranges; boundary=(\S+)", answer.header("content-type"))[1].encode()
    preamble, *parts, end = answer.body.split(b"\r\n--" + boundary)
    assert (preamble, end) == (b"", b"--\r\n")
    found = []
    for part in parts:
        assert part.startswith(b"\r\n")
        head, content = part[2:].split(b"\r\n\r\n", 1)
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        assert set(fields) == {"Content-Type", "Content-Range"}
        found.append((fields["Content-Type"], fields["Content-Range"], content))
    return found


# One range.


@pytest.mark.parametrize("asked, first, last", [
    ("bytes=0-0", 0, 0),
    ("bytes=2-5", 2, 5),
    ("bytes=10-", 10, 15),
    ("bytes=-4", 12, 15),
    ("bytes=-100", 0, 15),
    ("bytes=4-100", 4, 15),
    ("bytes=15-15", 15, 15),
    ("BYTES=1-2", 1, 2),
    ("bytes=0-1, 2-3", 0, 3),
    ("bytes=99-, 3-4", 3, 4),
])
def test_one_range_is_cut_out(lab, asked, first, last):
    answer = lab.get("/lab/tagged", {"Range": asked})
    assert answer.status == 206
    assert answer.header("content-range") == f"bytes {first}-{last}/16"
    assert answer.header("content-length") == str(last - first + 1)
    assert answer.header("content-type") == "text/plain; charset=utf-8"
    assert answer.header("etag") == TAG
    assert answer.body == TEXT[first:last + 1]


@pytest.mark.parametrize("asked", ["bytes=16-", "bytes=16-20", "bytes=-0", "bytes=100-, 200-300",
                                   "bytes=99999999999999999999999-"])
def test_a_range_behind_the_end_cannot_be_satisfied(lab, asked):
    answer = lab.get("/lab/tagged", {"Range": asked})
    assert (answer.status, answer.header("content-range")) == (416, "bytes */16")
    assert answer.header("content-type") == "application/problem+json"
    assert answer.json()["request_id"] == answer.header("x-request-id")


@pytest.mark.parametrize("asked", [
    "bytes=5-2", "bytes=a-b", "bytes=", "bytes", "lines=1-2", "bytes=1-2-3", "bytes=--1", "bytes=0x1-2", "bytes=1",
    "bytes=" + ",".join(f"{2 * n}-{2 * n}" for n in range(100)),
], ids=lambda asked: asked[:30])
def test_what_is_no_range_is_ignored(lab, asked):
    answer = lab.get("/lab/tagged", {"Range": asked})
    assert (answer.status, answer.body, answer.header("content-range")) == (200, TEXT, None)


def test_a_range_of_a_file_is_cut_out(filing, file):
    for first, last in ((0, 0), (1, 99_999), (100_000, 299_999)):
        answer = filing.get("/lab/file", {"Range": f"bytes={first}-{last}"})
        assert (answer.status, answer.header("content-range")) == (206, f"bytes {first}-{last}/300000")
        assert answer.body == file[first:last + 1]
    answer = filing.get("/lab/file", {"Range": "bytes=-1000"})
    assert (answer.header("content-range"), answer.body) == ("bytes 299000-299999/300000", file[-1000:])


def test_a_file_comes_whole_without_a_range(filing, file):
    answer = filing.get("/lab/file")
    assert (answer.status, answer.header("content-length")) == (200, "300000")
    assert answer.body == file


def test_a_download_can_be_resumed_on_one_connection(filing, file):
    received = b""
    with filing.connect() as connection:
        while len(received) < len(file):
            end = len(received) + 70_000 - 1
            connection.send(f"GET /lab/file HTTP/1.1\r\nHost: a\r\nRange: bytes={len(received)}-{end}\r\n\r\n")
            received += connection.read_response().body
    assert received == file


def test_the_range_of_a_generated_body_is_ignored(lab):
    answer = lab.get("/lab/count/10", {"Range": "bytes=0-3"})
    assert (answer.status, answer.text) == (200, "".join(f"{n}\n" for n in range(10)))


def test_the_range_of_a_post_is_ignored(lab):
    answer = lab.post("/lab/echo", b"whole", {"Range": "bytes=0-1"})
    assert (answer.status, answer.body) == (200, b"whole")


def test_head_ignores_the_range(filing):
    with filing.connect() as connection:
        connection.send("HEAD /lab/file HTTP/1.1\r\nHost: a\r\nRange: bytes=0-9\r\n\r\n")
        answer = connection.read_response(head_only=True)
        assert (answer.status, answer.header("content-length")) == (200, "300000")
        assert connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").read_response().text == "ok\n"


# Several ranges.


def test_several_ranges_come_as_parts(lab):
    with lab.connect() as connection:
        connection.send("GET /lab/tagged HTTP/1.1\r\nHost: a\r\nRange: bytes=0-1,4-5,-2\r\n\r\n")
        answer = connection.read_response()
        assert (answer.status, answer.header("content-range")) == (206, None)
        assert len(answer.all("content-type")) == 1
        assert parts_of(answer) == [
            ("text/plain; charset=utf-8", "bytes 0-1/16", b"01"),
            ("text/plain; charset=utf-8", "bytes 4-5/16", b"45"),
            ("text/plain; charset=utf-8", "bytes 14-15/16", b"ef"),
        ]
        assert connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").read_response().text == "ok\n"


def test_several_ranges_of_a_file_come_as_parts(filing, file):
    answer = filing.get("/lab/file", {"Range": "bytes=0-99999,200000-,150000-150000"})
    assert answer.status == 206
    assert [(where, content) for _, where, content in parts_of(answer)] == [
        ("bytes 0-99999/300000", file[:100_000]),
        ("bytes 200000-299999/300000", file[200_000:]),
        ("bytes 150000-150000/300000", file[150_000:150_001]),
    ]


def test_ranges_that_overlap_are_not_sent_twice(filing, file):
    answer = filing.get("/lab/file", {"Range": "bytes=" + ",".join(["0-"] * 10)})
    assert (answer.status, len(answer.body)) in ((206, 300_000), (200, 300_000))
    assert answer.body == file


# If-Range.


def test_if_range_with_the_right_tag_gives_the_part(lab):
    answer = lab.get("/lab/tagged", {"Range": "bytes=0-3", "If-Range": TAG})
    assert (answer.status, answer.body) == (206, TEXT[:4])


@pytest.mark.parametrize("tag", ['"two"', 'W/"one"', "one", "Sun, 06 Nov 1994 08:49:37 GMT", ""])
def test_if_range_with_another_tag_gives_the_whole(lab, tag):
    answer = lab.get("/lab/tagged", {"Range": "bytes=0-3", "If-Range": tag})
    assert (answer.status, answer.body) == (200, TEXT)


# Conditions.


@pytest.mark.parametrize("tags", [TAG, 'W/"one"', "*", f'"two", {TAG}', f'"two",{TAG},"three"'])
def test_what_the_client_has_is_not_sent_again(lab, tags):
    with lab.connect() as connection:
        connection.send(f"GET /lab/tagged HTTP/1.1\r\nHost: a\r\nIf-None-Match: {tags}\r\n\r\n")
        answer = connection.read_response()
        assert (answer.status, answer.header("etag")) == (304, TAG)
        # A body, had one come, would be read here as the next answer.
        assert connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").read_response().text == "ok\n"


@pytest.mark.parametrize("tags", ['"two"', '"on"', '"ONE"', "one", ""])
def test_what_the_client_does_not_have_is_sent(lab, tags):
    answer = lab.get("/lab/tagged", {"If-None-Match": tags})
    assert (answer.status, answer.body) == (200, TEXT)


def test_head_answers_304_too(lab):
    assert lab.request("HEAD", "/lab/tagged", headers={"If-None-Match": TAG}).status == 304


def test_not_modified_comes_before_the_range(lab):
    assert lab.get("/lab/tagged", {"If-None-Match": TAG, "Range": "bytes=0-1"}).status == 304


@pytest.mark.parametrize("tags, status", [
    (TAG, 200), ("*", 200), (f'"two", {TAG}', 200), ('"two"', 412), ('W/"one"', 412), ("one", 412),
])
def test_if_match_asks_for_the_very_same_bytes(lab, tags, status):
    answer = lab.get("/lab/tagged", {"If-Match": tags})
    assert answer.status == status
    if status == 412:
        assert answer.header("content-type") == "application/problem+json"
        assert answer.json()["request_id"] == answer.header("x-request-id")


def test_if_match_comes_before_if_none_match_and_range(lab):
    answer = lab.get("/lab/tagged", {"If-Match": '"two"', "If-None-Match": TAG, "Range": "bytes=0-1"})
    assert answer.status == 412


def test_conditions_on_an_answer_without_a_tag_change_nothing(lab):
    assert lab.get("/api/health", {"If-None-Match": "*"}).status == 200
    assert lab.get("/lab/nothing", {"If-None-Match": "*"}).status == 404


# Dates, of an answer that was last changed on 15 November 2026 at noon.

CHANGED = "Sun, 15 Nov 2026 12:00:00 GMT"
EARLIER = "Sun, 15 Nov 2026 11:59:59 GMT"


def test_the_date_of_the_last_change_is_told(lab):
    assert lab.get("/lab/dated").header("last-modified") == CHANGED


@pytest.mark.parametrize("field, date, status", [
    ("If-Modified-Since", CHANGED, 304), ("If-Modified-Since", EARLIER, 200), ("If-Modified-Since", "yesterday", 200),
    ("If-Unmodified-Since", CHANGED, 200), ("If-Unmodified-Since", EARLIER, 412)])
def test_dates_are_conditions_too(lab, field, date, status):
    assert lab.get("/lab/dated", headers={field: date}).status == status


@pytest.mark.parametrize("date, status", [(CHANGED, 206), (EARLIER, 200)])
def test_a_range_can_depend_on_the_date(lab, date, status):
    assert lab.get("/lab/dated", headers={"Range": "bytes=0-3", "If-Range": date}).status == status


# Bodies made while they are sent.


def alphabet(first: int, last: int) -> bytes:
    return bytes(ord("a") + at % 26 for at in range(first, last + 1))


@pytest.mark.parametrize("asked, first, last", [
    ("bytes=0-0", 0, 0), ("bytes=30000-", 30_000, 99_999), ("bytes=-5", 99_995, 99_999),
    ("bytes=4000-5000", 4000, 5000), ("bytes=0-999999", 0, 99_999)])
def test_a_source_of_known_length_gives_the_part_that_is_asked_for(lab, asked, first, last):
    with lab.connect() as connection:
        for _ in range(2):
            connection.send(f"GET /lab/alphabet/100000 HTTP/1.1\r\nHost: a\r\nRange: {asked}\r\n\r\n")
            answer = connection.read_response()
            assert answer.status == 206
            assert answer.header("content-range") == f"bytes {first}-{last}/100000"
            assert answer.body == alphabet(first, last)


def test_a_source_is_not_cut_where_it_cannot_be(lab):
    behind = lab.get("/lab/alphabet/100", {"Range": "bytes=100-"})
    assert (behind.status, behind.header("content-range")) == (416, "bytes */100")
    several = lab.get("/lab/alphabet/100", {"Range": "bytes=0-1,50-51"})
    assert (several.status, several.body) == (200, alphabet(0, 99))
    unknown = lab.get("/lab/count/10", {"Range": "bytes=0-1"})
    assert (unknown.status, unknown.text) == (200, "".join(f"{n}\n" for n in range(10)))
