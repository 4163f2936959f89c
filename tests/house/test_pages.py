# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Rules about the sources of the pages: they stay short, and lead to no other host."""

import re

import pytest
from tree import Tree, checkout, expect_none, invented

SCRIPTS = {".ts", ".tsx", ".mjs"}
SOURCES = SCRIPTS | {".css", ".html"}
LINE_MAX = 150
LINES_MAX = 400
# A sentence is a line there, and all sentences of a room are together.
WORDS = "web/src/words/"
HOST = re.compile(r"(?:https?|wss?):\\?/\\?/([\w-]+(?:\.[\w-]+)+)")
# Names that stand for others, this machine, and the name of a language, which is no address.
HARMLESS = re.compile(r"^(.*\.)?example(\.org|\.com|\.net)?$|^127\.0\.0\.1$|^www\.w3\.org$")


def page_sources(tree: Tree) -> list[str]:
    return tree.having(SOURCES, under="web/") + tree.having(SOURCES, under="tests/web/")


def code_of(tree: Tree) -> list[str]:
    return [file for file in page_sources(tree) if not file.startswith(WORDS)]


def long_lines(tree: Tree) -> list[str]:
    return [f"{file}:{number}: {len(line)} characters" for file in code_of(tree)
            for number, line in enumerate(tree.text(file).splitlines(), 1) if len(line) > LINE_MAX]


def long_files(tree: Tree) -> list[str]:
    lengths = {file: tree.text(file).count("\n") for file in code_of(tree)}
    return [f"{file}: {length} lines" for file, length in lengths.items() if length > LINES_MAX]


def outside_hosts(tree: Tree) -> list[str]:
    """The content security policy would refuse them; texts and tests name examples alone."""
    return [f"{file}: {host}" for file in page_sources(tree) for host in HOST.findall(tree.text(file))
            if not HARMLESS.match(host)]


@pytest.mark.parametrize("rule", [long_lines, long_files, outside_hosts], ids=lambda r: r.__name__)
def test_the_pages_keep(rule):
    expect_none(rule(checkout()))


def test_long_lines_and_files_are_found(tmp_path):
    tree = invented(tmp_path, {
        "web/src/a.ts": "x" * 150 + "\n" + "x" * 151 + "\n", "web/src/b.tsx": "x\n" * 401, "web/src/c.css": "x\n" * 400,
        "src/d.ts": "x" * 151 + "\n", "web/src/words/en/e.ts": "x" * 151 + "\n"})
    assert long_lines(tree) == ["web/src/a.ts:2: 151 characters"]
    assert long_files(tree) == ["web/src/b.tsx: 401 lines"]


def test_another_host_is_found(tmp_path):
    tree = invented(tmp_path, {
        "web/src/a.ts": "fetch('https://cdn.somewhere.io/x.js'); // https://example.org\n",
        "web/src/b.css": "a { background: url(https://www.w3.org/x) }\n", "web/src/c.tsx": "told('begins with https://')\n"})
    assert outside_hosts(tree) == ["web/src/a.ts: cdn.somewhere.io"]
