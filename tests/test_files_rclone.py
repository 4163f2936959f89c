# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A real client that does not sync by itself: rclone, with its backend for Seafile."""

import os
import pathlib
import random
import subprocess

import pytest
from files_client import FilesClient
from identity_client import PASSWORD, start_house


def obscured(secret: str) -> str:
    """As the configuration of rclone wants it."""
    return subprocess.run(["rclone", "obscure", secret], capture_output=True, text=True, check=True).stdout.strip()


class Rclone:
    def __init__(self, url: str, email: str, folder: pathlib.Path, library: str = "", library_password: str = ""):
        self.config = folder / "rclone.conf"
        key = f"library_key = {obscured(library_password)}\n" if library_password else ""
        self.config.write_text(f"[atrium]\ntype = seafile\nurl = {url}/\nuser = {email}\npass = {obscured(PASSWORD)}\n"
                               f"library = {library}\n{key}create_library = true\n")
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}

    def run(self, *args: str) -> str:
        return self.run_raw(*args).decode()

    def run_raw(self, *args: str) -> bytes:
        done = subprocess.run(["rclone", "--config", str(self.config), "--retries", "1", "--low-level-retries", "1",
                               *args], capture_output=True, timeout=150, env=self.environment)
        assert done.returncode == 0, f"rclone {args}: {done.returncode}\n{done.stderr.decode()}"
        return done.stdout


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def rclone(house, ann, tmp_path):
    return Rclone(house.server.url, ann.email, tmp_path)


def plant(folder: pathlib.Path, seed: int) -> None:
    """A tree of files of many sizes and names."""
    source = random.Random(seed)
    for number in range(40):
        path = folder / f"folder {number % 4}" / ("tief" if number % 3 else "Zähne 🦷") / f"{number} & more.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.randbytes(source.choice([0, 1, 1000, 70_000, 500_000])))
    (folder / "large.bin").write_bytes(source.randbytes(13 << 20))


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_tree_goes_up_and_comes_back(rclone, ann, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    plant(here, 1)
    rclone.run("sync", str(here), "atrium:Backup")
    rclone.run("check", "--download", str(here), "atrium:Backup")
    library = next(one for one, name in ann.libraries().items() if name == "Backup")
    assert ann.download(library, "/large.bin") == (here / "large.bin").read_bytes()

    # Changes on both sides.
    (here / "large.bin").unlink()
    (here / "new.txt").write_text("new")
    (here / "folder 0" / "Zähne 🦷" / "0 & more.bin").write_bytes(b"changed")
    rclone.run("sync", str(here), "atrium:Backup")
    rclone.run("check", "--download", str(here), "atrium:Backup")

    ann.upload(library, "/from the web.txt", b"hello")
    rclone.run("sync", "atrium:Backup", str(there))
    rclone.run("check", "--download", "atrium:Backup", str(there))
    assert contents(there) == contents(here) | {"from the web.txt": b"hello"}
    rclone.run("sync", "--fast-list", "atrium:Backup", str(here))
    assert contents(here) == contents(there)


def test_moving_and_removing_on_the_server(rclone, ann, tmp_path):
    here = tmp_path / "here"
    plant(here, 2)
    rclone.run("copy", str(here), "atrium:Backup")
    rclone.run("moveto", "atrium:Backup/large.bin", "atrium:Backup/moved/huge.bin")
    rclone.run("copyto", "atrium:Backup/moved/huge.bin", "atrium:Backup/copy.bin")
    rclone.run("moveto", "atrium:Backup/folder 1", "atrium:Backup/renamed")
    names = set(rclone.run("lsf", "atrium:Backup").split("\n")) - {""}
    assert names == {"copy.bin", "moved/", "folder 0/", "folder 2/", "folder 3/", "renamed/"}
    rclone.run("purge", "atrium:Backup/renamed")
    rclone.run("deletefile", "atrium:Backup/copy.bin")
    assert set(rclone.run("lsf", "atrium:Backup").split("\n")) - {""} == {"moved/", "folder 0/", "folder 2/",
                                                                          "folder 3/"}
    part = rclone.run_raw("cat", "--offset", "100", "--count", "50", "atrium:Backup/moved/huge.bin")
    assert part == (here / "large.bin").read_bytes()[100:150]


def test_one_library_as_the_whole_remote(house, ann, tmp_path):
    library = ann.make_library("Mine")
    remote = Rclone(house.server.url, ann.email, tmp_path, "Mine")
    (tmp_path / "a.txt").write_text("a")
    remote.run("copyto", str(tmp_path / "a.txt"), "atrium:one/two/a.txt")
    assert ann.download(library, "/one/two/a.txt") == b"a"
    remote.run("about", "atrium:")


def test_an_encrypted_library(house, ann, tmp_path):
    library = ann.make_library("Secret", passwd="sesame")
    here, there = tmp_path / "here", tmp_path / "there"
    plant(here, 3)
    remote = Rclone(house.server.url, ann.email, tmp_path, "Secret", "sesame")
    remote.run("sync", str(here), "atrium:")
    remote.run("sync", "atrium:", str(there))
    assert contents(there) == contents(here)
    assert ann.download(library, "/large.bin") == (here / "large.bin").read_bytes()
