# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Files and folders found by their names."""

import pytest
from files_client import FilesClient, done, query, refused
from identity_client import start_house, token

NOWHERE = "00000000-0000-4000-8000-00000000dead"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org"))


def found(client, q, **more) -> list[str]:
    return sorted(one["fullpath"] for one in done(client.get("/api2/search/" + query(q=q, **more)))["results"])


def test_the_shape_that_clients_know(ann):
    work = ann.make_library("Work")
    stored = ann.upload(work, "/notes/Agnus Dei.pdf", b"abc")
    answer = done(ann.get("/api2/search/" + query(q="agnus")))
    (one,) = answer["results"]
    assert one.pop("mtime") == one.pop("last_modified") > 0
    assert one == {"repo_id": work, "repo_name": "Work", "name": "Agnus Dei.pdf", "oid": stored["id"],
                   "path": "/notes/Agnus Dei.pdf", "fullpath": "/notes/Agnus Dei.pdf", "is_dir": False, "type": "file",
                   "size": 3}
    assert (answer["total"], answer["has_more"], answer["is_cut_off"]) == (1, False, False)


def test_over_all_libraries_or_one(ann):
    work, home = ann.make_library("Work"), ann.make_library("Home")
    ann.upload(work, "/a/plan.txt", b"1")
    ann.upload(home, "/plan.txt", b"2")
    ann.make_folder(home, "/Plans")
    assert found(ann, "PLAN") == ["/Plans", "/a/plan.txt", "/plan.txt"]
    assert found(ann, "plan", repo_id=home) == ["/Plans", "/plan.txt"]
    assert found(ann, "plan", search_repo=work, search_path="/a") == ["/a/plan.txt"]
    assert found(ann, "plan", type="dir") == ["/Plans"]
    assert found(ann, "plan", type="file") == ["/a/plan.txt", "/plan.txt"]
    assert found(ann, "nothing") == []


def test_in_pages(ann):
    work = ann.make_library("Work")
    for i in range(5):
        ann.upload(work, f"/plan-{i}.txt", str(i).encode())
    pages = [done(ann.get("/api2/search/" + query(q="plan", page=n, per_page=2))) for n in (1, 2, 3)]
    assert [len(page["results"]) for page in pages] == [2, 2, 1]
    assert [page["has_more"] for page in pages] == [True, True, False]
    assert len({one["name"] for page in pages for one in page["results"]}) == 5


def test_in_one_library(ann):
    work = ann.make_library("Work")
    ann.upload(work, "/plan.txt", b"abc")
    ann.make_folder(work, "/plans")
    for name in ("q", "file_name"):
        data = done(ann.get("/api/v2.1/search-file/" + query(repo_id=work, **{name: "plan"})))["data"]
        assert sorted((one["path"], one["type"], one["size"]) for one in data) == [
            ("/plan.txt", "file", 3), ("/plans", "folder", 0)]
    refused(ann.get("/api/v2.1/search-file/?q=plan"), 400, "repo_id")


def test_what_is_not_there_any_more(ann):
    work = ann.make_library("Work")
    ann.upload(work, "/plan.txt", b"abc")
    done(ann.delete(f"/api2/repos/{work}/file/" + query(p="/plan.txt")))
    assert found(ann, "plan") == []


def test_bad_questions(ann):
    refused(ann.get("/api2/search/"), 400, "q")
    refused(ann.get("/api2/search/" + query(q="x" * 300)), 400, "q")
    refused(ann.get("/api2/search/" + query(q="x", type="other")), 400, "type")
    refused(ann.get("/api2/search/" + query(q="x", search_path="/a")), 400, "search_path")


def test_strangers_find_nothing(house, ann):
    bob = FilesClient(house, house.make_user("bob@example.org"))
    work = ann.make_library("Work")
    ann.upload(work, "/plan.txt", b"abc")
    assert found(bob, "plan") == []
    for library in (work, NOWHERE):
        refused(bob.get("/api2/search/" + query(q="plan", repo_id=library)), 404)
        refused(bob.get("/api/v2.1/search-file/" + query(q="plan", repo_id=library)), 404)
    assert house.server.get("/api2/search/?q=plan").status == 401
    reader = FilesClient(house, ann.person, token(house.make_token(ann.who, scopes=["files:read"])["token"]))
    assert found(reader, "plan") == ["/plan.txt"]
