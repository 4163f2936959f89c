# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Shell scripts parse, and what can be started is marked as such."""

import os
import subprocess

from tree import HASH_HEADER, Tree, checkout, expect_none, invented

DOORS = ["run", "test", ".ci/run"]


def unparsable(tree: Tree) -> list[str]:
    found = []
    for file in sorted({*tree.scripts(), *tree.having({".sh"})}):
        if shell := shell_of(tree.text(file), file):
            outcome = subprocess.run([shell, "-n", tree.root / file], capture_output=True, text=True)
            if outcome.returncode != 0:
                found.append(f"{file}: {outcome.stderr.strip()}")
    return found


def shell_of(text: str, file: str) -> str | None:
    """The shell a script asks for. One without #! is meant to be sourced by bash."""
    first = text.partition("\n")[0]
    if not first.startswith("#!"):
        return "bash" if file.endswith(".sh") else None
    interpreter = first.split("/")[-1].split()[-1]
    return interpreter if interpreter in ("bash", "sh") else None


def wrongly_marked(tree: Tree) -> list[str]:
    """A file has the executable bit exactly when it begins with #!."""
    scripts = set(tree.scripts())
    found = []
    for file in tree.files:
        executable = bool(os.stat(tree.root / file).st_mode & 0o111)
        if executable and file not in scripts:
            found.append(f"{file}: executable without #!")
        if not executable and file in scripts:
            found.append(f"{file}: #! without being executable")
    return found


def test_shell_scripts_of_the_checkout_parse():
    expect_none(unparsable(checkout()))


def test_scripts_of_the_checkout_are_executable_and_nothing_else_is():
    expect_none(wrongly_marked(checkout()))


def test_the_doors_are_there():
    assert set(DOORS) <= set(checkout().scripts())


def test_a_script_that_does_not_parse_is_found(tmp_path):
    tree = invented(tmp_path, {
        "good": "#!/usr/bin/env bash\nif true; then echo; fi\n", "bad": "#!/usr/bin/env bash\nif true; then\n",
        "sourced.sh": "f() {\n", "posix": "#!/bin/sh\ncase x in\n", "other": "#!/usr/bin/python3\nif (\n"})
    assert [problem.split(":")[0] for problem in unparsable(tree)] == ["bad", "posix", "sourced.sh"]


def test_a_wrong_executable_bit_is_found(tmp_path):
    tree = invented(tmp_path, {"door": "#!/bin/sh\n", "sourced.sh": HASH_HEADER, "note.md": "", "fine": "#!/bin/sh\n"})
    (tmp_path / "note.md").chmod(0o755)
    (tmp_path / "fine").chmod(0o755)
    assert wrongly_marked(tree) == ["door: #! without being executable", "note.md: executable without #!"]
