# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a checkout, for the house rules; and invented trees, on which each rule proves that it can fail."""

import pathlib
import subprocess

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent.parent

SPDX = "SPDX-FileCopyrightText: The Atrium authors\n{0} SPDX-License-Identifier: Apache-2.0\n"
CPP_HEADER = "// " + SPDX.format("//")
HASH_HEADER = "# " + SPDX.format("#")

CPP = {".cc", ".h"}
CODE = CPP | {".py", ".sh", ".cmake", ".ts", ".tsx", ".js", ".mjs", ".css", ".html"}


class Tree:
    """A folder and the files in it that count, as paths relative to it with forward slashes, sorted."""

    def __init__(self, root: pathlib.Path, files: list[str]):
        self.root = root
        self.files = sorted(files)

    def bytes(self, file: str) -> bytes:
        return (self.root / file).read_bytes()

    def text(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8", errors="replace")

    def having(self, suffixes: set[str], under: str = "") -> list[str]:
        return [f for f in self.files if pathlib.PurePosixPath(f).suffix in suffixes and f.startswith(under)]

    def scripts(self) -> list[str]:
        """Files that begin with #!."""
        return [f for f in self.files if self.bytes(f)[:2] == b"#!"]


def checkout() -> Tree:
    """What git tracks, and what it would add: a rule should speak before the commit, not after it."""
    listed = subprocess.run(
        # A checkout may belong to another user than the one who tests it.
        ["git", "-c", f"safe.directory={CHECKOUT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT, check=True, capture_output=True).stdout.decode()
    files = [f for f in listed.split("\0") if f and (CHECKOUT / f).is_file()]
    return Tree(CHECKOUT, files)


def invented(root: pathlib.Path, files: dict[str, str]) -> Tree:
    """A tree with these files, written under `root`."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="")
    return Tree(root, list(files))


def expect_none(violations: list[str]) -> None:
    """Fails with every violation on a line of its own."""
    assert not violations, "\n" + "\n".join(violations)
