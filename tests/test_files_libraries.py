# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Libraries as wholes: made, named, given away, thrown away and taken back; what strangers and readers may."""

import pytest
from files_client import FilesClient, done, query, refused
from identity_client import start_house, token

NOWHERE = "00000000-0000-4000-8000-00000000dead"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org", name="Ann"))


@pytest.fixture
def bob(house):
    return FilesClient(house, house.make_user("bob@example.org"))


class TestShapes:
    def test_of_version_21(self, ann):
        made = done(ann.post("/api/v2.1/repos/", {"name": "Work", "desc": "what I do"}))
        listed = [one for one in done(ann.get("/api/v2.1/repos/"))["repos"] if one["repo_id"] == made["repo_id"]]
        assert listed == [made] == [done(ann.get(f"/api/v2.1/repos/{made['repo_id']}/"))]
        assert {name: made[name] for name in ("type", "repo_name", "owner_email", "owner_name", "size", "encrypted",
                                              "lib_need_decrypt", "permission", "starred", "status", "salt")} == {
            "type": "mine", "repo_name": "Work", "owner_email": ann.email, "owner_name": "Ann", "size": 0,
            "encrypted": 0, "lib_need_decrypt": False, "permission": "rw", "starred": False, "status": "normal",
            "salt": ""}
        assert made["last_modified"].endswith("+00:00")

    def test_of_version_2(self, ann):
        library = ann.make_library("Work", desc="what I do")
        shown = done(ann.get(f"/api2/repos/{library}/"))
        assert {name: shown[name] for name in ("type", "id", "owner", "name", "desc", "size", "encrypted",
                                               "permission", "version")} == {
            "type": "repo", "id": library, "owner": ann.email, "name": "Work", "desc": "what I do", "size": 0,
            "encrypted": False, "permission": "rw", "version": 1}
        assert done(ann.get(f"/api2/repos/{library}/owner/")) == {"owner": ann.email}

    def test_an_encrypted_one_says_so(self, ann):
        library = ann.make_library("Secret", passwd="sesame")
        shown = done(ann.get(f"/api/v2.1/repos/{library}/"))
        assert (shown["encrypted"], shown["lib_need_decrypt"]) == (1, True)
        refused(ann.get(f"/api2/repos/{library}/upload-link/"), 440, "password")
        assert ann.post(f"/api2/repos/{library}/", form={"password": "wrong"}).status == 400
        assert done(ann.post(f"/api2/repos/{library}/", form={"password": "sesame"})) == "success"
        assert not done(ann.get(f"/api/v2.1/repos/{library}/"))["lib_need_decrypt"]
        content = b"not for everybody" * 1000
        ann.upload(library, "/a.txt", content)
        assert ann.download(library, "/a.txt") == content

    def test_opening_one_that_is_not_encrypted_is_a_conflict(self, ann):
        refused(ann.post(f"/api2/repos/{ann.make_library()}/", form={"password": "x"}), 409)


class TestChanges:
    @pytest.mark.parametrize("how", ["op", "put", "v21"])
    def test_a_new_name(self, ann, how):
        library = ann.make_library("Old")
        if how == "op":
            done(ann.post(f"/api2/repos/{library}/?op=rename", form={"repo_name": "New", "repo_desc": "better"}))
        elif how == "put":
            done(ann.put(f"/api2/repos/{library}/", form={"name": "New", "desc": "better"}))
        else:
            done(ann.put(f"/api/v2.1/repos/{library}/", {"repo_name": "New", "repo_desc": "better"}))
        shown = done(ann.get(f"/api2/repos/{library}/"))
        assert (shown["name"], shown["desc"]) == ("New", "better")

    @pytest.mark.parametrize("name", ["", "a/b", "..", "x" * 256])
    def test_names_that_are_none(self, ann, name):
        refused(ann.post("/api/v2.1/repos/", {"name": name}), 400, "name")
        refused(ann.put(f"/api/v2.1/repos/{ann.make_library()}/", {"repo_name": name}), 400, "name")

    def test_how_long_history_is_kept(self, ann):
        library = ann.make_library()
        for path in (f"/api2/repos/{library}/history-limit/", f"/api/v2.1/repos/{library}/history-limit/"):
            assert done(ann.get(path)) == {"keep_days": -1}
            assert done(ann.put(path, form={"keep_days": 30})) == {"keep_days": 30}
            assert done(ann.get(path)) == {"keep_days": 30}
            assert done(ann.put(path, form={"keep_days": -1})) == {"keep_days": -1}
            for wrong in ("0", "soon", "40000", ""):
                refused(ann.put(path, form={"keep_days": wrong}), 400, "keep_days")

    def test_given_away_it_is_somebody_elses(self, ann, bob):
        library = ann.make_library("Gift")
        ann.upload(library, "/a.txt", b"a")
        refused(ann.put(f"/api2/repos/{library}/owner/", form={"owner": "nobody@example.org"}), 404, "owner")
        done(ann.put(f"/api2/repos/{library}/owner/", form={"owner": bob.email}))
        assert library not in ann.libraries()
        assert bob.libraries()[library] == "Gift"
        assert bob.download(library, "/a.txt") == b"a"
        refused(ann.get(f"/api2/repos/{library}/"), 404)


class TestTrash:
    def test_there_and_back(self, ann):
        library = ann.make_library("Gone")
        ann.upload(library, "/a.txt", b"a")
        done(ann.delete(f"/api2/repos/{library}/"))
        assert library not in ann.libraries()
        refused(ann.get(f"/api2/repos/{library}/dir/"), 404)
        trash = done(ann.get("/api/v2.1/deleted-repos/"))
        assert [(one["repo_id"], one["repo_name"], one["owner_email"], one["size"]) for one in trash] == [
            (library, "Gone", ann.email, 1)]
        done(ann.put(f"/api/v2.1/repos/deleted/{library}/"))
        assert ann.names(library) == ["a.txt"]
        assert done(ann.get("/api/v2.1/deleted-repos/")) == []
        done(ann.delete(f"/api/v2.1/repos/{library}/"))
        done(ann.post("/api/v2.1/deleted-repos/", form={"repo_id": library}))
        assert library in ann.libraries()

    def test_what_is_erased_does_not_come_back(self, ann):
        library = ann.make_library()
        refused(ann.delete(f"/api/v2.1/repos/deleted/{library}/"), 409)
        done(ann.delete(f"/api2/repos/{library}/"))
        done(ann.delete(f"/api/v2.1/repos/deleted/{library}/"))
        assert done(ann.get("/api/v2.1/deleted-repos/")) == []
        assert ann.put(f"/api/v2.1/repos/deleted/{library}/").status in (404, 409)

    def test_strangers_find_nothing_in_it(self, ann, bob):
        library = ann.make_library()
        done(ann.delete(f"/api2/repos/{library}/"))
        refused(bob.put(f"/api/v2.1/repos/deleted/{library}/"), 404)
        refused(bob.delete(f"/api/v2.1/repos/deleted/{library}/"), 404)
        assert done(bob.get("/api/v2.1/deleted-repos/")) == []


def calls(library: str) -> list[tuple[str, str, dict | None, dict | None]]:
    """One of each kind: method, path, form, JSON."""
    api2, v21, p = f"/api2/repos/{library}", f"/api/v2.1/repos/{library}", query(p="/a.txt")
    return [
        ("GET", f"{api2}/", None, None),
        ("POST", f"{api2}/?op=rename", {"repo_name": "Mine"}, None),
        ("DELETE", f"{api2}/", None, None),
        ("GET", f"{api2}/owner/", None, None),
        ("PUT", f"{api2}/owner/", {"owner": "bob@example.org"}, None),
        ("GET", f"{api2}/history-limit/", None, None),
        ("PUT", f"{api2}/history-limit/", {"keep_days": 3}, None),
        ("GET", f"{api2}/dir/", None, None),
        ("POST", f"{api2}/dir/" + query(p="/new"), {"operation": "mkdir"}, None),
        ("DELETE", f"{api2}/dir/" + query(p="/folder"), None, None),
        ("GET", f"{api2}/dir/download/" + query(p="/folder"), None, None),
        ("GET", f"{api2}/file/{p}", None, None),
        ("GET", f"{api2}/file/detail/{p}", None, None),
        ("POST", f"{api2}/file/{p}", {"operation": "rename", "newname": "b.txt"}, None),
        ("DELETE", f"{api2}/file/{p}", None, None),
        ("POST", f"{api2}/fileops/delete/", {"file_names": "a.txt"}, None),
        ("POST", f"{api2}/fileops/copy/", {"file_names": "a.txt", "dst_dir": "/folder"}, None),
        ("POST", f"{api2}/file/move/", {"file_names": "a.txt", "src_dir": "/", "dst_dir": "/folder"}, None),
        ("GET", f"{api2}/upload-link/", None, None),
        ("GET", f"{api2}/update-link/", None, None),
        ("GET", f"{api2}/file-uploaded-bytes/" + query(parent_dir="/", file_name="a"), None, None),
        ("GET", f"{v21}/", None, None),
        ("PUT", f"{v21}/", None, {"repo_name": "Mine"}),
        ("DELETE", f"{v21}/", None, None),
        ("GET", f"{v21}/dir/", None, None),
        ("POST", f"{v21}/dir/" + query(p="/new"), None, {"operation": "mkdir"}),
        ("DELETE", f"{v21}/dir/" + query(p="/folder"), None, None),
        ("GET", f"{v21}/dir/detail/" + query(path="/folder"), None, None),
        ("GET", f"{v21}/file/{p}", None, None),
        ("POST", f"{v21}/file/{p}", None, {"operation": "rename", "newname": "b.txt"}),
        ("DELETE", f"{v21}/file/{p}", None, None),
        ("POST", f"{v21}/zip-task/", None, {"parent_dir": "/", "dirents": ["folder"]}),
        ("DELETE", "/api/v2.1/repos/batch-delete-item/", None,
         {"repo_id": library, "parent_dir": "/", "dirents": ["a.txt"]}),
        ("POST", "/api/v2.1/repos/sync-batch-move-item/", None,
         {"src_repo_id": library, "src_parent_dir": "/", "src_dirents": ["a.txt"], "dst_repo_id": library,
          "dst_parent_dir": "/folder"}),
    ]


class TestOthers:
    def test_a_stranger_finds_no_library_by_any_call(self, ann, bob):
        library = ann.make_library()
        ann.upload(library, "/a.txt", b"a")
        ann.make_folder(library, "/folder")
        before = ann.tree(library)
        for method, path, form, body in calls(library):
            answer = bob.call(method, path, body, form)
            assert answer.status == 404, f"{method} {path}: {answer.status} {answer.text}"
            assert "error_msg" in answer.json()
        assert ann.tree(library) == before
        assert ann.libraries()[library] == "Work"

    def test_a_library_that_nobody_has_is_the_same(self, ann):
        for method, path, form, body in calls(NOWHERE):
            assert ann.call(method, path, body, form).status == 404, f"{method} {path}"

    def test_who_may_only_read_reads(self, house, ann):
        library = ann.make_library()
        ann.upload(library, "/a.txt", b"a")
        ann.make_folder(library, "/folder")
        before = ann.tree(library)
        reader = FilesClient(house, ann.person, token(house.make_token(ann.who, scopes=["files:read"])["token"]))
        for method, path, form, body in calls(library):
            answer = reader.call(method, path, body, form)
            writes = method != "GET" or "upload-link" in path or "update-link" in path
            assert answer.status == (403 if writes else 200), f"{method} {path}: {answer.status} {answer.text}"
        assert ann.tree(library) == before
        assert reader.download(library, "/a.txt") == b"a"

    def test_a_person_of_another_organisation_is_a_stranger(self, house, ann):
        org = house.make_org("Elsewhere", "elsewhere.example.org")
        eve = FilesClient(house, house.make_user("eve@example.org", org=org))
        refused(eve.get(f"/api2/repos/{ann.make_library()}/"), 404)
