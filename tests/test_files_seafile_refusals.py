# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What real clients are told when the server does not want to, and libraries whose content it cannot read."""

import time

import pytest
from identity_client import start_house
from running_server import eventually
from seafile_client import Entry, FilesPerson, SeafileClient, SyncedLibrary, local_tree, settle, sha1

MIB = 1 << 20


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesPerson(house, house.make_user("ann@example.org", quota_bytes=20 * MIB))


@pytest.fixture
def laptop(ann, tmp_path):
    with SeafileClient(tmp_path / "laptop", ann) as client:
        yield client


def sync_until(client: SeafileClient, library: SyncedLibrary, probe, what: str) -> None:
    """Asks now and then: a client that is asked while it finishes falls over."""
    def asked():
        client.sync_now(library)
        time.sleep(0.25)
        return probe()

    eventually(asked, 60, what)


def test_the_client_signs_in_lists_and_makes_libraries_with_a_password(ann, laptop):
    refused = laptop.run("list-remote", *laptop.account("wrong password"))
    assert refused.returncode != 0 and "400" in refused.stderr
    made = laptop.run("create", *laptop.account(), "-n", "Made by the client", "-t", "words")
    assert made.returncode == 0, made.stderr
    listed = laptop.run("list-remote", *laptop.account())
    assert "Made by the client" in listed.stdout and "My Library" in listed.stdout, listed.stdout + listed.stderr
    tokens = [one for one in ann.house.get("/api/tokens", ann.house.sign_in(ann.person)).json()["tokens"]
              if one["name"].startswith("terminal-")]
    assert len(tokens) == 1, "one token for each device, however often it signs in"
    library = ann.library(made.stdout.split()[-1])
    assert laptop.download(library).name == "Made by the client"


def test_an_encrypted_library_is_read_by_who_knows_its_password(ann, laptop, tmp_path):
    made = laptop.run("create", *laptop.by_token(), "-n", "Secrets", "-t", "", "-e", "open sesame")
    assert made.returncode == 0, made.stderr
    library = ann.library(made.stdout.split()[-1])
    wrong = laptop.run("download", *laptop.by_token(), "-l", library.id, "-d", laptop.folder / "libraries", "-e", "no")
    assert "ncorrect password" in wrong.stdout + wrong.stderr
    here = laptop.download(library, "-e", "open sesame")
    (here / "secret.txt").write_text("nobody must read this")
    sync_until(laptop, library, lambda: library.commit(library.head())["root_id"] != "0" * 40, "what was written")
    (entry,) = library.object(library.commit(library.head())["root_id"])["dirents"]
    stored = library.content(entry["id"])
    assert entry["size"] == 21 and len(stored) == 32 and b"nobody" not in stored
    with SeafileClient(tmp_path / "tower", ann) as tower:
        there = tower.download(library, "-e", "open sesame")
        eventually((there / "secret.txt").exists, 60)
        assert (there / "secret.txt").read_text() == "nobody must read this"


def test_refusals_reach_the_person_and_nothing_is_lost(ann, house, laptop):
    library = ann.make_library("Papers")
    here = laptop.download(library)
    (here / "first.txt").write_text("first")
    settle(library, laptop)
    nothing_goes_beyond_the_quota(house, ann, library, laptop, here)
    who_may_only_read_changes_nothing(house, ann, library, laptop, here)
    a_library_that_is_gone_is_forgotten_and_its_files_stay(ann, library, laptop, here)


def nothing_goes_beyond_the_quota(house, ann, library, laptop, here) -> None:
    content = bytes(range(256)) * (30 * MIB // 256)
    (here / "too large.bin").write_bytes(content)
    laptop.wait_for_error(library, "quota")
    assert "/too large.bin" not in library.tree()
    # The client has it in a commit of its own by now, and brings it when there is space.
    changed = house.patch(f"/api/users/{ann.person.id}", {"quota_bytes": 100 * MIB}, house.root)
    assert changed.status == 200, changed.text
    assert settle(library, laptop)["/too large.bin"] == Entry(sha1(content))


def who_may_only_read_changes_nothing(house, ann, library, laptop, here) -> None:
    changed = house.patch(f"/api/users/{ann.person.id}", {"role": "readonly"}, house.root)
    assert changed.status == 200, changed.text
    (here / "not mine to write.txt").write_text("no")
    laptop.wait_for_error(library, "ermission")
    assert "/not mine to write.txt" not in library.tree()
    assert (here / "not mine to write.txt").exists()
    assert house.patch(f"/api/users/{ann.person.id}", {"role": "user"}, house.root).status == 200
    assert "/not mine to write.txt" in settle(library, laptop)


def a_library_that_is_gone_is_forgotten_and_its_files_stay(ann, library, laptop, here) -> None:
    before = local_tree(here)
    assert ann.call("DELETE", f"/api2/repos/{library.id}/").status == 200
    sync_until(laptop, library, lambda: laptop.repo(library) is None, "that the client forgets it")
    assert local_tree(here) == before


def test_a_token_that_may_only_read_syncs_one_way(house, ann, tmp_path):
    library = ann.make_library("Papers")
    reader = FilesPerson(house, ann.person, scopes=["files:read"])
    with SeafileClient(tmp_path / "laptop", ann) as laptop, SeafileClient(tmp_path / "tablet", reader) as tablet:
        here = laptop.download(library)
        (here / "a.txt").write_text("a")
        settle(library, laptop)
        there = tablet.download(reader.library(library.id))
        settle(library, laptop, tablet)
        (there / "b.txt").write_text("b")
        (here / "c.txt").write_text("c")
        settle(library, laptop)
        sync_until(tablet, library, (there / "c.txt").exists, "what others wrote")
        assert "/b.txt" not in library.tree(), "this client knows that it may not write"
        assert (there / "b.txt").read_text() == "b"
