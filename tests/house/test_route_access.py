# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A route without a rule of access does not compile: nothing becomes public by omission."""

import json
import pathlib
import shlex
import subprocess

import pytest
from tree import CHECKOUT

SNIPPET = """
#include "http/route.h"

atrium::http::Route Hello() {
  return {.method = atrium::http::Method::kGet,
          .path = "/hello",
          %s
          .work = atrium::http::Work::kQuick,
          .summary = "Greets."};
}
"""


@pytest.fixture(scope="module")
def compile_flags(build_folder) -> list[str]:
    """What the build itself gives to the sources of src/http, without what names files."""
    commands = json.loads((build_folder / "compile_commands.json").read_text())
    command = next(c for c in commands if pathlib.Path(c["file"]).parent == CHECKOUT / "src" / "http")
    words = shlex.split(command["command"])
    # The compiler launcher, when there is one, comes first.
    words = words[next(i for i, word in enumerate(words) if "clang" in word):]
    words = words[:words.index("-o")]
    return [word for word in words if word != "-fdiagnostics-color=always"]


def complaints(compile_flags: list[str], access: str) -> str:
    """What the compiler says; empty when it is content."""
    outcome = subprocess.run(
        [*compile_flags, "-fsyntax-only", "-x", "c++", "-"],
        input=SNIPPET % access, capture_output=True, text=True)
    assert (outcome.returncode == 0) == ("error:" not in outcome.stderr), outcome.stderr
    return outcome.stderr


def test_a_route_with_a_rule_compiles(compile_flags):
    assert complaints(compile_flags, ".access = atrium::http::Anyone(),") == ""


def test_a_route_without_a_rule_does_not_compile(compile_flags):
    errors = [line for line in complaints(compile_flags, "").splitlines() if "error:" in line]
    assert all("access" in error or "AccessRule" in error for error in errors), errors
    # Refused by the language, not only by a warning that someone could turn off.
    assert any("reference member of type 'const AccessRule &' uninitialized" in error for error in errors), errors


def test_a_route_with_an_empty_rule_does_not_compile(compile_flags):
    assert "error:" in complaints(compile_flags, ".access = {},")
