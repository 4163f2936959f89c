# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the program for what it prints, not for what it serves."""

import os
import pathlib
import subprocess


def clean_environment(additions: dict[str, str] | None = None) -> dict[str, str]:
    """Ours, without the variables that would be read as configuration."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ATRIUM_")} | (additions or {})


def run(program: pathlib.Path, *words, folder: pathlib.Path | None = None,
        env: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    """Runs it to its end in `folder`; the answer has returncode, stdout and stderr."""
    return subprocess.run([str(program), *map(str, words)], cwd=folder, env=clean_environment(env),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
