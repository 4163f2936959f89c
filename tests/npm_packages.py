# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Packages of Node.js for tests, as their lock files say.

    npm_packages.py FOLDER...
"""

import fcntl
import pathlib
import subprocess
import sys


def install(folder: pathlib.Path) -> None:
    """Brings node_modules of the folder to what its lock says, unless it is there; one process at a time."""
    modules, lock = folder / "node_modules", folder / "package-lock.json"
    # Written by npm itself when it is done.
    done = modules / ".package-lock.json"
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if done.is_file() and done.stat().st_mtime >= lock.stat().st_mtime:
            return
        outcome = subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=folder, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=300, check=False)
        assert outcome.returncode == 0, f"npm ci failed:\n{outcome.stdout}{outcome.stderr}"
        done.touch()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        install(pathlib.Path(name))
