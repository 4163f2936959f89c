# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A source includes the header of its name before all others, which proves that the header needs nothing in front of it."""

import re

from tree import CPP_HEADER, Tree, checkout, expect_none, invented

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<][^">]+[">])', re.MULTILINE)


def violations(tree: Tree) -> list[str]:
    found = []
    for file in tree.having({".cc"}, under="src/"):
        header = file.removesuffix(".cc") + ".h"
        first = INCLUDE.search(tree.text(file))
        if header in tree.files and (first is None or first[1] != f'"{header.removeprefix("src/")}"'):
            found.append(f"{file}: does not include {header} first")
    return found


def test_sources_of_the_checkout_begin_with_their_headers():
    tree = checkout()
    assert any(file.removesuffix(".h") + ".cc" in tree.files for file in tree.having({".h"}, under="src/"))
    expect_none(violations(tree))


def test_a_source_that_begins_otherwise_is_found(tmp_path):
    tree = invented(tmp_path, {
        "src/base/late.h": CPP_HEADER, "src/base/late.cc": '#include <string>\n\n#include "base/late.h"\n',
        "src/base/never.h": CPP_HEADER, "src/base/never.cc": "int x;\n",
        "src/base/right.h": CPP_HEADER, "src/base/right.cc": '// #include "x"\n#include "base/right.h"\n#include <string>\n',
        "src/base/main.cc": "#include <string>\n"})
    assert violations(tree) == ["src/base/late.cc: does not include src/base/late.h first",
                                "src/base/never.cc: does not include src/base/never.h first"]
