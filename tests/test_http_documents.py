# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The pages built into the server, and the documents in which it describes itself."""

import gzip
import json
import re
import subprocess

import pytest
from programs import run

METHODS = {"get", "post", "put", "patch", "delete"}


def listed_in(document: dict) -> set[tuple[str, str]]:
    return {(method.upper(), path) for path, operations in document["paths"].items() for method in operations}


# The API document.


def test_the_api_document_is_openapi_3_1(lab, build_folder):
    answer = lab.get("/api/openapi.json")
    assert (answer.status, answer.header("content-type")) == (200, "application/json")
    document = answer.json()
    assert document["openapi"] == "3.1.0"
    version = run(build_folder / "atrium_lab", "version").stdout.split()[1]
    assert document["info"] == {"title": "Atrium", "version": version}
    for path, operations in document["paths"].items():
        assert path.startswith("/") and set(operations) <= METHODS
        for operation in operations.values():
            assert operation["summary"] and operation["responses"]


def test_every_path_parameter_is_declared_with_its_type(lab):
    document = lab.get("/api/openapi.json").json()
    for path, operations in document["paths"].items():
        for operation in operations.values():
            declared = [parameter["name"] for parameter in operation["parameters"]]
            assert declared == re.findall(r"{(\w+)}", path)
            assert all(p["in"] == "path" and p["required"] and p["schema"]["type"] for p in operation["parameters"])
    room, seat = document["paths"]["/lab/rooms/{room}/seats/{seat}"]["get"]["parameters"]
    assert room["schema"] == {"type": "string", "format": "uuid"}
    assert seat["schema"]["type"] == "integer"


def test_every_reference_in_the_api_document_leads_somewhere(lab):
    text = lab.get("/api/openapi.json").text
    document = json.loads(text)
    references = set(re.findall(r'"\$ref":"#/([^"]+)"', text))
    assert references == {"components/schemas/Problem"}
    problem = document["components"]["schemas"]["Problem"]
    answered = lab.get("/lab/nothing").json()
    assert set(problem["required"]) <= set(answered) <= set(problem["properties"])


@pytest.mark.parametrize("program", ["atrium", "atrium_lab"])
def test_the_command_line_lists_the_routes_of_the_api_document(make_server, build_folder, program):
    document = make_server(binary=program).get("/api/openapi.json").json()
    listed = json.loads(run(build_folder / program, "routes", "--json").stdout)
    # Whoever reads the document over the network cannot reach the others.
    rows = [row for row in listed if row["access"] != "control"]
    assert all(row["path"].startswith("/control/") for row in listed if row not in rows)
    assert {(row["method"], row["path"].replace("...}", "}")) for row in rows} == listed_in(document)
    for row in rows:
        operation = document["paths"][row["path"].replace("...}", "}")][row["method"].lower()]
        assert (operation["summary"], operation["x-access"]) == (row["summary"], row["access"])
        assert (operation["x-rate"], operation["x-body-bytes-max"]) == (row["rate"], row["body_bytes_max"])
        assert operation.get("x-socket", False) == row["socket"]
        assert ("requestBody" in operation) == (row["body_bytes_max"] > 0 and not row["socket"])


def test_the_table_of_routes_says_the_same_as_its_json(build_folder):
    rows = json.loads(run(build_folder / "atrium_lab", "routes", "--json").stdout)
    heading, *lines = run(build_folder / "atrium_lab", "routes").stdout.splitlines()
    assert heading.split()[:6] == ["METHOD", "PATH", "ACCESS", "WORK", "BODY", "RATE"]
    assert [line.split()[:6] for line in lines] == [
        [row["method"], row["path"], row["access"], row["work"], str(row["body_bytes_max"]), row["rate"]]
        for row in rows]


# Pages.


def decoded(answer) -> bytes:
    encoding = answer.header("content-encoding")
    if encoding is None:
        return answer.body
    if encoding == "gzip":
        return gzip.decompress(answer.body)
    assert encoding == "br"
    return subprocess.run(["brotli", "--decompress", "--stdout", "-"], input=answer.body, stdout=subprocess.PIPE,
                          check=True).stdout


def test_the_first_page_is_html_that_may_load_only_our_own(server):
    answer = server.get("/")
    assert (answer.status, answer.header("content-type")) == (200, "text/html; charset=utf-8")
    assert b"<title>Atrium</title>" in answer.body
    policy = dict(part.strip().split(" ", 1) for part in answer.header("content-security-policy").split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in answer.header("content-security-policy")
    assert server.get("/index.html").body == answer.body


@pytest.mark.parametrize("accept, encoding", [
    (None, None),
    ("", None),
    ("identity", None),
    ("gzip", "gzip"),
    ("br", "br"),
    ("gzip, deflate, br", "br"),
    ("gzip, br;q=0", "gzip"),
    ("gzip;q=0, br;q=0", None),
    ("br;q=0.5, gzip;q=0.9", "gzip"),
    ("deflate", None),
    ("*", "br"),
    ("x" * 1000, None),
])
def test_the_page_comes_in_the_encoding_the_client_likes_best(server, accept, encoding):
    # Sent by hand: client libraries add an Accept-Encoding of their own.
    header = "" if accept is None else f"Accept-Encoding: {accept}\r\n"
    answer = server.exchange(f"GET / HTTP/1.1\r\nHost: a\r\n{header}\r\n")
    assert (answer.status, answer.header("content-encoding")) == (200, encoding)
    assert "Accept-Encoding" in answer.all("vary")
    assert decoded(answer) == server.get("/").body


def test_each_encoding_has_a_tag_of_its_own(server):
    tags = [server.get("/", {"Accept-Encoding": accept}).header("etag") for accept in ("identity", "gzip", "br")]
    assert all(tags) and len(set(tags)) == 3


@pytest.mark.parametrize("accept", ["identity", "gzip", "br"])
def test_an_unchanged_page_is_not_sent_again(server, accept):
    first = server.get("/", {"Accept-Encoding": accept})
    again = server.get("/", {"Accept-Encoding": accept, "If-None-Match": first.header("etag")})
    assert (again.status, again.body, again.header("etag")) == (304, b"", first.header("etag"))
    assert again.header("cache-control") == first.header("cache-control") == "no-cache"
    assert server.get("/", {"Accept-Encoding": accept, "If-None-Match": '"other"'}).status == 200


def assets_of(server) -> list[str]:
    return re.findall(r'(?:href|src)="(/assets/[^"]+)"', server.get("/").text)


def test_assets_may_be_kept_for_ever_because_their_names_change(server):
    assets = set(assets_of(server))
    assert {path.rsplit(".", 1)[1] for path in assets} == {"css", "js"}
    for path in assets:
        assert re.fullmatch(r"/assets/[\w-]+-[\w-]{8}\.\w+", path)
        answer = server.get(path)
        assert answer.status == 200
        assert answer.header("cache-control") == "public, max-age=31536000, immutable"
        assert answer.header("x-content-type-options") == "nosniff"
        again = server.get(path, {"If-None-Match": answer.header("etag")})
        assert again.status == 304
    types = {server.get(path).header("content-type") for path in assets}
    assert types == {"text/css; charset=utf-8", "text/javascript; charset=utf-8"}


def test_the_mark_keeps_its_name_and_is_asked_for_again(server):
    answer = server.get("/atrium.svg")
    assert (answer.status, answer.header("content-type")) == (200, "image/svg+xml")
    assert answer.header("cache-control") == "no-cache"


def test_an_asset_without_its_hash_does_not_exist(server):
    for path in ("/assets/page.js", "/assets/", "/assets", "/assets/page.0000000000.js"):
        assert server.get(path).status == 404


def test_a_page_takes_no_other_method(server):
    for path in ("/", assets_of(server)[0]):
        answer = server.post(path)
        assert answer.status == 405
        assert set(answer.header("allow").split(", ")) == {"OPTIONS", "GET", "HEAD"}
