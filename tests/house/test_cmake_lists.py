# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A source that no CMakeLists.txt names is not compiled, and a test that no list names is not run; neither says so."""

import pathlib
import re

from test_dependencies import is_testing_header
from tree import CPP, Tree, checkout, expect_none, invented

COMMENT = re.compile(r"#[^\n]*")
CALL = re.compile(r"(\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
KEYWORD = re.compile(r"^[A-Z][A-Z_]+$")


def violations(tree: Tree) -> list[str]:
    found = []
    for file in tree.having(CPP, under="src/"):
        lists = nearest_lists(tree, file)
        if lists is None:
            found.append(f"{file}: no CMakeLists.txt above it")
            continue
        name = str(pathlib.PurePosixPath(file).relative_to(pathlib.PurePosixPath(lists).parent))
        text = tree.text(lists)
        if file.endswith("_test.cc"):
            if name not in names_of_tests(text):
                found.append(f"{file}: not among the TESTS of {lists}")
        # Headers for tests need GoogleTest, so they are not among those that must compile alone.
        elif not is_testing_header(file) and name not in all_names(text):
            found.append(f"{file}: not listed in {lists}")
    return found


def nearest_lists(tree: Tree, file: str) -> str | None:
    for folder in pathlib.PurePosixPath(file).parents:
        if str(folder) in ("src", "."):
            return None
        if f"{folder}/CMakeLists.txt" in tree.files:
            return f"{folder}/CMakeLists.txt"
    return None


def calls(text: str) -> list[tuple[str, list[str]]]:
    return [(command, words.split()) for command, words in CALL.findall(COMMENT.sub("", text))]


def all_names(text: str) -> set[str]:
    return {word for _, words in calls(text) for word in words}


def names_of_tests(text: str) -> set[str]:
    names = set()
    for command, words in calls(text):
        keyword = "TESTS" if command == "atrium_unit_test" else ""
        for word in words:
            if KEYWORD.match(word):
                keyword = word
            elif keyword == "TESTS":
                names.add(word)
    return names


LISTS = """atrium_module(room
  HEADERS keys.h
  SOURCES keys.cc  # other.cc
  TESTS keys_test.cc
  DEPENDS atrium::base)
atrium_unit_test(extra extra_test.cc)
"""


def test_every_source_of_the_checkout_is_built_and_every_test_is_run():
    expect_none(violations(checkout()))


def test_what_is_listed_is_left_alone(tmp_path):
    names = ["keys.h", "keys.cc", "keys_test.cc", "extra_test.cc", "testing.h", "store_testing.h"]
    tree = invented(tmp_path, {"src/room/CMakeLists.txt": LISTS} | {f"src/room/{name}": "" for name in names})
    assert violations(tree) == []


def test_a_source_that_is_not_listed_is_found(tmp_path):
    tree = invented(tmp_path, {"src/room/CMakeLists.txt": LISTS, "src/room/other.cc": "", "src/room/other.h": ""})
    assert violations(tree) == [
        "src/room/other.cc: not listed in src/room/CMakeLists.txt",
        "src/room/other.h: not listed in src/room/CMakeLists.txt",
    ]


def test_a_test_listed_among_the_sources_is_found(tmp_path):
    lists = "atrium_module(room SOURCES keys.cc keys_test.cc DEPENDS atrium::base)\n"
    tree = invented(tmp_path, {"src/room/CMakeLists.txt": lists, "src/room/keys_test.cc": ""})
    assert violations(tree) == ["src/room/keys_test.cc: not among the TESTS of src/room/CMakeLists.txt"]


def test_a_folder_without_a_list_is_found(tmp_path):
    assert violations(invented(tmp_path, {"src/room/keys.cc": ""})) == ["src/room/keys.cc: no CMakeLists.txt above it"]
