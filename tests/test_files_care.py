# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The care of libraries: garbage goes, damage is found and healed, trees can be taken out, and nobody who is ahead of a
restored server loses anything."""

import json
import pathlib
import re

import pytest
from identity_client import start_house
from programs import run
from seafile_client import ZERO, FilesPerson, SyncedLibrary, pack, sha1

DONE, FAILED = 0, 1
NOBODY = "0123456789abcdef0123456789abcdef01234567"
# So large that each is a file of its own.
LARGE = bytes(range(256)) * 1024


@pytest.fixture
def atrium(build_folder, tmp_path):
    def call(*words):
        return run(build_folder.resolve() / "atrium", *words, folder=tmp_path)

    return call


@pytest.fixture
def house(make_server, tmp_path):
    return start_house(make_server, config={"store": {"backup_folder": str(tmp_path / "backups")}})


@pytest.fixture
def ann(house):
    return FilesPerson(house, house.make_user("ann@example.org"))


@pytest.fixture
def library(ann):
    return ann.make_library("Papers")


def settings(server) -> list[str]:
    return ["--config", str(server.folder / "atrium.yaml"), "--data", str(server.data)]


def parametrized_state(function):
    """The same on a running server and on what a stopped one left."""
    return pytest.mark.parametrize("state", ["running", "stopped"])(function)


def bring(server, state: str):
    if state == "stopped":
        server.stop()
    return server


def report(atrium, server, *words, status: int = DONE) -> dict:
    printed = atrium(*words, *settings(server), "--json")
    assert printed.returncode == status, printed.stdout + printed.stderr
    return json.loads(printed.stdout)


def canonical(value: dict) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode()


def file_object(content: bytes) -> bytes:
    return canonical({"block_ids": [sha1(content)], "size": len(content), "type": 1, "version": 1})


def folder_object(files: dict[str, bytes]) -> bytes:
    entries = [{"id": sha1(file_object(content)), "mode": 0o100644, "modifier": "ann@example.org",
                "mtime": 1_800_000_000, "name": name, "size": len(content)}
               for name, content in sorted(files.items(), reverse=True)]
    return canonical({"dirents": entries, "type": 3, "version": 1})


class Client:
    """Somebody's folder with these files in it, all in its root, as the protocol shows it."""

    def __init__(self, library: SyncedLibrary):
        self.library = library
        self.head = library.head()

    def send(self, files: dict[str, bytes]) -> str:
        """All that a client does to bring its files, but publishing them: sends what the server asks for."""
        objects = {sha1(text): text for text in [*map(file_object, files.values()), folder_object(files)]}
        wanted = self.library.call("POST", "check-fs/", json.dumps(list(objects))).json()
        if wanted:
            assert self.library.call("POST", "recv-fs/", pack([objects[name] for name in wanted])).status == 200
        blocks = {sha1(content): content for content in files.values()}
        for name in self.library.call("POST", "check-blocks/", json.dumps(list(blocks))).json():
            assert self.library.call("PUT", f"block/{name}", blocks[name]).status == 200
        root = sha1(folder_object(files)) if files else ZERO
        commit = sha1(f"{root} {self.head}".encode())
        body = {"commit_id": commit, "root_id": root, "repo_id": self.library.id, "creator_name": "ann@example.org",
                "creator": NOBODY, "description": "Changed.", "ctime": 1_800_000_000, "parent_id": self.head,
                "second_parent_id": None, "repo_name": "Papers", "repo_desc": "", "repo_category": None,
                "no_local_history": 1, "version": 1}
        assert self.library.call("PUT", f"commit/{commit}", json.dumps(body)).status == 200
        return commit

    def publish(self, files: dict[str, bytes]) -> str:
        commit = self.send(files)
        answer = self.library.call("PUT", f"commit/HEAD/?head={commit}", b"", deadline=60)
        assert answer.status == 200, answer.text
        self.head = commit
        return commit


def contents(library: SyncedLibrary) -> dict[str, bytes]:
    seen = SyncedLibrary(library.server, library.id, library.token)
    root = seen.object(seen.commit(seen.head())["root_id"])
    return {entry["name"]: seen.content(entry["id"]) for entry in root["dirents"]}


def at(library: SyncedLibrary, server) -> SyncedLibrary:
    return SyncedLibrary(server, library.id, library.token)


# Verification.


@parametrized_state
def test_libraries_in_order_have_no_defects(atrium, library, state):
    client = Client(library)
    client.publish({"a": b"alto", "b": LARGE})
    client.publish({"a": b"alto, changed", "b": LARGE})
    server = bring(library.server, state)
    seen = report(atrium, server, "files", "verify")
    assert (seen["defects"], seen["list"]) == (0, [])
    assert seen["libraries"] >= 1
    assert seen["blocks"] == 3
    assert seen["bytes"] == len(LARGE) + len(b"alto" + b"alto, changed")
    text = atrium("files", "verify", "--library", library.id, *settings(server))
    assert text.returncode == DONE, text.stderr
    assert re.search(r"1 libraries with 3 states, .*: 0 defects, 0 repaired\n", text.stdout)
    assert report(atrium, server, "blobs", "verify")["findings"] == 0


def test_a_library_that_is_not_there_is_named(atrium, library):
    printed = atrium("files", "verify", "--library", "00000000-0000-4000-8000-00000000dead", *settings(library.server))
    assert printed.returncode == FAILED
    printed = atrium("files", "verify", "--library", "papers", *settings(library.server))
    assert (printed.returncode, printed.stderr) == (FAILED, 'library: "papers" is none\n')


def damage_own_files(data: pathlib.Path) -> int:
    damaged = 0
    for path in (data / "blobs").rglob("*"):
        if path.is_file() and re.fullmatch(r"[0-9a-f]{60,64}", path.name):
            with path.open("r+b") as file:
                file.seek(1000)
                file.write(b"!")
            damaged += 1
    return damaged


@parametrized_state
def test_a_damaged_block_is_found_told_and_healed_by_sending_it_again(atrium, make_server, library, state):
    client = Client(library)
    client.publish({"a": b"alto", "b": LARGE})
    library.server.stop()
    assert damage_own_files(library.server.data) == 1
    server = make_server(data=library.server.data)
    bring(server, state)
    seen = report(atrium, server, "files", "verify", status=FAILED)
    assert {(line["of"], line["path"]) for line in seen["list"]} == {("block", ""), ("file", "/b")}
    assert report(atrium, server, "blobs", "verify", status=FAILED)["findings"] == 1
    mended = report(atrium, server, "files", "repair", status=FAILED)
    assert {line["of"] for line in mended["list"]} == {"blob", "block", "file"}

    again = server if state == "running" else make_server(data=library.server.data)
    healed = at(library, again)
    assert healed.call("GET", f"block/{sha1(LARGE)}").status in (404, 500)
    assert healed.call("POST", "check-blocks", json.dumps([sha1(LARGE)])).json() == [sha1(LARGE)]
    assert healed.call("PUT", f"block/{sha1(LARGE)}", LARGE).status == 200
    assert contents(healed) == {"a": b"alto", "b": LARGE}
    assert report(atrium, again, "files", "verify")["defects"] == 0


def test_sending_a_block_again_heals_it_though_nobody_had_noticed(make_server, library):
    Client(library).publish({"b": LARGE})
    library.server.stop()
    assert damage_own_files(library.server.data) == 1
    again = at(library, make_server(data=library.server.data))
    assert again.call("PUT", f"block/{sha1(LARGE)}", LARGE).status == 200
    assert contents(again) == {"b": LARGE}


# Garbage.


@parametrized_state
def test_what_no_state_names_goes_and_the_rest_stays(atrium, library, state):
    client = Client(library)
    client.publish({"a": b"alto", "b": LARGE})
    client.publish({"a": b"alto, changed"})
    client.send({"c": b"never published", "d": LARGE + b"!"})
    server = bring(library.server, state)
    would = report(atrium, server, "files", "gc", "--dry-run")
    assert would["blocks"] == {"count": 0, "bytes": 0}
    # Two blocks, two files, a folder and a commit.
    assert would["waiting"]["count"] == 6
    young = report(atrium, server, "files", "gc")
    assert young["blobs"]["count"] == 0
    would = report(atrium, server, "files", "gc", "--dry-run", "--grace-hours", "0")
    assert would["blocks"] == {"count": 2, "bytes": len(b"never published") + len(LARGE) + 1}
    assert (would["objects"]["count"], would["commits"]["count"]) == (3, 1)
    gone = report(atrium, server, "files", "gc", "--grace-hours", "0")
    assert gone["blocks"] == would["blocks"]
    assert gone["blobs"] == would["blocks"]
    assert gone["damaged"] == []
    assert report(atrium, server, "files", "verify")["defects"] == 0
    text = atrium("files", "gc", *settings(server))
    assert text.returncode == DONE, text.stderr
    assert re.search(r"^blobs +0 +0 B$", text.stdout, re.MULTILINE)


def test_who_was_told_that_something_is_missing_sends_it_and_publishes(atrium, library):
    client = Client(library)
    commit = client.send({"a": b"alto"})
    assert report(atrium, library.server, "files", "gc", "--grace-hours", "0")["blocks"]["count"] == 1
    answer = library.call("PUT", f"commit/HEAD/?head={commit}", b"")
    assert answer.status in (404, 446), answer.text
    client.publish({"a": b"alto"})
    assert contents(library) == {"a": b"alto"}


def test_garbage_is_collected_by_a_job(atrium, library):
    Client(library).publish({"a": b"alto"})
    run_of = report(atrium, library.server, "jobs", "run", "files.collect-garbage")
    assert run_of["outcome"] == "succeeded"
    assert contents(library) == {"a": b"alto"}


# Figures.


@parametrized_state
def test_the_figures_of_blobs_are_told(atrium, library, state):
    Client(library).publish({"a": b"alto", "b": LARGE})
    server = bring(library.server, state)
    stats = report(atrium, server, "blobs", "stats")
    assert stats["folder"] == str(server.data / "blobs")
    assert (stats["count"], stats["bytes"]) == (2, len(LARGE) + 4)
    assert (stats["own_files"], stats["own_bytes"]) == (1, len(LARGE))
    text = atrium("blobs", "stats", *settings(server))
    assert re.search(r"^blobs +2, 256\.0 KiB$", text.stdout, re.MULTILINE)


# Taking a tree out.


@parametrized_state
def test_a_library_is_exported_as_it_is_and_as_it_was(atrium, library, tmp_path, state):
    client = Client(library)
    first = client.publish({"a": b"alto", "b": LARGE})
    client.publish({"a": b"alto, changed"})
    server = bring(library.server, state)
    done = report(atrium, server, "files", "export", library.id, tmp_path / "now")
    assert (done["name"], done["files"], done["damaged_count"]) == ("Papers", 1, 0)
    assert {path.name: path.read_bytes() for path in (tmp_path / "now").iterdir()} == {"a": b"alto, changed"}
    report(atrium, server, "files", "export", library.id, tmp_path / "then", "--commit", first)
    assert {path.name: path.read_bytes() for path in (tmp_path / "then").iterdir()} == {"a": b"alto", "b": LARGE}
    printed = atrium("files", "export", library.id, tmp_path / "now", *settings(server))
    assert (printed.returncode, printed.stderr) == (FAILED, f"{tmp_path / 'now'} is not empty\n")


def test_an_encrypted_library_is_exported_with_its_password(atrium, ann, tmp_path):
    library = ann.make_library("Secrets", passwd="a teapot")
    printed = atrium("files", "export", library.id, tmp_path / "out", *settings(library.server))
    assert (printed.returncode, printed.stderr) == (FAILED, "the library is encrypted: its password is needed\n")
    (tmp_path / "wrong").write_text("another\n")
    assert atrium("files", "export", library.id, tmp_path / "out", "--password-file", tmp_path / "wrong",
                  *settings(library.server)).returncode == FAILED
    assert not (tmp_path / "out").exists()
    (tmp_path / "right").write_text("a teapot\n")
    report(atrium, library.server, "files", "export", library.id, tmp_path / "out", "--password-file",
           tmp_path / "right")
    assert (tmp_path / "out").is_dir()


# After a backup was restored.


def restored(atrium, make_server, library) -> SyncedLibrary:
    """The library on the server as it was when the last backup was made."""
    server = library.server
    server.stop()
    printed = atrium("store", "restore", "--replace", *settings(server))
    assert printed.returncode == DONE, printed.stderr
    return at(library, make_server(data=server.data, config=json.loads((server.folder / "atrium.yaml").read_text())))


def back_up(atrium, server) -> None:
    printed = atrium("store", "backup", *settings(server))
    assert printed.returncode == DONE, printed.stderr


def test_a_client_that_is_ahead_of_a_restored_server_loses_nothing(atrium, make_server, library):
    client = Client(library)
    client.publish({"a": b"alto", "b": LARGE})
    back_up(atrium, library.server)
    # Publishes twice after the backup, and changes, adds and removes.
    ahead = client.publish({"a": b"alto, changed", "b": LARGE, "c": b"choir"})
    client.publish({"a": b"alto, changed", "c": b"choir"})

    client.library = restored(atrium, make_server, library)
    # It is not told to go back.
    for known in (ahead, client.head):
        assert client.library.call("GET", f"commit/{known}").status == 404
        asked = f"fs-id-list/?server-head={client.library.head()}&client-head={known}"
        assert client.library.call("GET", asked).status == 409
    client.publish({"a": b"alto, changed", "c": b"choir", "d": b"descant"})
    after = contents(client.library)
    # What it removed comes back, and what it changed lies beside what the backup had: nothing is gone.
    assert after["b"] == LARGE
    assert after["c"] == b"choir"
    assert after["d"] == b"descant"
    assert sorted(content for name, content in after.items() if name.startswith("a")) == [b"alto", b"alto, changed"]
    assert report(atrium, client.library.server, "files", "verify")["defects"] == 0
    assert report(atrium, client.library.server, "store", "verify")["findings"] == 0


def test_a_commit_that_was_put_before_the_backup_and_published_after_it_counts_as_unknown(atrium, make_server, library):
    client = Client(library)
    client.publish({"a": b"alto"})
    ahead = client.send({"a": b"alto", "c": b"choir"})
    back_up(atrium, library.server)
    client.publish({"a": b"alto", "c": b"choir"})

    client.library = restored(atrium, make_server, library)
    assert client.library.call("GET", f"commit/{ahead}").status == 200
    asked = f"fs-id-list/?server-head={client.library.head()}&client-head={ahead}"
    assert client.library.call("GET", asked).status == 409
    client.publish({"a": b"alto", "c": b"choir", "d": b"descant"})
    assert contents(client.library) == {"a": b"alto", "c": b"choir", "d": b"descant"}


def test_content_that_came_after_the_backup_is_there_without_being_sent_again(atrium, make_server, library):
    client = Client(library)
    client.publish({"a": b"alto"})
    back_up(atrium, library.server)
    client.publish({"a": b"alto", "b": LARGE, "c": b"choir"})
    client.library = restored(atrium, make_server, library)
    blocks = json.dumps([sha1(LARGE), sha1(b"choir"), sha1(b"unknown")])
    assert client.library.call("POST", "check-blocks", blocks).json() == [sha1(b"unknown")]
