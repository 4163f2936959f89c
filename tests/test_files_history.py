# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What libraries were before: states, versions of files, folders as they were, and going back to them."""

import concurrent.futures

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


def states(client, library, **more) -> list[dict]:
    return done(client.get(f"/api/v2.1/repos/{library}/history/" + query(**more)))["data"]


def head(client, library) -> str:
    return done(client.get(f"/api2/repos/{library}/"))["head_commit_id"]


def write(client, library, path, content: bytes) -> str:
    """The commit with which the file came."""
    client.upload(library, path, content, replace=True)
    return head(client, library)


def revisions(client, library, path, **more) -> dict:
    return done(client.get(f"/api/v2.1/repos/{library}/file/history/" + query(path=path, **more)))


class TestStates:
    def test_come_newest_first_with_who_when_and_what(self, ann, work):
        write(ann, work, "/a.txt", b"1")
        first, made = states(ann, work)
        assert (first["email"], first["name"], first["commit_id"]) == (ann.email, "Ann", head(ann, work))
        assert first["time"].endswith("+00:00")
        assert "a.txt" in first["description"]
        assert made["description"] == "Created library"

    def test_come_in_pages(self, ann, work):
        commits = [write(ann, work, "/a.txt", str(i).encode()) for i in range(5)]
        page = done(ann.get(f"/api/v2.1/repos/{work}/history/?page=1&per_page=2"))
        assert [one["commit_id"] for one in page["data"]] == commits[:2:-1]
        assert page["more"] is True
        last = done(ann.get(f"/api/v2.1/repos/{work}/history/?page=3&per_page=2"))
        assert len(last["data"]) == 2 and last["more"] is False
        assert states(ann, work, page=4, per_page=2) == []
        refused(ann.get(f"/api/v2.1/repos/{work}/history/?page=0"), 400, "page")
        refused(ann.get(f"/api/v2.1/repos/{work}/history/?per_page=x"), 400, "per_page")

    def test_older_clients_read_them_too(self, ann, work):
        commit = write(ann, work, "/a.txt", b"1")
        page = done(ann.get(f"/api2/repos/{work}/history/"))
        assert page["commits"][0]["id"] == commit
        assert page["commits"][0]["creator_name"] == ann.email
        assert page["page_next"] is False

    def test_tell_what_they_changed(self, ann, work):
        ann.upload(work, "/a.txt", b"1")
        ann.make_folder(work, "/folder")
        made = done(ann.get(f"/api2/repo_history_changes/{work}/" + query(commit_id=head(ann, work))))
        assert (made["newdir"], made["new"]) == (["/folder"], [])
        done(ann.post(f"/api2/repos/{work}/file/" + query(p="/a.txt"), form={"operation": "rename", "newname": "b.txt"}))
        renamed = done(ann.get(f"/api2/repo_history_changes/{work}/" + query(commit_id=head(ann, work))))
        assert renamed["renamed"] == ["/a.txt -> /b.txt"]


class TestSnapshots:
    @pytest.mark.parametrize("spelling", ["commits", "commit"])
    def test_a_folder_as_it_was(self, ann, work, spelling):
        then = write(ann, work, "/notes/a.txt", b"12")
        write(ann, work, "/notes/b.txt", b"3")
        path = f"/api/v2.1/repos/{work}/{spelling}/{then}/dir/"
        (entry,) = done(ann.get(path + query(path="/notes")))["dirent_list"]
        assert (entry["type"], entry["name"], entry["size"], entry["parent_dir"]) == ("file", "a.txt", 2, "/notes/")
        (folder,) = done(ann.get(path))["dirent_list"]
        assert (folder["type"], folder["name"]) == ("dir", "notes")

    def test_what_was_never_there(self, ann, work):
        then = write(ann, work, "/a.txt", b"1")
        refused(ann.get(f"/api/v2.1/repos/{work}/commits/{then}/dir/" + query(path="/none")), 404)
        refused(ann.get(f"/api/v2.1/repos/{work}/commits/{then}/dir/" + query(path="/a.txt")), 404)
        refused(ann.get(f"/api/v2.1/repos/{work}/commits/{NEVER}/dir/"), 404)
        assert ann.get(f"/api/v2.1/repos/{work}/commits/nonsense/dir/").status in (400, 404)


class TestVersions:
    def test_of_a_file(self, ann, work):
        one = write(ann, work, "/a.txt", b"1")
        write(ann, work, "/other.txt", b"x")
        two = write(ann, work, "/a.txt", b"22")
        page = revisions(ann, work, "/a.txt")
        assert [(rev["commit_id"], rev["size"], rev["path"]) for rev in page["data"]] == [
            (two, 2, "/a.txt"), (one, 1, "/a.txt")]
        assert page["next_start_commit"] is False
        assert page["data"][0]["creator_name"] == "Ann"

    def test_come_in_pages(self, ann, work):
        commits = [write(ann, work, "/a.txt", b"x" * (i + 1)) for i in range(5)]
        page = revisions(ann, work, "/a.txt", limit=2)
        found = [rev["commit_id"] for rev in page["data"]]
        while page["next_start_commit"]:
            page = revisions(ann, work, "/a.txt", limit=2, commit_id=page["next_start_commit"])
            found += [rev["commit_id"] for rev in page["data"]]
        assert found == commits[::-1]

    def test_are_followed_to_an_earlier_name(self, ann, work):
        write(ann, work, "/a.txt", b"1")
        done(ann.post(f"/api2/repos/{work}/file/" + query(p="/a.txt"), form={"operation": "rename", "newname": "b.txt"}))
        page = revisions(ann, work, "/b.txt")
        assert page["data"][-1]["rev_renamed_old_path"] == "/a.txt"
        older = revisions(ann, work, "/a.txt", commit_id=page["next_start_commit"])
        assert [rev["path"] for rev in older["data"]] == ["/a.txt"]
        for path in (f"/api/v2.1/repos/{work}/file/new_history/" + query(path="/b.txt"),
                     f"/api2/repo/file_revisions/{work}/" + query(p="/b.txt")):
            assert [rev["path"] for rev in done(ann.get(path))["data"]] == ["/b.txt", "/a.txt"]

    def test_page_by_number(self, ann, work):
        for i in range(4):
            write(ann, work, "/a.txt", b"x" * (i + 1))
        path = f"/api/v2.1/repos/{work}/file/new_history/"
        page = done(ann.get(path + query(path="/a.txt", page=2, per_page=3)))
        assert [rev["size"] for rev in page["data"]] == [1]
        assert (page["page"], page["total_count"]) == (2, 4)

    def test_of_what_is_not_there(self, ann, work):
        refused(ann.get(f"/api/v2.1/repos/{work}/file/history/" + query(path="/none")), 404)
        refused(ann.get(f"/api/v2.1/repos/{work}/file/history/"), 400)

    def test_can_be_downloaded(self, ann, work):
        then = write(ann, work, "/a.txt", b"first")
        old = revisions(ann, work, "/a.txt")["data"][0]["rev_file_id"]
        write(ann, work, "/a.txt", b"second")
        link = done(ann.get(f"/api2/repos/{work}/file/revision/" + query(p="/a.txt", commit_id=then)))
        assert ann.follow(link).body == b"first"
        for kind in ("download", "raw"):
            for more in ({"commit_id": then}, {}):
                answer = ann.get(f"/repo/{work}/history/{kind}" + query(obj_id=old, p="/a.txt", **more))
                assert answer.status == 302
                assert ann.house.server.get(answer.header("Location")).body == b"first"

    def test_content_of_another_path_is_not_found_by_its_id(self, ann, work):
        write(ann, work, "/a.txt", b"first")
        other = revisions(ann, work, "/a.txt")["data"][0]["rev_file_id"]
        write(ann, work, "/b.txt", b"second")
        refused(ann.get(f"/repo/{work}/history/download" + query(obj_id=other, p="/b.txt")), 404)

    def test_outlive_a_deletion(self, ann, work):
        write(ann, work, "/a.txt", b"1")
        done(ann.delete(f"/api2/repos/{work}/file/" + query(p="/a.txt")))
        write(ann, work, "/a.txt", b"22")
        assert [rev["size"] for rev in revisions(ann, work, "/a.txt")["data"]] == [2, 1]


class TestGoingBack:
    def test_of_a_file(self, ann, work):
        then = write(ann, work, "/a.txt", b"first")
        write(ann, work, "/a.txt", b"second")
        done(ann.put(f"/api2/repos/{work}/file/revert/", form={"p": "/a.txt", "commit_id": then}))
        assert ann.download(work, "/a.txt") == b"first"
        assert states(ann, work)[0]["description"].startswith('Reverted file "a.txt" to status at ')

    @pytest.mark.parametrize("version", ["/api2", "/api/v2.1"])
    def test_of_a_file_by_operation(self, ann, work, version):
        then = write(ann, work, "/a.txt", b"first")
        write(ann, work, "/a.txt", b"second")
        done(ann.post(f"{version}/repos/{work}/file/" + query(p="/a.txt"),
                      form={"operation": "revert", "commit_id": then, "conflict_policy": "replace"}))
        assert ann.download(work, "/a.txt") == b"first"

    @pytest.mark.parametrize("version", ["/api2", "/api/v2.1"])
    def test_of_a_folder_by_operation(self, ann, work, version):
        then = write(ann, work, "/notes/a.txt", b"first")
        write(ann, work, "/notes/b.txt", b"second")
        done(ann.post(f"{version}/repos/{work}/dir/" + query(p="/notes"),
                      form={"operation": "revert", "commit_id": then}))
        assert ann.names(work, "/notes") == ["a.txt"]

    def test_beside_what_is_there_now(self, ann, work):
        then = write(ann, work, "/a.txt", b"first")
        write(ann, work, "/a.txt", b"second")
        done(ann.put(f"/api2/repos/{work}/file/revert/",
                     form={"p": "/a.txt", "commit_id": then, "conflict_policy": "autorename"}))
        assert ann.download(work, "/a.txt") == b"second"
        assert ann.download(work, "/a (1).txt") == b"first"
        refused(ann.put(f"/api2/repos/{work}/file/revert/",
                        form={"p": "/a.txt", "commit_id": then, "conflict_policy": "guess"}), 400, "conflict_policy")

    def test_of_a_folder(self, ann, work):
        write(ann, work, "/notes/a.txt", b"1")
        then = write(ann, work, "/notes/b.txt", b"2")
        write(ann, work, "/notes/c.txt", b"3")
        done(ann.delete(f"/api2/repos/{work}/file/" + query(p="/notes/a.txt")))
        done(ann.put(f"/api2/repos/{work}/dir/revert/", form={"p": "/notes", "commit_id": then}))
        assert sorted(ann.names(work, "/notes")) == ["a.txt", "b.txt"]

    def test_of_the_library(self, ann, work):
        then = write(ann, work, "/a.txt", b"first")
        before = ann.tree(work)
        write(ann, work, "/b.txt", b"second")
        later = head(ann, work)
        assert done(ann.post(f"/api/v2.1/repos/{work}/commits/{then}/revert/")) == {"success": True}
        assert ann.tree(work) == before
        done(ann.post(f"/api/v2.1/repos/{work}/commits/{later}/revert/"))
        assert ann.download(work, "/b.txt") == b"second"

    def test_to_a_state_that_never_was(self, ann, work):
        write(ann, work, "/a.txt", b"1")
        refused(ann.post(f"/api/v2.1/repos/{work}/commits/{NEVER}/revert/"), 404)
        refused(ann.put(f"/api2/repos/{work}/file/revert/", form={"p": "/a.txt", "commit_id": NEVER}), 404)
        refused(ann.put(f"/api2/repos/{work}/file/revert/", form={"p": "/a.txt"}), 400, "commit_id")

    def test_loses_nothing_that_others_do_meanwhile(self, ann, work):
        then = write(ann, work, "/a.txt", b"first")
        write(ann, work, "/a.txt", b"second")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            uploads = [pool.submit(ann.upload, work, f"/new-{i}.txt", str(i).encode()) for i in range(20)]
            reverts = [pool.submit(ann.put, f"/api2/repos/{work}/file/revert/",
                                   form={"p": "/a.txt", "commit_id": then}) for _ in range(5)]
            for one in uploads:
                one.result()
            for one in reverts:
                done(one.result())
        assert ann.download(work, "/a.txt") == b"first"
        assert {f"/new-{i}.txt" for i in range(20)} <= set(ann.tree(work))


def calls(library: str, commit: str) -> list[tuple[str, str, dict | None]]:
    v21, v2 = f"/api/v2.1/repos/{library}", f"/api2/repos/{library}"
    path = query(path="/a.txt", p="/a.txt", commit_id=commit)
    change = {"p": "/a.txt", "commit_id": commit}
    return [("GET", f"{v21}/history/", None),
            ("GET", f"{v2}/history/", None),
            ("GET", f"/api2/repo_history_changes/{library}/" + path, None),
            ("GET", f"{v21}/file/history/" + path, None),
            ("GET", f"{v21}/file/new_history/" + path, None),
            ("GET", f"/api2/repo/file_revisions/{library}/" + path, None),
            ("GET", f"{v21}/commits/{commit}/dir/", None),
            ("GET", f"{v21}/commit/{commit}/dir/", None),
            ("GET", f"{v2}/file/revision/" + path, None),
            ("GET", f"/repo/{library}/history/download" + path, None),
            ("GET", f"/repo/{library}/history/raw" + path, None),
            ("PUT", f"{v2}/file/revert/", change),
            ("PUT", f"{v2}/dir/revert/", change),
            ("POST", f"{v21}/commits/{commit}/revert/", {})]


class TestWhoMay:
    def test_strangers_see_nothing_of_it(self, ann, bob, work):
        then = write(ann, work, "/a.txt", b"first")
        before = ann.tree(work)
        for method, path, form in calls(work, then):
            refused(bob.call(method, path, form=form), 404)
        assert ann.tree(work) == before

    def test_a_library_that_nobody_has_is_the_same(self, ann, work):
        then = write(ann, work, "/a.txt", b"first")
        for method, path, form in calls(NOWHERE, then):
            refused(ann.call(method, path, form=form), 404)

    def test_nobody_is_asked_who_they_are(self, house, ann, work):
        then = write(ann, work, "/a.txt", b"first")
        for method, path, _ in calls(work, then):
            assert house.server.request(method, path).status == 401, path

    def test_who_may_only_read_reads(self, house, ann, work):
        then = write(ann, work, "/a.txt", b"first")
        write(ann, work, "/a.txt", b"second")
        reader = FilesClient(house, ann.person, token(house.make_token(ann.who, scopes=["files:read"])["token"]))
        for method, path, form in calls(work, then):
            answer = reader.call(method, path, form=form)
            assert answer.status == (403 if method != "GET" else 302 if path.startswith("/repo/") else 200), path
        assert ann.download(work, "/a.txt") == b"second"

    def test_a_readonly_person_reads(self, house, ann):
        eve = FilesClient(house, house.make_user("eve@example.org", role="readonly"))
        assert eve.get(f"/api/v2.1/repos/{NOWHERE}/history/").status == 404
        assert eve.put(f"/api2/repos/{NOWHERE}/file/revert/", form={"p": "/a", "commit_id": NEVER}).status == 403
