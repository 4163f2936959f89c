# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What was deleted from libraries: seen, brought back, and thrown away for good."""

import pytest
from files_client import FilesClient, done, query, refused
from identity_client import start_house, token

NOWHERE = "00000000-0000-4000-8000-00000000dead"
NEVER = "1" * 40


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org", name="Ann"))


@pytest.fixture
def bob(house):
    return FilesClient(house, house.make_user("bob@example.org"))


@pytest.fixture
def work(ann):
    return ann.make_library("Work")


def remove(client, library, path, kind="file"):
    done(client.delete(f"/api2/repos/{library}/{kind}/" + query(p=path)))


def trash(client, library, **more) -> dict:
    return done(client.get(f"/api/v2.1/repos/{library}/trash/" + query(**more)))


def paths(page: dict) -> list[str]:
    return [one["parent_dir"] + one["obj_name"] for one in page["data"]]


def head(client, library) -> str:
    return done(client.get(f"/api2/repos/{library}/"))["head_commit_id"]


class TestSeeing:
    def test_the_shape_that_clients_know(self, ann, work):
        stored = ann.upload(work, "/notes/a.txt", b"abc")
        before = head(ann, work)
        remove(ann, work, "/notes/a.txt")
        page = trash(ann, work)
        (one,) = page["data"]
        assert one.pop("deleted_time").endswith("+00:00")
        assert one == {"obj_name": "a.txt", "obj_id": stored["id"], "is_dir": False, "parent_dir": "/notes/",
                       "commit_id": before, "size": 3}
        assert (page["more"], page["scan_stat"]) == (False, None)

    def test_newest_first_and_folders_as_one(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        ann.upload(work, "/notes/b.txt", b"b")
        ann.upload(work, "/notes/c.txt", b"c")
        remove(ann, work, "/a.txt")
        remove(ann, work, "/notes", "dir")
        assert paths(trash(ann, work)) == ["/notes", "/a.txt"]

    def test_in_pages(self, ann, work):
        for i in range(7):
            ann.upload(work, f"/{i}.txt", str(i).encode())
        remove(ann, work, "/0.txt")
        done(ann.delete("/api/v2.1/repos/batch-delete-item/",
                        {"repo_id": work, "parent_dir": "/", "dirents": [f"{i}.txt" for i in range(1, 7)]}))
        page = trash(ann, work, limit=2)
        found = paths(page)
        while page["more"]:
            page = trash(ann, work, limit=2, scan_stat=page["scan_stat"])
            found += paths(page)
        assert sorted(found) == [f"/{i}.txt" for i in range(7)]
        refused(ann.get(f"/api/v2.1/repos/{work}/trash/?scan_stat=nonsense"), 400, "scan_stat")

    def test_of_one_folder(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        ann.upload(work, "/notes/b.txt", b"b")
        remove(ann, work, "/a.txt")
        remove(ann, work, "/notes/b.txt")
        assert paths(trash(ann, work, path="/notes")) == ["/notes/b.txt"]

    def test_what_was_renamed_is_not_deleted(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        done(ann.post(f"/api2/repos/{work}/file/" + query(p="/a.txt"), form={"operation": "rename", "newname": "b.txt"}))
        assert trash(ann, work)["data"] == []


class TestBringingBack:
    def test_one_or_many(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        ann.upload(work, "/notes/b.txt", b"b")
        before = ann.tree(work)
        commit = head(ann, work)
        remove(ann, work, "/a.txt")
        remove(ann, work, "/notes", "dir")
        answer = done(ann.post(f"/api/v2.1/repos/{work}/trash/revert-dirents/",
                               form={"commit_id": commit, "path": ["/a.txt", "/notes", "/none"]}))
        assert answer["success"] == [{"path": "/a.txt", "is_dir": False}, {"path": "/notes", "is_dir": True}]
        assert [one["path"] for one in answer["failed"]] == ["/none"]
        assert ann.tree(work) == before
        assert trash(ann, work)["data"] == []

    def test_as_json(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        commit = head(ann, work)
        remove(ann, work, "/a.txt")
        done(ann.post(f"/api/v2.1/repos/{work}/trash/revert-dirents/", {"commit_id": commit, "path": ["/a.txt"]}))
        assert ann.download(work, "/a.txt") == b"a"

    def test_beside_what_took_its_place(self, ann, work):
        ann.upload(work, "/a.txt", b"old")
        commit = head(ann, work)
        remove(ann, work, "/a.txt")
        ann.upload(work, "/a.txt", b"new")
        done(ann.post(f"/api/v2.1/repos/{work}/file/restore/", {"commit_id": commit, "p": "/a.txt"}))
        assert ann.download(work, "/a.txt") == b"new"
        assert ann.download(work, "/a (1).txt") == b"old"

    def test_a_folder(self, ann, work):
        ann.upload(work, "/notes/b.txt", b"b")
        commit = head(ann, work)
        remove(ann, work, "/notes", "dir")
        done(ann.post(f"/api/v2.1/repos/{work}/dir/restore/", form={"commit_id": commit, "p": "/notes"}))
        assert ann.download(work, "/notes/b.txt") == b"b"

    def test_what_is_missing_in_the_request(self, ann, work):
        path = f"/api/v2.1/repos/{work}/trash/revert-dirents/"
        refused(ann.post(path, {"path": ["/a.txt"]}), 400, "commit_id")
        refused(ann.post(path, {"commit_id": head(ann, work)}), 400, "path")
        refused(ann.post(path, {"commit_id": NEVER, "path": ["/a.txt"]}), 404)
        refused(ann.post(path, {"commit_id": "x", "path": ["/a.txt"]}), 400, "commit_id")


class TestEmptying:
    def test_puts_it_out_of_reach(self, house, ann, work):
        stored = ann.upload(work, "/a.txt", b"secret")
        commit = head(ann, work)
        remove(ann, work, "/a.txt")
        assert done(ann.delete(f"/api/v2.1/repos/{work}/trash/", {"keep_days": 0})) == {"success": True}
        assert trash(ann, work)["data"] == []
        refused(ann.post(f"/api/v2.1/repos/{work}/trash/revert-dirents/", {"commit_id": commit, "path": ["/a.txt"]}), 404)
        refused(ann.get(f"/api/v2.1/repos/{work}/commits/{commit}/dir/"), 404)
        refused(ann.get(f"/repo/{work}/history/download" + query(obj_id=stored["id"], p="/a.txt", commit_id=commit)), 404)
        refused(ann.get(f"/repo/{work}/history/download" + query(obj_id=stored["id"], p="/a.txt")), 404)
        assert len(done(ann.get(f"/api/v2.1/repos/{work}/history/"))["data"]) == 1
        assert "library.empty_trash" in house.audit_actions(f"library:{work}")

    def test_leaves_what_is_there(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        before = ann.tree(work)
        done(ann.delete(f"/api/v2.1/repos/{work}/trash/"))
        assert ann.tree(work) == before
        assert ann.download(work, "/a.txt") == b"a"

    def test_may_keep_the_last_days(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        remove(ann, work, "/a.txt")
        done(ann.delete(f"/api/v2.1/repos/{work}/trash/", form={"keep_days": 3}))
        assert paths(trash(ann, work)) == ["/a.txt"]
        refused(ann.delete(f"/api/v2.1/repos/{work}/trash/", form={"keep_days": -1}), 400, "keep_days")
        refused(ann.delete(f"/api/v2.1/repos/{work}/trash/", form={"keep_days": "x"}), 400, "keep_days")


def calls(library: str, commit: str) -> list[tuple[str, str, dict | None]]:
    path = f"/api/v2.1/repos/{library}"
    change = {"commit_id": commit, "path": "/a.txt"}
    return [("GET", f"{path}/trash/", None),
            ("DELETE", f"{path}/trash/", {"keep_days": 0}),
            ("POST", f"{path}/trash/revert-dirents/", change),
            ("POST", f"{path}/file/restore/", change),
            ("POST", f"{path}/dir/restore/", change)]


class TestWhoMay:
    def test_strangers_see_nothing_of_it(self, ann, bob, work):
        ann.upload(work, "/a.txt", b"a")
        commit = head(ann, work)
        remove(ann, work, "/a.txt")
        for library in (work, NOWHERE):
            for method, path, form in calls(library, commit):
                refused(bob.call(method, path, form=form), 404)
        assert paths(trash(ann, work)) == ["/a.txt"]

    def test_who_may_only_read_reads(self, house, ann, work):
        ann.upload(work, "/a.txt", b"a")
        commit = head(ann, work)
        remove(ann, work, "/a.txt")
        reader = FilesClient(house, ann.person, token(house.make_token(ann.who, scopes=["files:read"])["token"]))
        for method, path, form in calls(work, commit):
            assert reader.call(method, path, form=form).status == (200 if method == "GET" else 403), path
            assert house.server.request(method, path).status == 401
        assert paths(trash(ann, work)) == ["/a.txt"]
