# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Copies and moves that take long: between libraries, with progress, cancelled, and cut off in the middle."""

import time

import pytest
from files_client import EMPTY, FilesClient, done, query, refused
from identity_client import start_house, start_server, token
from running_server import eventually

NOWHERE = "00000000-0000-4000-8000-00000000dead"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def bob(house):
    return FilesClient(house, house.make_user("bob@example.org"))


@pytest.fixture
def work(ann):
    return ann.make_library("Work")


@pytest.fixture
def home(ann):
    return ann.make_library("Home")


def batch(source: str, target: str, names: list[str], **more) -> dict:
    return {"src_repo_id": source, "src_parent_dir": "/", "src_dirents": names, "dst_repo_id": target,
            "dst_parent_dir": "/"} | more


def begin(client, kind: str, order: dict) -> str:
    return done(client.post(f"/api/v2.1/repos/async-batch-{kind}-item/", order))["task_id"]


def progress(client, task: str) -> dict:
    return done(client.get("/api/v2.1/query-copy-move-progress/" + query(task_id=task)))


def finished(client, task: str) -> dict:
    def probe():
        now = progress(client, task)
        return now if now["status"] != "processing" else None

    return eventually(probe, 60, "the end of the task")


class TestBetweenLibraries:
    def test_a_copy(self, ann, work, home):
        ann.upload(work, "/notes/a.txt", b"first")
        ann.upload(work, "/notes/deep/b.txt", b"x" * 3_000_000)
        ann.upload(work, "/c.txt", b"")
        answer = finished(ann, begin(ann, "copy", batch(work, home, ["notes", "c.txt"])))
        assert answer.pop("task_id")
        assert answer == {"type": "copy", "status": "done", "total": 3, "done": 3, "successful": True, "failed": False,
                          "canceled": False, "failed_reason": ""}
        assert ann.tree(home) == ann.tree(work)
        assert ann.download(home, "/notes/deep/b.txt") == b"x" * 3_000_000
        assert ann.tree(home)["/c.txt"] == EMPTY

    def test_a_move(self, ann, work, home):
        ann.upload(work, "/notes/a.txt", b"first")
        ann.upload(work, "/b.txt", b"second")
        assert finished(ann, begin(ann, "move", batch(work, home, ["notes"])))["successful"]
        assert ann.names(work) == ["b.txt"]
        assert ann.download(home, "/notes/a.txt") == b"first"

    def test_one_entry(self, ann, work, home):
        ann.upload(work, "/a.txt", b"first")
        for kind in ("copy", "move"):
            task = done(ann.post("/api/v2.1/copy-move-task/", form={
                "src_repo_id": work, "src_parent_dir": "/", "src_dirent_name": "a.txt", "dst_repo_id": home,
                "dst_parent_dir": "/", "operation": kind, "dirent_type": "file"}))["task_id"]
            assert finished(ann, task)["type"] == kind
        assert ann.names(work) == []
        assert sorted(ann.names(home)) == ["a (1).txt", "a.txt"]

    def test_while_the_caller_waits(self, ann, work, home):
        ann.upload(work, "/a.txt", b"first")
        ann.upload(work, "/b.txt", b"second")
        done(ann.post("/api/v2.1/repos/sync-batch-copy-item/", batch(work, home, ["a.txt"])))
        done(ann.post("/api/v2.1/repos/sync-batch-move-item/", batch(work, home, ["b.txt"])))
        assert ann.names(work) == ["a.txt"]
        assert sorted(ann.names(home)) == ["a.txt", "b.txt"]
        moved = done(ann.post(f"/api2/repos/{work}/fileops/move/" + query(p="/"),
                              form={"dst_repo": home, "dst_dir": "/", "file_names": "a.txt"}))
        assert moved == [{"repo_id": home, "parent_dir": "/", "obj_name": "a (1).txt"}]

    def test_names_that_are_taken(self, ann, work, home):
        ann.upload(work, "/a.txt", b"new")
        ann.upload(home, "/a.txt", b"old")
        assert finished(ann, begin(ann, "move", batch(work, home, ["a.txt"], conflict_policy="skip")))["successful"]
        assert (ann.download(work, "/a.txt"), ann.download(home, "/a.txt")) == (b"new", b"old")
        assert finished(ann, begin(ann, "copy", batch(work, home, ["a.txt"], conflict_policy="autorename")))["successful"]
        assert ann.download(home, "/a (1).txt") == b"new"
        assert finished(ann, begin(ann, "move", batch(work, home, ["a.txt"], conflict_policy="replace")))["successful"]
        assert ann.download(home, "/a.txt") == b"new"
        assert ann.names(work) == []

    def test_within_one_library(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        ann.make_folder(work, "/folder")
        assert finished(ann, begin(ann, "move", batch(work, work, ["a.txt"], dst_parent_dir="/folder")))["successful"]
        assert ann.names(work, "/folder") == ["a.txt"]


class TestRefusals:
    def test_what_is_not_there(self, ann, work, home):
        ann.upload(work, "/folder/a.txt", b"a")
        path = "/api/v2.1/repos/async-batch-copy-item/"
        refused(ann.post(path, batch(work, home, ["none"])), 404)
        refused(ann.post(path, batch(work, home, ["folder"], dst_parent_dir="/none")), 404)
        refused(ann.post(path, batch(work, NOWHERE, ["folder"])), 404)
        refused(ann.post(path, batch(work, work, ["folder"], dst_parent_dir="/folder")), 400)
        refused(ann.post(path, batch(work, home, [])), 400)
        refused(ann.post(path, batch(work, home, ["folder"], conflict_policy="guess")), 400, "conflict_policy")
        refused(ann.post("/api/v2.1/copy-move-task/", batch(work, home, []) | {"operation": "burn"}), 400, "operation")
        refused(ann.get("/api/v2.1/query-copy-move-progress/"), 400, "task_id")
        for task in (NOWHERE, "nonsense"):
            refused(ann.get("/api/v2.1/query-copy-move-progress/" + query(task_id=task)), 404)
            refused(ann.delete("/api/v2.1/copy-move-task/", {"task_id": task}), 404)

    def test_encrypted_libraries(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        secret = ann.make_library("Secret", passwd="sesame")
        refused(ann.post("/api/v2.1/repos/async-batch-copy-item/", batch(work, secret, ["a.txt"])), 409, "encrypted")

    def test_it_is_too_late_to_cancel(self, ann, work, home):
        ann.upload(work, "/a.txt", b"a")
        task = begin(ann, "copy", batch(work, home, ["a.txt"]))
        finished(ann, task)
        refused(ann.delete("/api/v2.1/copy-move-task/", {"task_id": task}), 409)

    def test_strangers(self, house, ann, bob, work, home):
        ann.upload(work, "/a.txt", b"a")
        theirs = bob.make_library("Theirs")
        bob.upload(theirs, "/b.txt", b"b")
        for kind in ("copy", "move"):
            for way in ("async", "sync"):
                path = f"/api/v2.1/repos/{way}-batch-{kind}-item/"
                refused(bob.post(path, batch(work, theirs, ["a.txt"])), 404)
                refused(bob.post(path, batch(theirs, home, ["b.txt"])), 404)
        task = begin(ann, "copy", batch(work, home, ["a.txt"]))
        refused(bob.get("/api/v2.1/query-copy-move-progress/" + query(task_id=task)), 404)
        refused(bob.delete("/api/v2.1/copy-move-task/", {"task_id": task}), 404)
        reader = FilesClient(house, ann.person, token(house.make_token(ann.who, scopes=["files:read"])["token"]))
        assert reader.post("/api/v2.1/repos/async-batch-copy-item/", batch(work, home, ["a.txt"])).status == 403
        assert house.server.post("/api/v2.1/repos/async-batch-copy-item/").status == 401


class TestCutOff:
    FILES = 400

    def fill(self, ann, library) -> dict[str, str]:
        link = ann.upload_link(library) + "?ret-json=1"
        for first in range(0, self.FILES, 50):
            parts = [("parent_dir", None, b"/"), ("relative_path", None, b"folder"), ("replace", None, b"1")]
            parts += [("file", f"{i}.txt", f"content of {i}".encode()) for i in range(first, first + 50)]
            done(ann.send(link, parts, deadline=60))
        return {path: one for path, one in ann.tree(library).items() if one}

    @pytest.mark.parametrize("pause", [0.0, 0.05, 0.15, 0.4])
    def test_a_move_loses_nothing_when_the_server_dies(self, house, ann, work, home, make_server, pause):
        files = self.fill(ann, work)
        assert len(files) == self.FILES
        task = begin(ann, "move", batch(work, home, ["folder"]))
        time.sleep(pause)
        house.server.kill()
        house.server = start_server(make_server, data=house.server.data)
        here, there = ann.tree(work), ann.tree(home)
        # At each moment everything is in one of the two, whole.
        assert files.items() <= here.items() or files.items() <= there.items()
        assert finished(ann, task)["successful"]
        assert {path: one for path, one in ann.tree(home).items() if one} == files
        assert ann.tree(work) == {}
        assert ann.download(home, "/folder/7.txt") == b"content of 7"

    def test_what_nobody_asks_for_goes_on_too(self, house, ann, work, home, make_server):
        files = self.fill(ann, work)
        begin(ann, "move", batch(work, home, ["folder"]))
        house.server.kill()
        house.server = start_server(make_server, data=house.server.data)
        house.run_job("files.resume-transfers")
        eventually(lambda: not ann.tree(work), 60, "an empty library")
        assert {path: one for path, one in ann.tree(home).items() if one} == files
