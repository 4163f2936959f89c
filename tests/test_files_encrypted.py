# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Encrypted libraries in the web: opened with a password that is not kept, closed again, given another password."""

import hashlib

import pytest
from files_client import FilesClient, done, query, refused
from identity_client import start_house, start_server, token

NOWHERE = "00000000-0000-4000-8000-00000000dead"
PASSWORD = "open sesame"
CONTENT = b"nobody else reads this" * 1000


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def secret(ann):
    return ann.make_library("Secret", passwd=PASSWORD)


def unlock(client, library, password=PASSWORD):
    return client.post(f"/api/v2.1/repos/{library}/set-password/", form={"password": password})


def magic_of(library: str, password: str) -> str:
    salt = bytes.fromhex("da9045c306c7cc26")
    return hashlib.pbkdf2_hmac("sha256", (library + password).encode(), salt, 1000, 32).hex()


def needs_password(client, library) -> bool:
    return done(client.get(f"/api/v2.1/repos/{library}/"))["lib_need_decrypt"]


class TestOpening:
    def test_with_the_password(self, ann, secret):
        refused(ann.get(f"/api2/repos/{secret}/upload-link/"), 440, "Library password is needed")
        assert needs_password(ann, secret)
        assert done(unlock(ann, secret)) == {"success": True}
        assert not needs_password(ann, secret)
        ann.upload(secret, "/a.txt", CONTENT)
        assert ann.download(secret, "/a.txt") == CONTENT

    def test_with_another_password(self, ann, secret):
        refused(unlock(ann, secret, "wrong"), 400, "Wrong password")
        refused(unlock(ann, secret, ""), 400, "password")
        assert needs_password(ann, secret)

    def test_what_is_stored_is_not_what_was_sent(self, ann, house, secret):
        done(unlock(ann, secret))
        ann.upload(secret, "/a.txt", CONTENT)
        for path in house.server.data.rglob("*"):
            if path.is_file():
                assert CONTENT[:64] not in path.read_bytes(), path

    def test_is_over_after_a_restart(self, ann, house, secret, make_server):
        done(unlock(ann, secret))
        ann.upload(secret, "/a.txt", CONTENT)
        link, upload_link = ann.download_link(secret, "/a.txt"), ann.upload_link(secret)
        house.server.stop()
        house.server = start_server(make_server, data=house.server.data)
        refused(ann.get(f"/api2/repos/{secret}/file/" + query(p="/a.txt")), 440)
        refused(ann.follow(link), 440)
        refused(ann.send(upload_link, [("parent_dir", None, b"/"), ("file", "b.txt", b"b")]), 440, "password")
        done(unlock(ann, secret))
        assert ann.download(secret, "/a.txt") == CONTENT

    def test_names_are_seen_without_it(self, ann, secret, house, make_server):
        done(unlock(ann, secret))
        ann.upload(secret, "/a.txt", CONTENT)
        house.server.stop()
        house.server = start_server(make_server, data=house.server.data)
        assert ann.names(secret) == ["a.txt"]

    def test_old_versions_need_it_too(self, ann, secret, house, make_server):
        done(unlock(ann, secret))
        ann.upload(secret, "/a.txt", CONTENT)
        then = done(ann.get(f"/api2/repos/{secret}/"))["head_commit_id"]
        ann.upload(secret, "/a.txt", b"other", replace=True)
        path = f"/api2/repos/{secret}/file/revision/" + query(p="/a.txt", commit_id=then)
        assert ann.follow(done(ann.get(path))).body == CONTENT
        house.server.stop()
        house.server = start_server(make_server, data=house.server.data)
        refused(ann.get(path), 440)

    def test_guessing_ends(self, ann, secret):
        statuses = [unlock(ann, secret, f"guess {i}").status for i in range(12)]
        assert statuses[0] == 400 and statuses[-1] == 429, statuses
        assert unlock(ann, secret).status == 429

    def test_the_magic_of_the_password(self, ann, secret):
        path = f"/api2/repos/{secret}/?op=checkpassword"
        assert done(ann.post(path, form={"magic": magic_of(secret, PASSWORD)})) == "success"
        refused(ann.post(path, form={"magic": magic_of(secret, "wrong")}), 400)
        assert needs_password(ann, secret)

    def test_one_that_is_not_encrypted(self, ann):
        refused(unlock(ann, ann.make_library("Plain")), 409)


class TestAnotherPassword:
    def change(self, client, library, old, new):
        return client.put(f"/api/v2.1/repos/{library}/set-password/", {"old_password": old, "new_password": new})

    def test_leaves_the_content_as_it_is(self, ann, secret):
        done(unlock(ann, secret))
        stored = ann.upload(secret, "/a.txt", CONTENT)
        assert done(self.change(ann, secret, PASSWORD, "another")) == {"success": True}
        refused(ann.get(f"/api2/repos/{secret}/upload-link/"), 440)
        refused(unlock(ann, secret), 400)
        done(unlock(ann, secret, "another"))
        assert ann.download(secret, "/a.txt") == CONTENT
        assert ann.tree(secret) == {"/a.txt": stored["id"]}

    def test_is_told_to_clients(self, ann, secret):
        before = done(ann.get(f"/api2/repos/{secret}/download-info/"))
        done(self.change(ann, secret, PASSWORD, "another"))
        after = done(ann.get(f"/api2/repos/{secret}/download-info/"))
        assert after["magic"] == magic_of(secret, "another") != before["magic"]
        assert after["random_key"] != before["random_key"]
        assert after["head_commit_id"] != before["head_commit_id"]

    def test_needs_the_old_one(self, ann, secret):
        refused(self.change(ann, secret, "wrong", "another"), 400, "Wrong password")
        refused(self.change(ann, secret, PASSWORD, ""), 400, "new_password")
        done(unlock(ann, secret))


def test_strangers_open_nothing(house, ann, secret):
    bob = FilesClient(house, house.make_user("bob@example.org"))
    for library in (secret, NOWHERE):
        refused(unlock(bob, library), 404)
        refused(bob.put(f"/api/v2.1/repos/{library}/set-password/",
                        {"old_password": PASSWORD, "new_password": "x"}), 404)
    done(unlock(ann, secret))
    ann.upload(secret, "/a.txt", CONTENT)
    refused(bob.get(f"/api2/repos/{secret}/file/" + query(p="/a.txt")), 404)
    assert house.server.post(f"/api/v2.1/repos/{secret}/set-password/").status == 401
    reader = FilesClient(house, ann.person, token(house.make_token(ann.who, scopes=["files:read"])["token"]))
    assert reader.put(f"/api/v2.1/repos/{secret}/set-password/",
                      {"old_password": PASSWORD, "new_password": "x"}).status == 403
