# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Every call of the store has terms: a deadline, and the name of the request or the work it is for. Tests may leave them out."""

import re

from tree import CPP, Tree, checkout, expect_none, invented

# Where an empty list of arguments stands for the terms: first in a call of the store itself, second in the functions
# that take the store before them.
EMPTY_TERMS = [
    re.compile(r"\b(?:store|store_|Store\(\)|GetStore\(\)|blobs|blobs_)\s*\.\s*\w+\(\s*\{\s*\}\s*[,)]"),
    re.compile(r"\bstore::\w+(?:<[\w:]+>)?\(\s*[\w.]*(?:->[\w.]+)?(?:store|store_|engine_|Store\(\))\s*,\s*\{\s*\}\s*,"),
    re.compile(r"\bOpContext(?:\s+\w+)?\s*\{\s*\}\s*[;,)]"),
    re.compile(r"\bOpContext\s+\w+\s*;"),
]
# A name in a list of named values. What keeps a string of its own is no terms, which have a view of one.
NAMED = re.compile(r"(?<=[{,\s])\.trace\s*=(?!\s*std::string\()")
# The terms of a call are filled in by whoever makes the call, and a member is set by its constructor.
ALLOWED = {"src/api/api.h", "src/files/library_reader.h"}


def sources(tree: Tree) -> list[str]:
    return [file for file in tree.having(CPP, under="src/")
            if not file.startswith("src/engines/") and not file.endswith("_test.cc") and "testing" not in file]


def up_to_the_end(text: str) -> str:
    """Up to the brace that closes the list which the text begins in, without what stands in braces of its own."""
    depth, kept = 0, []
    for mark in text:
        depth += (mark == "{") - (mark == "}")
        if depth < 0:
            break
        if depth == 0:
            kept.append(mark)
    return "".join(kept)


def list_around(text: str, place: int) -> str:
    backwards = text[:place][::-1].translate(str.maketrans("{}", "}{"))
    return up_to_the_end(backwards)[::-1] + up_to_the_end(text[place:])


def endless(text: str) -> list[int]:
    """Where a name stands without a deadline: such a call may hang for ever."""
    return [match.start() for match in NAMED.finditer(text) if ".deadline =" not in list_around(text, match.start())]


def violations(tree: Tree) -> list[str]:
    found = []
    for file in sources(tree):
        text = tree.text(file)
        places = [(place, "a call has no deadline") for place in endless(text)]
        if file not in ALLOWED:
            places += [(match.start(), "the store is asked without terms")
                       for pattern in EMPTY_TERMS for match in pattern.finditer(text)]
        found += [f"{file}:{text.count(chr(10), 0, place) + 1}: {complaint}" for place, complaint in places]
    return sorted(found)


def test_the_store_is_asked_on_terms():
    tree = checkout()
    assert any("OpContext" in tree.text(file) for file in sources(tree))
    expect_none(violations(tree))


def test_calls_without_terms_are_found(tmp_path):
    tree = invented(tmp_path, {
        "src/room/commit.cc": "Result<void> Put() {\n  return ground_.store.Commit({}, std::move(batch));\n}\n",
        "src/room/find.cc": "auto found = store::Find(ground_.store, {},\n    Users(), Key());\n",
        "src/room/broken.cc": "auto found = store::FindBy(\n    ground_.store, {}, Users(), Key());\n",
        "src/room/local.cc": "const store::OpContext op{};\n",
        "src/room/right.cc": "auto a = store.Commit(op, {}); auto b = store::DecodeRecord<X>(row.document, {});\n",
        "src/room/room_test.cc": "store.Commit({}, batch);\n"})
    assert violations(tree) == [f"src/room/{place}: the store is asked without terms"
                                for place in ("broken.cc:1", "commit.cc:2", "find.cc:1", "local.cc:1")]


def test_names_without_a_deadline_are_found(tmp_path):
    tree = invented(tmp_path, {
        "src/room/alone.h": 'const store::OpContext op_{.trace = "files.list"};\n',
        "src/room/admit.cc": "auto caller = tokens_.Admit(\n    {.trace = request.id,\n     .consistency = kCritical},\n    token);\n",
        "src/room/elsewhere.cc": "Ask({.deadline = at}, {.principal = who(), .trace = name});\n",
        "src/room/inner.cc": "Ask({.trace = name, .more = {.deadline = at}});\n",
        "src/room/right.cc": "Ask({.deadline = clock.Steady() + Time{1}, .trace = name, .more = {}});\n"
                             "Ask({.principal = who, .trace = name, .deadline = at}); op.trace = name;\n"
                             "Import({.calendar = id, .trace = std::string(request.id)});\n"})
    assert violations(tree) == [f"src/room/{place}: a call has no deadline"
                                for place in ("admit.cc:2", "alone.h:1", "elsewhere.cc:1", "inner.cc:1")]
