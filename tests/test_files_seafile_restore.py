# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A real client that is ahead of a server whose store came back from a backup."""

import json
import os
import pathlib
import time

import pytest
from identity_client import IdentityClient, start_house
from seafile_client import FilesPerson, SeafileClient, SyncedLibrary, expect_all_sound, local_tree, settle, sha1


@pytest.fixture
def house(make_server, tmp_path):
    return start_house(make_server, {"store": {"backup_folder": str(tmp_path / "backups")}})


@pytest.fixture
def ann(house):
    return FilesPerson(house, house.make_user("ann@example.org"))


def restore(house: IdentityClient, make_server) -> None:
    """The same server at the same address, with the store of the last backup."""
    before = house.server
    config = json.loads((before.folder / "atrium.yaml").read_text())
    before.stop()
    done = house.atrium("store", "restore", "--replace")
    assert done.returncode == 0, done.stdout + done.stderr
    house.server = make_server(data=before.data, config=config, port=before.port)


def write_draft(folder: pathlib.Path, text: str, at: int) -> None:
    """The client takes two states of a file for one when they are of the same second."""
    (folder / "draft.txt").write_text(text)
    os.utime(folder / "draft.txt", (at, at))


def sync_anew(client: SeafileClient, library: SyncedLibrary) -> None:
    """Connects the folder with the library once more, as the handbook says to do after a restore."""
    here = client.worktrees[library.id]
    for words in (("desync", "-d", here), ("sync", *client.by_token(), "-l", library.id, "-d", here)):
        done = client.run(*words)
        assert done.returncode == 0, done.stdout + done.stderr


def test_files_that_are_newer_than_the_backup_stay_and_come_back_to_the_server(ann, house, make_server, tmp_path):
    library, an_hour_ago = ann.make_library("Papers"), int(time.time()) - 3600
    with SeafileClient(tmp_path / "laptop", ann) as laptop:
        here = laptop.download(library)
        (here / "old.txt").write_text("before the backup")
        write_draft(here, "first", an_hour_ago)
        settle(library, laptop)
        assert house.atrium("store", "backup").returncode == 0
        (here / "new.txt").write_text("after the backup")
        write_draft(here, "second", an_hour_ago + 1800)
        settle(library, laptop)
        with laptop.asleep():
            restore(house, make_server)
        library.server = house.server
        laptop.wait_for_error(library, "Unknown error")
        newer = local_tree(here)
        assert {"/old.txt", "/draft.txt", "/new.txt"} == set(newer), "a client that is ahead is never told to go back"
        sync_anew(laptop, library)
        tree = settle(library, laptop)
        contents = {entry.sha1 for entry in tree.values()}
        assert {entry.sha1 for entry in newer.values()} <= contents, "what the client had is on the server again"
        assert sha1(b"first") in contents, "and what the backup had lies beside it"
    expect_all_sound(house)
