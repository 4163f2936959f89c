# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Packages are installed only when missing, without questions, and the lists are tidy."""

import os
import pathlib
import shutil
import subprocess

import pytest
from tree import CHECKOUT, Tree, checkout, expect_none, invented

# Stands in for dpkg-query, apt-get, sudo and the like: writes down how it was called, then does as it is told.
STAND_IN = """#!/bin/bash
echo "$(basename "$0") $*" >>"{calls}"
{body}
"""


def untidy_lists(tree: Tree) -> list[str]:
    found = []
    for file in tree.having({".packages"}):
        lines = tree.text(file).splitlines()
        if lines != sorted(set(lines)):
            found.append(f"{file}: not sorted, or something is there twice")
        found += [f"{file}: not a package: {line!r}" for line in lines if not is_package(line)]
    return found


def is_package(line: str) -> bool:
    return line != "" and set(line) <= set("abcdefghijklmnopqrstuvwxyz0123456789+-.")


def test_lists_of_the_checkout_are_tidy():
    assert len(checkout().having({".packages"}, under="setup/")) == 3
    expect_none(untidy_lists(checkout()))


def test_an_untidy_list_is_found(tmp_path):
    tree = invented(tmp_path, {
        "a.packages": "b\na\n", "b.packages": "a\na\n", "c.packages": "\nClang 19\n",
        "d.packages": "clang-19\nlibstdc++\n"})
    assert untidy_lists(tree) == [
        "a.packages: not sorted, or something is there twice", "b.packages: not sorted, or something is there twice",
        "c.packages: not a package: ''", "c.packages: not a package: 'Clang 19'"]


class Machine:
    """A copy of setup/packages.sh on a machine where some packages are installed and commands are stand-ins."""

    def __init__(self, root: pathlib.Path):
        self.commands = root / "bin"
        self.calls_file = root / "calls"
        self.setup = root / "setup"
        self.commands.mkdir()
        self.setup.mkdir()
        self.calls_file.touch()
        shutil.copy(CHECKOUT / "setup" / "packages.sh", self.setup)
        (self.setup / "build.packages").write_text("clang\ncmake\n")
        (self.setup / "test.packages").write_text("pytest\n")
        self.have("apt-get")

    def have(self, command: str, body: str = "exit 0") -> None:
        path = self.commands / command
        path.write_text(STAND_IN.format(calls=self.calls_file, body=body))
        path.chmod(0o755)

    def install(self, *packages: str) -> None:
        self.have("dpkg-query", "\n".join(f"echo 'installed {package}'" for package in packages) + "\nexit 1")

    def ensure(self, *lists: str, user: int = 0) -> subprocess.CompletedProcess:
        # EUID cannot be set, so that the script sees another user its text is changed.
        script = (self.setup / "packages.sh").read_text().replace("EUID == 0", f"{user} == 0")
        assert "EUID" not in script.replace("EUID == 0", "")
        (self.setup / "packages.sh").write_text(script)
        return subprocess.run(
            ["bash", "-c", f"set -euo pipefail; source {self.setup}/packages.sh; ensure_packages {' '.join(lists)}"],
            env={"PATH": f"{self.commands}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL, capture_output=True,
            text=True)

    def calls(self, command: str) -> list[str]:
        return [line for line in self.calls_file.read_text().splitlines() if line.startswith(command + " ")]


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_nothing_is_installed_when_all_is_there(machine):
    machine.install("clang", "cmake", "pytest")
    assert machine.ensure("build", "test").returncode == 0
    assert machine.calls("apt-get") == []


def test_only_what_is_missing_is_installed(machine):
    machine.install("clang")
    assert machine.ensure("build", "test").returncode == 0
    update, install = machine.calls("apt-get")
    assert update.endswith(" update")
    assert install.endswith(" install --no-install-recommends cmake pytest")
    assert " -y " in install


def test_a_package_with_a_longer_name_is_not_taken_for_another(machine):
    machine.install("clang-tools", "cmake")
    machine.ensure("build")
    assert machine.calls("apt-get")[1].endswith(" clang")


def test_no_question_is_asked(machine):
    machine.install()
    machine.have("apt-get", '[[ $DEBIAN_FRONTEND == noninteractive ]] || exit 1')
    assert machine.ensure("build").returncode == 0


def test_another_user_installs_through_sudo(machine):
    machine.install()
    machine.have("sudo", 'shift; [[ $1 == true ]] && exit 0; exec "$@"')
    assert machine.ensure("build", user=1000).returncode == 0
    assert all(call.startswith("sudo -n ") for call in machine.calls("sudo"))
    assert len(machine.calls("apt-get")) == 2


def test_a_user_who_may_not_is_told_what_to_do(machine):
    machine.install("clang")
    machine.have("sudo", "exit 1")
    outcome = machine.ensure("build", user=1000)
    assert outcome.returncode == 1
    assert "apt-get install --no-install-recommends cmake" in outcome.stderr
    assert machine.calls("apt-get") == []


def test_a_failing_installation_is_a_failure(machine):
    machine.install()
    machine.have("apt-get", "exit 100")
    outcome = machine.ensure("build")
    assert outcome.returncode == 1
    assert "Debian 12" in outcome.stderr
