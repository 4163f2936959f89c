# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Folders and files in them: lists and details, making, naming, moving, copying and removing them."""

import concurrent.futures

import pytest
from files_client import EMPTY, FilesClient, done, query, refused
from identity_client import start_house


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org", name="Ann"))


@pytest.fixture
def work(ann):
    return ann.make_library()


class TestLists:
    def test_an_empty_library(self, ann, work):
        answer = ann.get(f"/api2/repos/{work}/dir/")
        assert (done(answer), answer.header("oid"), answer.header("dir_perm")) == ([], EMPTY, "rw")
        assert done(ann.get(f"/api/v2.1/repos/{work}/dir/")) == {"user_perm": "rw", "dir_id": EMPTY,
                                                                "dirent_list": []}

    def test_folders_come_first_and_names_ascend(self, ann, work):
        for name in ("b.txt", "a.txt", "Z.txt"):
            ann.upload(work, f"/{name}", name.encode())
        for name in ("/beta", "/alpha"):
            ann.make_folder(work, name)
        assert ann.names(work) == ["alpha", "beta", "Z.txt", "a.txt", "b.txt"]
        assert ann.names(work, t="d") == ["alpha", "beta"]
        assert ann.names(work, t="f") == ["Z.txt", "a.txt", "b.txt"]

    def test_the_shape_of_entries(self, ann, work):
        stored = ann.upload(work, "/folder/a.txt", b"abc")
        [folder] = ann.listing(work)
        assert set(folder) == {"type", "id", "name", "mtime", "permission", "starred"}
        assert (folder["type"], folder["name"], folder["permission"]) == ("dir", "folder", "rw")
        answer = ann.get(f"/api2/repos/{work}/dir/" + query(p="/folder"))
        assert answer.header("oid") == folder["id"]
        [file] = done(answer)
        assert (file["type"], file["name"], file["id"], file["size"]) == ("file", "a.txt", stored["id"], 3)
        assert (file["modifier_email"], file["modifier_name"]) == (ann.email, "Ann")
        [file21] = done(ann.get(f"/api/v2.1/repos/{work}/dir/" + query(p="/folder")))["dirent_list"]
        assert file21 == file | {"parent_dir": "/folder/"}

    def test_everything_below_a_folder(self, ann, work):
        for path in ("/a.txt", "/one/b.txt", "/one/two/c.txt", "/other/d.txt"):
            ann.upload(work, path, path.encode())
        assert set(ann.tree(work)) == {"/a.txt", "/one", "/one/b.txt", "/one/two", "/one/two/c.txt", "/other",
                                       "/other/d.txt"}
        below = ann.listing(work, "/one", recursive=1, t="f")
        assert {(one["parent_dir"], one["name"]) for one in below} == {("/one", "b.txt"), ("/one/two", "c.txt")}

    def test_what_is_no_folder_is_not_found(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        for path in ("/nowhere", "/a.txt", "/a.txt/b"):
            refused(ann.get(f"/api2/repos/{work}/dir/" + query(p=path)), 404, path)

    def test_how_much_is_in_a_folder(self, ann, work):
        for path in ("/one/a", "/one/two/b", "/one/two/three/c"):
            ann.upload(work, path, b"12345")
        detail = done(ann.get(f"/api/v2.1/repos/{work}/dir/detail/" + query(path="/one")))
        assert {name: detail[name] for name in ("repo_id", "path", "name", "file_count", "dir_count", "size")} == {
            "repo_id": work, "path": "/one/", "name": "one", "file_count": 3, "dir_count": 2, "size": 15}
        assert done(ann.get(f"/api/v2.1/repos/{work}/dir/detail/" + query(path="/")))["file_count"] == 3

    def test_what_is_known_about_a_file(self, ann, work):
        stored = ann.upload(work, "/one/a.txt", b"12345")
        detail = done(ann.get(f"/api2/repos/{work}/file/detail/" + query(p="/one/a.txt")))
        assert (detail["id"], detail["name"], detail["size"], detail["parent_dir"], detail["last_modifier_email"]) == (
            stored["id"], "a.txt", 5, "/one", ann.email)
        assert detail["last_modified"].endswith("+00:00")
        shown = done(ann.get(f"/api/v2.1/repos/{work}/file/" + query(p="/one/a.txt")))
        assert (shown["obj_name"], shown["obj_id"], shown["parent_dir"]) == ("a.txt", stored["id"], "/one")
        refused(ann.get(f"/api2/repos/{work}/file/detail/" + query(p="/one")), 404, "/one")


class TestChanges:
    def test_a_folder_that_is_there_gets_a_number(self, ann, work):
        ann.make_folder(work, "/new")
        ann.make_folder(work, "/new")
        assert ann.names(work) == ["new", "new (1)"]
        refused(ann.post(f"/api2/repos/{work}/dir/" + query(p="/x/y"), form={"operation": "mkdir"}), 404, "/x")
        done(ann.post(f"/api2/repos/{work}/dir/" + query(p="/x/y"),
                      form={"operation": "mkdir", "create_parents": "true"}), 201)
        assert ann.names(work, "/x") == ["y"]

    def test_version_21_tells_what_became_of_it(self, ann, work):
        made = done(ann.post(f"/api/v2.1/repos/{work}/dir/" + query(p="/one"), {"operation": "mkdir"}))
        assert (made["type"], made["obj_name"], made["parent_dir"], made["repo_id"]) == ("dir", "one", "/", work)
        named = done(ann.post(f"/api/v2.1/repos/{work}/dir/" + query(p="/one"),
                              {"operation": "rename", "newname": "two"}))
        assert named["obj_name"] == "two"
        file = done(ann.post(f"/api/v2.1/repos/{work}/file/" + query(p="/two/a.md"), {"operation": "create"}))
        assert (file["obj_name"], file["size"], file["obj_id"]) == ("a.md", 0, EMPTY)
        moved = done(ann.post(f"/api/v2.1/repos/{work}/file/" + query(p="/two/a.md"),
                              {"operation": "move", "dst_repo": work, "dst_dir": "/"}))
        assert (moved["parent_dir"], moved["obj_name"]) == ("/", "a.md")
        copied = done(ann.post(f"/api/v2.1/repos/{work}/file/" + query(p="/a.md"),
                               {"operation": "copy", "dst_repo": work, "dst_dir": "/"}))
        assert copied["obj_name"] == "a (1).md"
        assert set(ann.tree(work)) == {"/two", "/a.md", "/a (1).md"}
        assert done(ann.delete(f"/api/v2.1/repos/{work}/file/" + query(p="/a.md"))) == {"success": True}
        assert done(ann.delete(f"/api/v2.1/repos/{work}/dir/" + query(p="/two"))) == {"success": True}
        assert set(ann.tree(work)) == {"/a (1).md"}

    def test_names_are_changed_and_taken_ones_refused(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        ann.upload(work, "/b.txt", b"b")
        path = f"/api2/repos/{work}/file/" + query(p="/a.txt")
        refused(ann.post(path, form={"operation": "rename", "newname": "b.txt"}), 409, "b.txt")
        done(ann.post(path, form={"operation": "rename", "newname": "c.txt"}))
        assert ann.download(work, "/c.txt") == b"a"
        refused(ann.post(path, form={"operation": "rename", "newname": "d.txt"}), 404, "a.txt")
        refused(ann.post(path, form={"operation": "dance"}), 400, "operation")

    def test_what_is_one_kind_is_not_removed_as_the_other(self, ann, work):
        ann.upload(work, "/folder/a.txt", b"a")
        refused(ann.delete(f"/api2/repos/{work}/file/" + query(p="/folder")), 404)
        refused(ann.delete(f"/api2/repos/{work}/dir/" + query(p="/folder/a.txt")), 404)
        refused(ann.delete(f"/api2/repos/{work}/dir/" + query(p="/")), 400, "root")
        done(ann.delete(f"/api2/repos/{work}/dir/" + query(p="/folder")))
        assert ann.names(work) == []

    def test_a_folder_does_not_go_into_itself(self, ann, work):
        ann.make_folder(work, "/one")
        ann.make_folder(work, "/one/two")
        refused(ann.post(f"/api2/repos/{work}/fileops/move/", form={"file_names": "one", "dst_dir": "/one/two"}), 400)
        assert set(ann.tree(work)) == {"/one", "/one/two"}

    def test_sixteen_at_once_lose_nothing(self, ann, work):
        def make(number: int) -> None:
            ann.upload(work, f"/folder/{number}.txt", str(number).encode())

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(make, range(48)))
        assert sorted(ann.names(work, "/folder")) == sorted(f"{number}.txt" for number in range(48))


class TestBatches:
    @pytest.fixture
    def tree(self, ann, work):
        for path in ("/a.txt", "/b.txt", "/folder/c.txt"):
            ann.upload(work, path, path.encode())
        ann.make_folder(work, "/target")
        return work

    def test_fileops(self, ann, tree):
        base = f"/api2/repos/{tree}/fileops"
        assert done(ann.post(f"{base}/copy/?p=/", form={"file_names": "a.txt:folder", "dst_repo": tree,
                                                         "dst_dir": "/target"})) == [
            {"repo_id": tree, "parent_dir": "/target", "obj_name": "a.txt"},
            {"repo_id": tree, "parent_dir": "/target", "obj_name": "folder"}]
        done(ann.post(f"{base}/move/?p=/", form={"file_names": "b.txt", "dst_repo": tree, "dst_dir": "/target"}))
        assert set(ann.names(tree, "/target")) == {"a.txt", "b.txt", "folder"}
        assert set(ann.names(tree)) == {"a.txt", "folder", "target"}
        done(ann.post(f"{base}/delete/?p=/", form={"file_names": "a.txt:folder"}))
        assert ann.names(tree) == ["target"]

    def test_file_move_and_copy(self, ann, tree):
        fields = {"src_dir": "/", "dst_repo_id": tree, "dst_dir": "/target", "file_names": ["a.txt", "b.txt"]}
        done(ann.post(f"/api2/repos/{tree}/file/copy/", {"src_repo_id": tree} | fields))
        done(ann.post(f"/api2/repos/{tree}/file/move/", {"src_repo_id": tree} | fields))
        assert set(ann.names(tree, "/target")) == {"a.txt", "b.txt", "a (1).txt", "b (1).txt"}

    def test_of_version_21(self, ann, tree):
        order = {"src_repo_id": tree, "src_parent_dir": "/", "src_dirents": ["a.txt", "folder"], "dst_repo_id": tree,
                 "dst_parent_dir": "/target"}
        assert done(ann.post("/api/v2.1/repos/sync-batch-copy-item/", order)) == {"success": True}
        assert done(ann.post("/api/v2.1/repos/sync-batch-copy-item/", order | {"conflict_policy": "skip"})) == {
            "success": True}
        assert set(ann.names(tree, "/target")) == {"a.txt", "folder"}
        done(ann.post("/api/v2.1/repos/sync-batch-move-item/",
                      order | {"src_dirents": ["a.txt"], "conflict_policy": "replace"}))
        assert set(ann.names(tree, "/target")) == {"a.txt", "folder"}
        refused(ann.post("/api/v2.1/repos/sync-batch-move-item/", order | {"conflict_policy": "guess"}), 400)
        assert done(ann.delete("/api/v2.1/repos/batch-delete-item/",
                               {"repo_id": tree, "parent_dir": "/", "dirents": ["b.txt", "folder"]})) == {
            "success": True}
        assert ann.names(tree) == ["target"]

    def test_all_of_it_or_nothing(self, ann, tree):
        before = ann.tree(tree)
        refused(ann.delete("/api/v2.1/repos/batch-delete-item/",
                           {"repo_id": tree, "parent_dir": "/", "dirents": ["a.txt", "nothing"]}), 404, "nothing")
        refused(ann.post(f"/api2/repos/{tree}/fileops/move/?p=/",
                         form={"file_names": "a.txt:nothing", "dst_dir": "/target"}), 404, "nothing")
        refused(ann.delete("/api/v2.1/repos/batch-delete-item/", {"repo_id": tree, "parent_dir": "/", "dirents": []}),
                400, "dirents")
        assert ann.tree(tree) == before
