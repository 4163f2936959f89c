# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Two real clients on one library: what one of them does, the other one has."""

import os
import pathlib
import random

import pytest
from identity_client import start_house
from running_server import eventually
from seafile_client import Entry, FilesPerson, SeafileClient, SyncedLibrary, expect_all_sound, settle, sha1


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesPerson(house, house.make_user("ann@example.org"))


@pytest.fixture
def clients(ann, tmp_path):
    with SeafileClient(tmp_path / "laptop", ann) as laptop, SeafileClient(tmp_path / "tower", ann) as tower:
        yield laptop, tower


def noise(bytes_: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(bytes_)


def fill(folder: pathlib.Path) -> None:
    """Some of everything that a folder can have."""
    (folder / "hello.txt").write_bytes(b"hello world")
    (folder / "empty.txt").touch()
    (folder / "empty folder").mkdir()
    (folder / "a" / "b" / "c").mkdir(parents=True)
    (folder / "a" / "b" / "c" / "deep.txt").write_text("deep")
    (folder / "Zähne 🦷 & <co>.txt").write_text("names")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "several blocks.bin").write_bytes(noise(25 << 20))


def names_in(tree: dict[str, Entry]) -> set[str]:
    return {path for path, entry in tree.items() if entry.sha1 is not None}


def test_what_one_client_does_the_other_one_has(ann, clients):
    laptop, tower = clients
    library = ann.make_library("Papers")
    here = laptop.download(library, name="Papers")
    fill(here)
    first = settle(library, laptop)
    assert first["/empty.txt"] == Entry(sha1(b"")) and first["/empty folder"] == Entry()
    assert first["/run.sh"].executable and not first["/hello.txt"].executable
    assert "/a/b/c/deep.txt" in first and "/Zähne 🦷 & <co>.txt" in first

    there = tower.download(library)
    assert settle(library, laptop, tower) == first

    edits_go_both_ways(library, laptop, tower)
    folders_move(library, laptop, tower)
    changes_of_two_come_together(library, laptop, tower)
    two_versions_of_one_file_are_both_kept(library, laptop, tower)
    a_new_name_of_the_library_arrives(ann, library, laptop, tower)
    assert (here.exists(), there.exists()) == (False, False), "clients rename their folders, too"
    expect_all_sound(ann.house)


def edits_go_both_ways(library: SyncedLibrary, laptop: SeafileClient, tower: SeafileClient) -> None:
    here, there = laptop.worktrees[library.id], tower.worktrees[library.id]
    (here / "hello.txt").write_text("hello again")
    (here / "run.sh").chmod(0o644)
    (here / "new.txt").write_text("new")
    (here / "empty.txt").unlink()
    tree = settle(library, laptop, tower)
    assert tree["/hello.txt"] == Entry(sha1(b"hello again"))
    assert not tree["/run.sh"].executable and "/empty.txt" not in tree
    (there / "hello.txt").write_text("hello from the other side")
    (there / "run.sh").chmod(0o755)
    with open(there / "several blocks.bin", "r+b") as file:
        file.seek(20 << 20)
        file.write(b"changed in one block")
    (there / "empty.txt").touch()
    tree = settle(library, laptop, tower)
    assert tree["/hello.txt"] == Entry(sha1(b"hello from the other side"))
    assert tree["/run.sh"].executable and tree["/empty.txt"] == Entry(sha1(b""))


def folders_move(library: SyncedLibrary, laptop: SeafileClient, tower: SeafileClient) -> None:
    here, there = laptop.worktrees[library.id], tower.worktrees[library.id]
    os.rename(here / "a", here / "moved")
    os.rename(here / "new.txt", here / "moved" / "renamed.txt")
    tree = settle(library, laptop, tower)
    assert "/moved/b/c/deep.txt" in tree and "/moved/renamed.txt" in tree and "/a" not in tree
    (there / "moved" / "b" / "c" / "deep.txt").unlink()
    (there / "empty folder").rmdir()
    tree = settle(library, laptop, tower)
    assert tree["/moved/b/c"] == Entry() and "/empty folder" not in tree


def changes_of_two_come_together(library: SyncedLibrary, laptop: SeafileClient, tower: SeafileClient) -> None:
    here, there = laptop.worktrees[library.id], tower.worktrees[library.id]
    before = names_in(settle(library, laptop, tower))
    with laptop.asleep(), tower.asleep():
        (here / "only here.txt").write_text("here")
        (here / "hello.txt").write_text("changed here")
        (there / "only there.txt").write_text("there")
        (there / "moved" / "renamed.txt").write_text("changed there")
    tree = settle(library, laptop, tower)
    assert names_in(tree) == before | {"/only here.txt", "/only there.txt"}, "nothing was in conflict"
    assert tree["/hello.txt"] == Entry(sha1(b"changed here"))
    assert tree["/moved/renamed.txt"] == Entry(sha1(b"changed there"))


def two_versions_of_one_file_are_both_kept(library: SyncedLibrary, laptop: SeafileClient,
                                           tower: SeafileClient) -> None:
    here, there = laptop.worktrees[library.id], tower.worktrees[library.id]
    before = names_in(settle(library, laptop, tower))
    with laptop.asleep(), tower.asleep():
        (here / "hello.txt").write_text("one version")
        (there / "hello.txt").write_text("another version")
    tree = settle(library, laptop, tower)
    new = names_in(tree) - before
    assert len(new) == 1 and " (SFConflict ann@example.org " in next(iter(new)), new
    kept = {tree["/hello.txt"].sha1, tree[next(iter(new))].sha1}
    assert kept == {sha1(b"one version"), sha1(b"another version")}


def a_new_name_of_the_library_arrives(ann: FilesPerson, library: SyncedLibrary, *clients: SeafileClient) -> None:
    answer = ann.call("POST", f"/api2/repos/{library.id}/?op=rename", {"repo_name": "Essays"})
    assert answer.status == 200, answer.text

    def renamed(client: SeafileClient) -> bool:
        client.sync_now(library)
        return client.repo(library).name == "Essays"

    for client in clients:
        eventually(lambda client=client: renamed(client), 60, "the new name")
        client.worktrees[library.id] = pathlib.Path(client.repo(library).worktree)
    assert [client.worktrees[library.id].name for client in clients] == ["Essays", "Essays"]
    (clients[0].worktrees[library.id] / "after.txt").write_text("after")
    assert settle(library, *clients)["/after.txt"] == Entry(sha1(b"after"))
