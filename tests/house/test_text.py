# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Rules about the text and the names of files."""

import pathlib
import re

import pytest
from tree import CODE, CPP, CPP_HEADER, HASH_HEADER, Tree, checkout, expect_none, invented

LINES_MAX = 800
TEXT = CODE | {".md", ".yaml", ".yml", ".ini", ".conf", ".service", ".packages"}
LICENSED = CPP | {".py", ".sh", ".cmake", ".ts", ".tsx", ".js", ".mjs", ".css"}
# Written so that the rule does not find itself.
PROMISE = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX)\b(?!\(#\d+\))")
EMPTY_WORDS = {"util", "utils", "helper", "helpers", "manager", "managers", "impl", "data", "info"}
EMPTY_CLASS = re.compile(
    r"^\s*(?:class|struct)\s+(?:\[\[\w+\]\]\s*)?(\w*(?:Manager|Helper|Utils?|Impl))\b", re.MULTILINE)


def code_files(tree: Tree) -> list[str]:
    lists = [f for f in tree.files if pathlib.PurePosixPath(f).name == "CMakeLists.txt"]
    return sorted({*tree.having(CODE), *tree.scripts(), *lists})


def too_long(tree: Tree) -> list[str]:
    files = {*code_files(tree), *tree.having({".md"})}
    lengths = {file: tree.bytes(file).count(b"\n") for file in sorted(files)}
    return [f"{file}: {length} lines" for file, length in lengths.items() if length > LINES_MAX]


def unnumbered_promises(tree: Tree) -> list[str]:
    return [
        f"{file}:{number}"
        for file in code_files(tree)
        for number, line in enumerate(tree.text(file).splitlines(), 1)
        if PROMISE.search(line)
    ]


def without_licence(tree: Tree) -> list[str]:
    files = {*tree.having(LICENSED), *tree.scripts(), *code_files(tree)} - set(tree.having(CODE - LICENSED))
    return [file for file in sorted(files) if not names_licence(tree.text(file))]


def names_licence(text: str) -> bool:
    head = "\n".join(text.splitlines()[:3])
    return "SPDX-FileCopyrightText: The Atrium authors" in head and "SPDX-License-Identifier: Apache-2.0" in head


def empty_names(tree: Tree) -> list[str]:
    found = []
    for file in code_files(tree):
        path = pathlib.PurePosixPath(file)
        last_words = {re.split(r"[_\-.]", path.stem)[-1].lower(), *path.parts[:-1]}
        if last_words & EMPTY_WORDS:
            found.append(file)
    for file in tree.having(CPP):
        found += [f"{file}: {name}" for name in EMPTY_CLASS.findall(tree.text(file))]
    return found


def untidy_lines(tree: Tree) -> list[str]:
    found = []
    for file in sorted({*tree.having(TEXT), *code_files(tree)}):
        content = tree.bytes(file)
        found += [
            f"{file}:{number}: white space at the end"
            for number, line in enumerate(content.split(b"\n"), 1)
            if line != line.rstrip()
        ]
        if content and not content.endswith(b"\n"):
            found.append(f"{file}: the last line has no end")
        if content.endswith(b"\n\n"):
            found.append(f"{file}: empty lines at the end")
    return found


def tabs(tree: Tree) -> list[str]:
    return [file for file in tree.having(CPP) if "\t" in tree.text(file)]


@pytest.mark.parametrize(
    "rule", [too_long, unnumbered_promises, without_licence, empty_names, untidy_lines, tabs], ids=lambda r: r.__name__)
def test_the_checkout_keeps(rule):
    expect_none(rule(checkout()))


def test_a_long_file_is_found(tmp_path):
    tree = invented(tmp_path, {"a.cc": "x\n" * 800, "b.cc": "x\n" * 801, "c.md": "x\n" * 801, "d.json": "x\n" * 801})
    assert too_long(tree) == ["b.cc: 801 lines", "c.md: 801 lines"]


def test_a_promise_needs_a_number(tmp_path):
    mark = "TO" + "DO"
    tree = invented(tmp_path, {"a.cc": f"// {mark}(#12): more\n// {mark}: less\n", "run": f"#!/bin/sh\n# FIX{'ME'}\n"})
    assert unnumbered_promises(tree) == ["a.cc:2", "run:2"]


def test_a_file_without_licence_is_found(tmp_path):
    tree = invented(tmp_path, {
        "a.cc": CPP_HEADER, "b.h": "#pragma once\n" + CPP_HEADER, "c.cc": "\n", "d.py": HASH_HEADER, "e.py": "x = 1\n",
        "CMakeLists.txt": "project(x)\n", "run": "#!/bin/sh\n" + HASH_HEADER, "test": "#!/bin/sh\n", "f.css": "a {}\n",
        "g.cc": "\n\n\n" + CPP_HEADER, "h.ts": CPP_HEADER, "i.tsx": "\n", "j.html": "<p>\n"})
    assert without_licence(tree) == ["CMakeLists.txt", "c.cc", "e.py", "f.css", "g.cc", "i.tsx", "test"]


def test_a_name_that_says_nothing_is_found(tmp_path):
    tree = invented(tmp_path, {
        "src/util.h": "", "src/string_utils.cc": "", "src/helpers/x.cc": "", "src/utility_bill.cc": "",
        "src/a.h": "class LeaseManager final {\n", "src/b.h": "class Manages {\n"})
    assert empty_names(tree) == ["src/helpers/x.cc", "src/string_utils.cc", "src/util.h", "src/a.h: LeaseManager"]


def test_untidy_lines_are_found(tmp_path):
    tree = invented(tmp_path, {"a.cc": "x \n", "b.md": "x\r\n", "c.py": "x", "d.py": "x\n\n", "e.py": "",
                                "f.bin": "x "})
    assert untidy_lines(tree) == [
        "a.cc:1: white space at the end", "b.md:1: white space at the end", "c.py: the last line has no end",
        "d.py: empty lines at the end"]


def test_a_tab_is_found(tmp_path):
    assert tabs(invented(tmp_path, {"a.cc": "\tx\n", "b.cc": "  x\n", "Makefile": "\tx\n"})) == ["a.cc"]
