# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The sync protocol, call by call: what is taken, what is refused, and what becomes of many who publish at once."""

import concurrent.futures
import json
import threading
import time
import zlib

import pytest
from identity_client import start_house, token
from seafile_client import ZERO, Entry, FilesPerson, SyncedLibrary, pack, sha1, unpack

NOWHERE = "00000000-0000-4000-8000-00000000dead"
NOBODY = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesPerson(house, house.make_user("ann@example.org"))


@pytest.fixture
def library(ann):
    return ann.make_library("Papers")


def canonical(value: dict) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode()


def file_object(*blocks: bytes, size: int | None = None) -> bytes:
    total = sum(map(len, blocks)) if size is None else size
    return canonical({"block_ids": [sha1(block) for block in blocks], "size": total, "type": 1, "version": 1})


def file_entry(name: str, file: bytes | None, size: int, mode: int = 0o100644) -> dict:
    return {"id": ZERO if file is None else sha1(file), "mode": mode, "modifier": "ann@example.org",
            "mtime": 1_800_000_000, "name": name, "size": size}


def folder_object(*entries: dict) -> bytes:
    ordered = sorted(entries, key=lambda entry: entry["name"].encode(), reverse=True)
    return canonical({"dirents": ordered, "type": 3, "version": 1})


def commit_of(library: SyncedLibrary, root: bytes | None, parent: str | None, salt: str = "") -> dict:
    root_id = ZERO if root is None else sha1(root)
    return {"commit_id": sha1(f"{root_id} {parent} {salt}".encode()), "root_id": root_id, "repo_id": library.id,
            "creator_name": "ann@example.org", "creator": NOBODY, "description": f"Changed {salt}.",
            "ctime": 1_800_000_000, "parent_id": parent, "second_parent_id": None, "repo_name": "Papers",
            "repo_desc": "", "repo_category": None, "no_local_history": 1, "version": 1}


def put_commit(library: SyncedLibrary, commit: dict):
    return library.call("PUT", f"commit/{commit['commit_id']}", json.dumps(commit))


def publish(library: SyncedLibrary, commit: dict):
    return library.call("PUT", f"commit/HEAD/?head={commit['commit_id']}", b"", deadline=60)


def add_file(library: SyncedLibrary, name: str, content: bytes, parent: str, others: tuple[dict, ...] = ()) -> dict:
    """All that a client does to bring a file, but publishing it."""
    file = file_object(content)
    root = folder_object(file_entry(name, file, len(content)), *others)
    commit = commit_of(library, root, parent, name)
    assert library.call("PUT", f"block/{sha1(content)}", content).status == 200
    assert library.call("POST", "recv-fs/", pack([file, root])).status == 200
    assert put_commit(library, commit).status == 200
    return commit


def commit_for_nothing(library: SyncedLibrary) -> dict:
    """Removes everything."""
    commit = commit_of(library, None, library.head(), "nothing")
    assert put_commit(library, commit).status == 200
    return commit


class TestWhoMay:
    def test_everything_of_a_library_needs_its_token(self, ann, library):
        other = ann.make_library("Others")
        stranger = FilesPerson(ann.house, ann.house.make_user("bob@example.org"))
        commit = add_file(library, "a.txt", b"mine", library.head())
        assert publish(library, commit).status == 200
        block, root = sha1(b"mine"), commit["root_id"]
        calls = [("GET", "commit/HEAD", None), ("GET", "permission-check/?op=download", None),
                 ("GET", "quota-check/?delta=1", None), ("GET", f"commit/{commit['commit_id']}", None),
                 ("GET", f"fs-id-list/?server-head={commit['commit_id']}", None), ("GET", f"fs/{root}", None),
                 ("POST", "pack-fs/", json.dumps([root])), ("POST", "check-fs/", "[]"),
                 ("POST", "check-blocks/", "[]"), ("GET", f"block/{block}", None),
                 ("GET", f"block-map/{sha1(file_object(b'mine'))}", None), ("PUT", f"block/{block}", b"mine"),
                 ("POST", "recv-fs/", b""), ("PUT", f"commit/{commit['commit_id']}", json.dumps(commit)),
                 ("PUT", f"commit/HEAD/?head={commit['commit_id']}", b""),
                 ("POST", f"update-branch?head={commit['commit_id']}", b"")]
        for method, path, body in calls:
            assert library.call(method, path, body).status == 200, path
            for secret in (other.token, "", NOBODY, stranger.make_library("Bobs").token):
                assert library.call(method, path, body, secret=secret).status == 403, path
        # The same content elsewhere is out of reach until it is brought there.
        for path in (f"block/{block}", f"commit/{commit['commit_id']}", f"fs/{root}"):
            assert other.call("GET", path).status == 404, path
        assert other.call("POST", "check-blocks", json.dumps([block])).json() == [block]

    def test_newer_clients_send_the_token_as_authorization(self, library):
        answer = library.server.get(f"/seafhttp/repo/{library.id}/commit/HEAD", token(library.token))
        assert answer.json() == {"is_corrupted": 0, "head_commit_id": library.head()}

    def test_a_library_that_is_gone_is_444_where_clients_look_and_403_elsewhere(self, ann, library):
        never = SyncedLibrary(library.server, NOWHERE, library.token)
        assert ann.call("DELETE", f"/api2/repos/{library.id}/").status == 200
        for gone in (library, never):
            assert gone.call("GET", "commit/HEAD").status == 444
            assert gone.call("GET", "permission-check/?op=upload").status == 444
            assert gone.call("POST", "check-fs", "[]").status == 403
            assert gone.call("PUT", f"block/{sha1(b'x')}", b"x").status == 403
        answer = library.server.post("/seafhttp/repo/head-commits-multi/", json.dumps([library.id, NOWHERE]))
        assert answer.json() == {}

    def test_a_token_ends_with_all_credentials_of_its_person(self, ann, library):
        changed = ann.house.post("/api/me/password", {"current": ann.person.password,
                                                      "password": "another teapot of rain"},
                                 ann.house.sign_in(ann.person))
        assert changed.status == 200, changed.text
        assert library.call("GET", "commit/HEAD").status == 403

    def test_a_credential_that_may_only_read_gets_a_token_that_may_only_read(self, ann, library):
        reader = FilesPerson(ann.house, ann.person, scopes=["files:read"])
        info = reader.call("GET", f"/api2/repos/{library.id}/download-info/").json()
        assert info["permission"] == "r"
        for secret in (info["token"], reader.call("GET", f"/api2/repo-tokens?repos={library.id}").json()[library.id]):
            assert library.call("GET", "commit/HEAD", secret=secret).status == 200
            refused = library.call("GET", "permission-check/?op=upload", secret=secret)
            assert (refused.status, refused.json()) == (403, {"reason": "no write permission"})
            assert library.call("PUT", f"block/{sha1(b'x')}", b"x", secret=secret).status == 403
            assert library.call("POST", "recv-fs", b"", secret=secret).status == 403
            assert library.call("PUT", f"commit/HEAD?head={NOBODY}", b"", secret=secret).status == 403


class TestContent:
    def test_what_was_brought_comes_back_as_it_was(self, library):
        first = library.head()
        commit = add_file(library, "Zähne.txt", b"content", first)
        assert publish(library, commit).status == 200
        assert library.head() == commit["commit_id"]
        assert library.commit(commit["commit_id"]) == commit
        assert library.tree() == {"/Zähne.txt": Entry(sha1(b"content"))}
        listed = library.call("GET", f"fs-id-list/?server-head={commit['commit_id']}").json()
        assert sorted(listed) == sorted([commit["root_id"], sha1(file_object(b"content"))])
        same = library.call("GET", f"fs-id-list/?server-head={commit['commit_id']}&client-head={commit['commit_id']}")
        assert same.json() == []
        folders = library.call("GET", f"fs-id-list/?server-head={commit['commit_id']}&client-head={first}&dir-only=1")
        assert folders.json() == [commit["root_id"]]
        shown = library.call("GET", f"block-map/{sha1(file_object(b'content'))}")
        assert shown.json() == [7]
        assert sha1(library.call("GET", f"fs/{commit['root_id']}").body) == commit["root_id"]

    def test_bytes_that_are_not_what_they_say_are_refused_and_not_kept(self, library):
        assert library.call("PUT", f"block/{sha1(b'right')}", b"wrong").status == 400
        large = b"x" * 3_000_000
        assert library.call("PUT", f"block/{sha1(b'right')}", large).status == 400
        assert library.call("POST", "check-blocks", json.dumps([sha1(b"right")])).json() == [sha1(b"right")]
        text = folder_object()
        packed = bytearray(pack([text]))
        packed[:40] = NOBODY.encode()
        assert library.call("POST", "recv-fs", bytes(packed)).status == 400
        assert library.call("POST", "check-fs", json.dumps([NOBODY, sha1(text)])).json() == [NOBODY, sha1(text)]

    @pytest.mark.parametrize("name", ["..", ".", "", "a/b", "nul\0", "x" * 300])
    def test_names_that_break_trees_are_refused(self, library, name):
        answer = library.call("POST", "recv-fs", pack([folder_object(file_entry(name, None, 0))]))
        assert answer.status == 400, answer.text

    def test_names_in_the_wrong_order_or_twice_are_refused(self, library):
        one, two = file_entry("a", None, 0), file_entry("b", None, 0)
        for entries in ([one, two], [one, one]):
            text = canonical({"dirents": entries, "type": 3, "version": 1})
            assert library.call("POST", "recv-fs", pack([text])).status == 400

    def test_half_a_request_leaves_nothing(self, library):
        whole = pack([file_object(b"a"), file_object(b"b")])
        assert library.call("POST", "recv-fs", whole[:-3]).status == 400
        assert library.call("POST", "recv-fs", whole[:20]).status == 400
        for content in (b"small", b"large" * 500_000):
            head = (f"PUT /seafhttp/repo/{library.id}/block/{sha1(content)} HTTP/1.1\r\nHost: x\r\n"
                    f"Seafile-Repo-Token: {library.token}\r\nContent-Length: {len(content)}\r\n\r\n")
            with library.server.connect() as connection:
                connection.send(head.encode() + content[:len(content) // 2])
            assert library.call("POST", "check-blocks", json.dumps([sha1(content)])).json() == [sha1(content)]
            assert library.call("PUT", f"block/{sha1(content)}", content).status == 200
            assert library.block(sha1(content)) == content

    def test_bad_lists_and_bombs_are_refused(self, library):
        for path in ("check-fs", "check-blocks", "pack-fs"):
            for body in ("", "{}", "[1]", '["', "[" * 100):
                assert library.call("POST", path, body).status == 400, (path, body)
        assert library.call("POST", "check-blocks", json.dumps(["x", "ABCD" * 10])).json() == []
        bomb = zlib.compress(b" " * (200 << 20))
        framed = NOBODY.encode() + len(bomb).to_bytes(4, "big") + bomb
        assert library.call("POST", "recv-fs", framed, deadline=60).status in (400, 413)
        assert library.call("POST", "pack-fs", json.dumps([NOBODY])).status == 404
        assert library.call("GET", f"block/{NOBODY}").status == 404
        assert library.call("GET", "block/ABC").status == 400

    def test_a_pack_ends_early_and_always_goes_on(self, library):
        files = [file_object(*(b"%d-%d" % (number, block) for block in range(2000)), size=1) for number in range(40)]
        assert library.call("POST", "recv-fs", pack(files)).status == 200
        wanted, rounds = [sha1(file) for file in files], 0
        while wanted:
            got = {name for name, _ in unpack(library.call("POST", "pack-fs", json.dumps(wanted)).body)}
            assert got
            wanted, rounds = [one for one in wanted if one not in got], rounds + 1
        assert rounds > 1


class TestPublishing:
    def test_a_commit_must_be_of_its_path_and_library(self, ann, library):
        other = ann.make_library("Other")
        commit = commit_of(library, None, library.head(), "x")
        assert library.call("PUT", f"commit/{NOBODY}", json.dumps(commit)).status == 400
        assert other.call("PUT", f"commit/{commit['commit_id']}", json.dumps(commit)).status == 400
        assert library.call("PUT", f"commit/HEAD?head={NOBODY}", b"").status == 404
        assert library.call("PUT", "commit/HEAD?head=x", b"").status == 400
        assert library.call("PUT", "commit/HEAD", b"").status == 400

    def test_content_that_is_missing_is_named_and_the_head_stays(self, library):
        before = library.head()
        file = file_object(b"never brought")
        root = folder_object(file_entry("a.txt", file, 13))
        commit = commit_of(library, root, before, "missing")
        assert put_commit(library, commit).status == 200
        assert publish(library, commit).status == 446
        assert library.call("POST", "recv-fs", pack([file, root])).status == 200
        answer = publish(library, commit)
        assert (answer.status, answer.json()) == (446, ["/a.txt"])
        assert library.head() == before
        assert library.call("PUT", f"block/{sha1(b'never brought')}", b"never brought").status == 200
        assert publish(library, commit).status == 200
        assert library.head() == commit["commit_id"]

    def test_sizes_that_are_wrong_are_refused(self, library):
        file = file_object(b"four")
        root = folder_object(file_entry("a.txt", file, 4_000_000_000))
        commit = commit_of(library, root, library.head(), "size")
        assert library.call("PUT", f"block/{sha1(b'four')}", b"four").status == 200
        assert library.call("POST", "recv-fs", pack([file, root])).status == 200
        assert put_commit(library, commit).status == 200
        assert publish(library, commit).status == 400

    def test_what_was_published_before_moves_nothing(self, library):
        first = add_file(library, "a.txt", b"a", library.head())
        assert publish(library, first).status == 200
        second = commit_of(library, None, first["commit_id"], "removed")
        assert put_commit(library, second).status == 200
        assert publish(library, second).status == 200
        assert publish(library, first).status == 200
        assert library.head() == second["commit_id"] and library.tree() == {}

    def test_two_who_start_from_the_same_state_are_merged(self, library):
        base = library.head()
        one, two = (add_file(library, name, name.encode(), base) for name in ("one.txt", "two.txt"))
        assert publish(library, one).status == 200
        assert publish(library, two).status == 200
        merged = library.commit(library.head())
        assert (merged["parent_id"], merged["second_parent_id"]) == (one["commit_id"], two["commit_id"])
        assert set(library.tree()) == {"/one.txt", "/two.txt"}

    def test_a_client_with_a_state_that_is_unknown_is_not_told_to_go_back(self, library):
        # As after the restore of a backup: whoever is ahead would delete what is newer.
        answer = library.call("GET", f"fs-id-list/?server-head={library.head()}&client-head={NOBODY}")
        assert answer.status == 409
        assert library.call("GET", f"fs-id-list/?server-head={NOBODY}").status == 404

    def test_64_clients_publish_at_once_and_nothing_is_lost(self, library):
        base, clients = library.head(), 64
        together = threading.Barrier(clients)

        def work(number: int) -> list[int]:
            mine = SyncedLibrary(library.server, library.id, library.token)
            commit = add_file(mine, f"{number}.txt", f"content {number}".encode(), base)
            together.wait(60)
            return [insist(mine, commit) for _ in range(2)]

        def insist(mine: SyncedLibrary, commit: dict) -> int:
            """Where too many wait for one library, clients come back."""
            while (status := publish(mine, commit).status) == 503:
                time.sleep(0.1)
            return status

        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            assert all(status == [200, 200] for status in pool.map(work, range(clients)))
        assert library.tree() == {f"/{number}.txt": Entry(sha1(f"content {number}".encode()))
                                  for number in range(clients)}
        history = library.history()
        assert len(history) == clients + 1, "each came in once, one after the other"
        assert history[-1]["commit_id"] == base

    def test_a_quota_is_kept_by_the_commit(self, house):
        ann = FilesPerson(house, house.make_user("small@example.org", quota_bytes=10))
        library = ann.make_library("Papers")
        assert library.call("GET", "quota-check/?delta=10").status == 200
        assert library.call("GET", "quota-check/?delta=11").status == 443
        assert library.call("GET", "quota-check/?delta=-5").status == 200
        assert library.call("GET", "quota-check/?delta=x").status == 400
        before = library.head()
        assert library.call("PUT", f"block/{sha1(b'eleven byte')}", b"eleven byte").status == 443
        # Of content that is there, each place counts.
        small = add_file(library, "a.txt", b"six ..", before)
        assert publish(library, small).status == 200
        file = file_object(b"six ..")
        root = folder_object(file_entry("a.txt", file, 6), file_entry("b.txt", file, 6))
        commit = commit_of(library, root, library.head())
        assert library.call("POST", "recv-fs/", pack([root])).status == 200
        assert put_commit(library, commit).status == 200
        before = library.head()
        assert publish(library, commit).status == 443
        assert library.head() == before
        assert publish(library, commit_for_nothing(library)).status == 200
        fits = add_file(library, "a.txt", b"ten bytes!", library.head())
        assert publish(library, fits).status == 200
        assert ann.call("GET", "/api2/account/info/").json()["usage"] == 10


class TestBeforeSyncing:
    def test_what_clients_ask_first(self, house, ann):
        assert house.get("/seafhttp/protocol-version").json() == {"version": 2}
        assert house.get("/api2/ping/").json() == "pong"
        assert ann.call("GET", "/api2/auth/ping/").json() == "pong"
        assert house.get("/api2/auth/ping/").status == 401
        assert house.get("/api2/server-info/").json()["encrypted_library_version"] == 2
        assert ann.call("GET", "/api2/account/info/").json()["email"] == "ann@example.org"
        assert ann.call("GET", "/api2/devices/").json() == []
        assert house.post("/seafhttp/repo/locked-files").json() == []
        assert house.get("/seafhttp/repo/locked-files").json() == {"locked_files": []}
        assert house.post("/seafhttp/repo/folder-perm").json() == []

    def test_signing_in_answers_a_token_or_says_that_it_cannot(self, house, ann):
        def sign_in(**form):
            return FilesPerson.call(ann, "POST", "/api2/auth-token/", form)

        answer = sign_in(username=ann.email, password=ann.person.password)
        assert answer.status == 200 and len(answer.json()["token"]) == 40
        assert house.get("/api2/auth/ping/", token(answer.json()["token"])).status == 200
        wrong = sign_in(username=ann.email, password="wrong")
        assert (wrong.status, list(wrong.json())) == (400, ["non_field_errors"])
        device = {"device_id": "d" * 40, "device_name": "laptop", "platform": "linux"}
        old, new = (sign_in(username=ann.email, password=ann.person.password, **device).json()["token"]
                    for _ in range(2))
        assert [house.get("/api2/auth/ping/", token(one)).status for one in (old, new)] == [401, 200]

    def test_a_second_factor_is_asked_for_as_clients_expect(self, house, ann):
        house.turn_on_second_factor(house.sign_in(ann.person))
        form = {"username": ann.email, "password": ann.person.password}
        answer = ann.call("POST", "/api2/auth-token/", form)
        assert (answer.status, answer.header("x-seafile-otp")) == (400, "required")

    def test_everybody_has_a_library_from_the_start(self, ann):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            lists = list(pool.map(lambda _: ann.call("GET", "/api2/repos/").json(), range(8)))
        assert {len(one) for one in lists} == {1} and len({one[0]["id"] for one in lists}) == 1
        default = ann.call("GET", "/api2/default-repo/").json()
        assert default == {"exists": True, "repo_id": lists[0][0]["id"]}
        made = ann.make_library("Second")
        listed = {one["id"]: one for one in ann.call("GET", "/api2/repos/").json()}
        assert set(listed) == {default["repo_id"], made.id}
        assert listed[made.id]["permission"] == "rw" and listed[made.id]["head_commit_id"] == made.head()
        answer = ann.house.server.get(f"/seafhttp/accessible-repos/?repo_id={made.id}",
                                      {"Seafile-Repo-Token": made.token})
        assert {one["id"] for one in answer.json()["accessible_repos"]} == set(listed)

    def test_nobody_learns_of_a_library_of_somebody_else(self, house, ann, library):
        bob = FilesPerson(house, house.make_user("bob@example.org"))
        assert bob.call("GET", f"/api2/repos/{library.id}/download-info/").status == 404
        assert bob.call("GET", f"/api2/repo-tokens?repos={library.id}").json() == {}
        assert library.id not in bob.call("GET", "/api2/repos/").text


def test_a_thousand_absent_blocks_are_looked_for_quickly(library):
    absent = json.dumps([sha1(str(number).encode()) for number in range(1000)])
    began = time.monotonic()
    for _ in range(10):
        assert len(library.call("POST", "check-blocks", absent).json()) == 1000
    assert time.monotonic() - began < 5
