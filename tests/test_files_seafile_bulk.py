# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Much at once with real clients: many files, large files, and a server that dies in the middle of it."""

import json
import random

import pytest
from identity_client import start_house
from running_server import eventually
from seafile_client import Entry, FilesPerson, SeafileClient, expect_all_sound, settle, sha1

MANY = 3000
MIB = 1 << 20


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesPerson(house, house.make_user("ann@example.org"))


def test_three_thousand_files_and_a_hundred_megabytes_arrive(ann, tmp_path):
    library = ann.make_library("Many")
    with SeafileClient(tmp_path / "laptop", ann) as laptop, SeafileClient(tmp_path / "tower", ann) as tower:
        here = laptop.download(library)
        for number in range(MANY):
            folder = here / f"folder {number % 30}"
            folder.mkdir(exist_ok=True)
            (folder / f"{number}.txt").write_text(f"file number {number}\n" * (number % 50 + 1))
        # Clients bring more than 100 MB in several commits, or in one, as they happen to look.
        large = random.Random(7).randbytes(110 * MIB)
        (here / "large.bin").write_bytes(large)
        (here / "one more.bin").write_bytes(large[:20 * MIB])
        tree = settle(library, laptop, deadline=150)
        assert len(tree) == MANY + 30 + 2
        assert tree["/large.bin"] == Entry(sha1(large))
        tower.download(library)
        assert settle(library, laptop, tower) == tree
        history = library.history()
        assert len(history) > 1 and all(not commit.get("second_parent_id") for commit in history)
    expect_all_sound(ann.house)


def test_what_was_on_its_way_when_the_server_died_arrives_after_its_restart(ann, house, make_server, tmp_path):
    library = ann.make_library("Survivor")
    server = house.server
    with SeafileClient(tmp_path / "laptop", ann) as laptop:
        here = laptop.download(library)
        (here / "before.txt").write_text("before")
        settle(library, laptop)
        for number in range(12):
            (here / f"{number}.bin").write_bytes(random.Random(number).randbytes(6 * MIB))
        for number in range(300):
            (here / f"{number}.txt").write_text(f"small {number}")
        laptop.sync_now(library)
        eventually(lambda: blocks_taken(server) > 40, 60, "an upload that is under way")
        server.kill()
        again = make_server(config=server_config(server), data=server.data, port=server.port)
        house.server = ann.house.server = library.server = again
        tree = settle(library, laptop, deadline=150)
        assert len(tree) == 313
    expect_all_sound(house)


def blocks_taken(server) -> int:
    return server.stdout().count("PUT")


def server_config(server) -> dict:
    return json.loads((server.folder / "atrium.yaml").read_text())
