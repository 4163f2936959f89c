# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The scripts ./run and ./test say what they do without doing it, and configure only when something changed."""

import os
import pathlib
import shutil
import subprocess

import pytest
from tree import CHECKOUT

# Stands in for cmake: counts its calls and leaves what a configured folder holds.
CMAKE = """#!/bin/bash
echo "$*" >>"{calls}"
folder="${{@: -1}}"
mkdir -p "$folder" && touch "$folder/build.ninja"
"""


def door(*words: str, build_root: pathlib.Path) -> subprocess.CompletedProcess:
    environment = os.environ | {"ATRIUM_BUILD_ROOT": str(build_root)}
    return subprocess.run(
        [CHECKOUT / words[0], *words[1:]], cwd="/", env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["run", "test"])
def test_help_builds_nothing(tmp_path, name):
    outcome = door(name, "--help", build_root=tmp_path / "build")
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.startswith(f"usage: ./{name} ")
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize("words", [["--slow"], ["--only"]])
def test_a_wrong_option_is_refused_before_anything_is_built(tmp_path, words):
    outcome = door("test", *words, build_root=tmp_path / "build")
    assert outcome.returncode == 2
    assert words[0] in outcome.stderr
    assert not (tmp_path / "build").exists()


class Configurable:
    """A small checkout with setup/build.sh, where cmake is a stand-in."""

    def __init__(self, root: pathlib.Path):
        self.root = root / "checkout"
        self.calls = root / "calls"
        (self.root / "setup").mkdir(parents=True)
        (self.root / "src" / "base").mkdir(parents=True)
        shutil.copy(CHECKOUT / "setup" / "build.sh", self.root / "setup")
        (self.root / "CMakePresets.json").write_text("{}")
        commands = root / "bin"
        commands.mkdir()
        (commands / "cmake").write_text(CMAKE.format(calls=self.calls))
        (commands / "cmake").chmod(0o755)
        self.path = f"{commands}:{os.environ['PATH']}"

    def configure(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "ATRIUM_BUILD_ROOT"}
        subprocess.run(
            ["bash", "-c", f"set -euo pipefail; source {self.root}/setup/build.sh; configure_preset dev"],
            env=environment | {"PATH": self.path}, check=True)

    def times(self) -> int:
        return len(self.calls.read_text().splitlines())


@pytest.fixture
def configured(tmp_path) -> Configurable:
    checkout = Configurable(tmp_path)
    checkout.configure()
    assert checkout.times() == 1
    return checkout


def test_a_configured_folder_is_left_alone(configured):
    configured.configure()
    assert configured.times() == 1


def test_changed_presets_configure_again(configured):
    (configured.root / "CMakePresets.json").write_text('{"version": 6}')
    configured.configure()
    assert configured.times() == 2


def test_a_new_module_configures_again(configured):
    (configured.root / "src" / "base" / "CMakeLists.txt").touch()
    configured.configure()
    assert configured.times() == 2


def test_a_moved_checkout_configures_again(configured, tmp_path):
    configured.root = configured.root.rename(tmp_path / "elsewhere")
    configured.configure()
    assert configured.times() == 2


def test_a_folder_without_build_file_configures_again(configured):
    (configured.root / "build" / "dev" / "build.ninja").unlink()
    configured.configure()
    assert configured.times() == 2
