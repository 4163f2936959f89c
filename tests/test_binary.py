# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""How the program is linked: so that a slip of memory is hard to make use of."""

import subprocess

import pytest


@pytest.fixture(params=["atrium", "atrium_lab"])
def program(request, build_folder):
    return build_folder / request.param


def readelf(program, *words: str) -> str:
    return subprocess.run(["readelf", "-W", *words, str(program)], capture_output=True, text=True, check=True).stdout


def test_the_table_of_addresses_is_read_only(program):
    assert "GNU_RELRO" in readelf(program, "--segments")
    flags = [line for line in readelf(program, "--dynamic").splitlines() if "FLAGS" in line]
    assert any("NOW" in line for line in flags), flags


def test_the_program_lies_at_another_address_each_time(program):
    assert "DYN (Position-Independent Executable file)" in readelf(program, "--file-header")


def test_the_stack_is_not_executable(program):
    stack = next(line for line in readelf(program, "--segments").splitlines() if "GNU_STACK" in line)
    assert " RW " in stack, stack
