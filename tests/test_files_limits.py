# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What one person may take from the others: trees that unfold, a library that everybody changes, space that nobody names,
uploads that never end, and what failures leave on the disk."""

import concurrent.futures
import contextlib
import hashlib
import json
import os
import random
import select
import subprocess
import time

import pytest
from files_client import FilesClient, done, refused
from identity_client import start_house, start_server
from programs import run
from raw_http import RawConnection
from running_server import eventually
from seafile_client import ZERO, FilesPerson, SyncedLibrary, pack, sha1

MIB = 1 << 20
NOBODY = "0123456789abcdef0123456789abcdef01234567"
NO_SPACE, TOO_LARGE = 443, 447


def noise(count: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(count)


def canonical(value: dict) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode()


def file_object(content: bytes) -> bytes:
    return canonical({"block_ids": [sha1(content)], "size": len(content), "type": 1, "version": 1})


def file_entry(name: str, content: bytes) -> dict:
    return {"id": sha1(file_object(content)), "mode": 0o100644, "modifier": "ann@example.org", "mtime": 1_800_000_000,
            "name": name, "size": len(content)}


def folder_entry(name: str, folder: bytes) -> dict:
    return {"id": sha1(folder), "mode": 0o040000, "mtime": 1_800_000_000, "name": name}


def folder_object(*entries: dict) -> bytes:
    return canonical({"dirents": sorted(entries, key=lambda entry: entry["name"].encode(), reverse=True), "type": 3,
                      "version": 1})


def put_commit(library: SyncedLibrary, root: bytes, parent: str, salt: str = "") -> str:
    commit = sha1(f"{sha1(root)} {parent} {salt}".encode())
    body = {"commit_id": commit, "root_id": sha1(root), "repo_id": library.id, "creator_name": "ann@example.org",
            "creator": NOBODY, "description": "Changed.", "ctime": 1_800_000_000, "parent_id": parent,
            "second_parent_id": None, "repo_name": "Papers", "repo_desc": "", "repo_category": None,
            "no_local_history": 1, "version": 1}
    assert library.call("PUT", f"commit/{commit}", json.dumps(body)).status == 200
    return commit


def publish(library: SyncedLibrary, commit: str):
    return library.call("PUT", f"commit/HEAD/?head={commit}", b"", deadline=60)


def bring(library: SyncedLibrary, contents: dict[str, bytes], parent: str) -> str:
    """All that a client does to bring files, but publishing them."""
    different = set(contents.values())
    for content in different:
        assert library.call("PUT", f"block/{sha1(content)}", content, deadline=60).status == 200
    root = folder_object(*(file_entry(name, content) for name, content in contents.items()))
    assert library.call("POST", "recv-fs/", pack([*map(file_object, different), root])).status == 200
    return put_commit(library, root, parent)


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesPerson(house, house.make_user("ann@example.org"))


def used(person: FilesPerson | FilesClient) -> int:
    return person.call("GET", "/api2/account/info/").json()["usage"]


def files_below(folder) -> list[str]:
    return [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]


def bytes_below(folder) -> int:
    total = 0
    for path in files_below(folder):
        with contextlib.suppress(FileNotFoundError):
            total += os.path.getsize(path)
    return total


class TestTrees:
    def unfolding(self, levels: int) -> list[bytes]:
        """Folders that each name the same child ten times: a few kilobytes, and 10 to the power of levels files."""
        objects = [file_object(b"x"), folder_object(file_entry("f", b"x"))]
        for _ in range(levels):
            objects.append(folder_object(*(folder_entry(str(child), objects[-1]) for child in range(10))))
        return objects

    def test_trees_that_unfold_beyond_all_bounds_are_refused_and_others_write_meanwhile(self, house, ann):
        bob = FilesClient(house, house.make_user("bob@example.org"))
        work = bob.make_library()
        objects, bombs = self.unfolding(30), []
        for number in range(12):
            library = ann.make_library(f"Bomb {number}")
            assert library.call("PUT", f"block/{sha1(b'x')}", b"x").status == 200
            assert library.call("POST", "recv-fs/", pack(objects)).status == 200
            bombs.append((library, put_commit(library, objects[-1], library.head())))
        with concurrent.futures.ThreadPoolExecutor(len(bombs)) as pool:
            answers = [pool.submit(publish, *bomb) for bomb in bombs]
            for number in range(5):
                bob.upload(work, f"/{number}.txt", b"meanwhile")
            for answer in answers:
                assert (answer.result().status, answer.result().text) == (TOO_LARGE, "the tree has too many entries")
        assert len(bob.names(work)) == 5

    def test_a_folder_in_many_places_is_taken_counted_searched_and_packed(self, house, ann):
        client = FilesClient(house, ann.person)
        library, objects = ann.make_library("Copies"), self.unfolding(4)
        assert library.call("PUT", f"block/{sha1(b'x')}", b"x").status == 200
        assert library.call("POST", "recv-fs/", pack(objects)).status == 200
        assert publish(library, put_commit(library, objects[-1], library.head())).status == 200
        assert used(ann) == 10_000
        assert done(client.get(f"/api2/search/?q=f&repo_id={library.id}"))["results"]
        # What a client lacks is told once for each object.
        answer = library.call("GET", f"fs-id-list/?server-head={library.head()}")
        assert set(answer.json()) == {sha1(one) for one in objects}
        assert len(answer.json()) < 100
        house.run_job("files.collect-garbage")
        assert used(ann) == 10_000

    def test_too_deep_a_tree_is_no_lack_of_space(self, ann):
        library, folder = ann.make_library(), folder_object(file_entry("f", b"x"))
        objects = [file_object(b"x"), folder]
        for _ in range(600):
            folder = folder_object(folder_entry("d", folder))
            objects.append(folder)
        assert library.call("PUT", f"block/{sha1(b'x')}", b"x").status == 200
        assert library.call("POST", "recv-fs/", pack(objects)).status == 200
        answer = publish(library, put_commit(library, folder, library.head()))
        assert (answer.status, answer.text) == (TOO_LARGE, "folders are nested too deeply")


    def test_long_folders_in_one_another_are_refused(self, ann):
        """Each may be as long as they may be, and deflates to little; all of a path are in memory at once."""
        library = ann.make_library()
        beside = ",".join(f'{{"id":"{ZERO}","mode":16384,"mtime":0,"name":"{number:07}"}}' for number in range(690_000, 0, -1))
        below, answers = ZERO, []
        for _ in range(5):
            child = f'{{"id":"{below}","mode":16384,"mtime":0,"name":"in"}}'
            folder = f'{{"dirents":[{child},{beside}],"type":3,"version":1}}'.encode()
            assert library.call("POST", "recv-fs/", pack([folder]), deadline=60).status == 200
            below = sha1(folder)
            answers.append(publish(library, put_commit(library, folder, library.head())))
        assert [answer.status for answer in answers[:2]] == [200, 200]
        assert (answers[-1].status, answers[-1].text) == (
            TOO_LARGE, "folders that lie in one another are too large together")


def test_one_busy_library_leaves_workers_to_the_others(make_server):
    """Few wait for a library, whoever asks: a change of another one does not come behind all of them."""
    house = start_house(make_server, config={"http": {"worker_threads": 16}})
    ann = FilesPerson(house, house.make_user("ann@example.org"))
    busy, calm = ann.make_library("Busy"), ann.make_library("Calm")
    clients = 64
    # So many that each change takes a while.
    files = {f"{number}.txt": b"old" for number in range(2000)}
    base = bring(busy, files, busy.head())
    assert publish(busy, base).status == 200
    commits = [bring(busy, files | {f"new {number}.txt": b"new"}, base) for number in range(clients)]
    quiet, parent = [], calm.head()
    for number in range(10):
        parent = bring(calm, {f"calm {one}.txt": b"calm" for one in range(number + 1)}, parent)
        quiet.append(parent)
    refusals: list[str] = []

    def insist(commit: str) -> int:
        """As clients do, but sooner."""
        while True:
            answer = publish(SyncedLibrary(busy.server, busy.id, busy.token), commit)
            if answer.status != 503:
                return answer.status
            refusals.append(answer.text)
            assert int(answer.header("Retry-After")) > 0
            time.sleep(random.uniform(0, 0.2))

    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        pending = [pool.submit(insist, commit) for commit in commits]
        eventually(lambda: any("wait for each other" in text for text in refusals), what="a refusal")
        came_first = []
        for commit in quiet:
            before = sum(one.done() for one in pending)
            assert publish(calm, commit).status == 200, "the other library goes on"
            came_first.append(sum(one.done() for one in pending) - before)
        assert came_first[0] < clients / 4, "most of those who were there before still wait"
        assert all(one.result() == 200 for one in pending)
    assert len(busy.tree()) == len(files) + clients, "each came in"
    assert len(busy.history()) == clients + 2, "once"


class TestSpace:
    def small(self, house, quota: int = 10 * MIB) -> FilesPerson:
        return FilesPerson(house, house.make_user("small@example.org", quota_bytes=quota))

    def fill(self, library: SyncedLibrary, block_bytes: int, count: int) -> int:
        """How many of so many blocks that nobody names were taken."""
        taken = 0
        for seed in range(count):
            block = noise(block_bytes, seed)
            answer = library.call("PUT", f"block/{sha1(block)}", block, deadline=60)
            assert answer.status in (200, NO_SPACE), answer.text
            taken += answer.status == 200
        return taken

    def test_blocks_that_nobody_names_count(self, house):
        ann = self.small(house)
        library, other = ann.make_library(), ann.make_library("Other")
        assert self.fill(library, MIB, 24) == 10
        assert self.fill(other, MIB, 1) == 0
        # What lies there may be a part of what is to come: a client that tries again has sent it before.
        assert library.call("GET", f"quota-check/?delta={10 * MIB}").status == 200
        assert library.call("GET", f"quota-check/?delta={10 * MIB + 1}").status == NO_SPACE
        assert other.call("GET", "quota-check/?delta=1").status == NO_SPACE
        # The same again is there already.
        block = noise(MIB, 0)
        assert library.call("PUT", f"block/{sha1(block)}", block).status == 200

    def test_small_blocks_count_as_well(self, house):
        ann = self.small(house, 100 * 1024)
        assert self.fill(ann.make_library(), 1024, 150) == 100

    def test_what_is_named_counts_once(self, house):
        ann = self.small(house)
        library = ann.make_library()
        contents = {f"{seed}.bin": noise(MIB, seed) for seed in range(9)}
        commit = bring(library, contents, library.head())
        assert publish(library, commit).status == 200
        assert used(ann) == 9 * MIB
        assert self.fill(library, MIB // 2, 5) == 2

    def test_it_counts_after_a_restart(self, house, make_server):
        ann = self.small(house)
        library = ann.make_library()
        assert self.fill(library, MIB, 8) == 8
        house.run_job("files.sweep-uploads")
        assert used(ann) == 8 * MIB
        house.server.kill()
        again = start_server(make_server, data=house.server.data)
        library.server = again
        block = noise(3 * MIB, 99)
        assert library.call("PUT", f"block/{sha1(block)}", block).status == NO_SPACE

    def test_garbage_gives_it_back_and_the_counters_are_verified(self, house, build_folder, tmp_path):
        ann = self.small(house)
        library = ann.make_library()
        assert self.fill(library, MIB, 8) == 8
        house.run_job("files.sweep-uploads")

        def atrium(*words):
            printed = run(build_folder.resolve() / "atrium", *words, "--data", str(house.server.data), folder=tmp_path)
            assert printed.returncode == 0, printed.stdout + printed.stderr

        atrium("files", "verify")
        atrium("files", "gc", "--grace-hours", "0")
        assert used(ann) == 0
        atrium("files", "verify")
        assert self.fill(library, MIB, 10) == 10

    def withhold(self, library: SyncedLibrary, block: bytes, chunked: bool = False) -> RawConnection:
        """Sends all of a block but its last byte."""
        server = library.server
        framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(block)}"
        head = (f"PUT /seafhttp/repo/{library.id}/block/{sha1(block)} HTTP/1.1\r\nHost: {server.address}\r\n"
                f"Seafile-Repo-Token: {library.token}\r\n{framing}\r\n\r\n") + (f"{len(block):x}\r\n" if chunked else "")
        connection = server.connect()
        # One that was refused need not be read to its end.
        with contextlib.suppress(OSError):
            connection.send(head.encode() + block[:-1])
        return connection

    def answered(self, connections: list[RawConnection]) -> list[RawConnection]:
        return [one for one in connections if select.select([one.stream], [], [], 0)[0]]

    @pytest.mark.parametrize("chunked", [False, True])
    def test_bytes_count_while_they_are_on_their_way(self, house, chunked):
        ann = self.small(house)
        library, other = ann.make_library(), ann.make_library("Other")
        blocks = [noise(9 * MIB, seed) for seed in range(8)]
        with contextlib.ExitStack() as stack:
            senders = [stack.enter_context(self.withhold(library if number % 2 else other, block, chunked))
                       for number, block in enumerate(blocks)]
            eventually(lambda: len(self.answered(senders)) >= len(senders) - 1, what="an answer to all but one")
            for one in self.answered(senders):
                assert one.read_head().status == NO_SPACE
            assert bytes_below(house.server.data / "blobs" / "temporary") <= 10 * MIB
        # What was broken off is given back.
        eventually(lambda: library.call("PUT", f"block/{sha1(blocks[0])}", blocks[0]).status == 200)
        assert self.fill(other, MIB, 2) == 1

    def test_files_through_links_count_before_their_blocks_are_whole(self, house):
        ann = FilesClient(house, house.make_user("small@example.org", quota_bytes=10 * MIB))
        work = ann.make_library()
        body = (b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n" + noise(6 * MIB))
        with house.server.connect() as first:
            first.send(self.form_head(ann, work, 7 * MIB) + body)
            eventually(lambda: files_below(house.server.data / "blobs" / "temporary"), what="bytes under way")
            refused(ann.try_upload(work, "/b.bin", noise(6 * MIB, 2)), NO_SPACE)
            ann.upload(work, "/small.bin", b"small")
        eventually(lambda: ann.try_upload(work, "/b.bin", noise(9 * MIB, 2)).status == 200)

    def form_head(self, ann: FilesClient, work: str, length: int) -> bytes:
        path = ann.upload_link(work).partition("/seafhttp")[2]
        return (f"POST /seafhttp{path} HTTP/1.1\r\nHost: {ann.house.server.address}\r\n"
                f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {length}\r\n\r\n").encode()

    def test_what_is_sent_again_needs_no_space(self, house):
        ann = FilesClient(house, house.make_user("small@example.org", quota_bytes=10 * MIB))
        work = ann.make_library()
        library = FilesPerson(house, ann.person).library(work)
        block = noise(9 * MIB)
        for _ in range(2):
            assert library.call("PUT", f"block/{sha1(block)}", block, deadline=60).status == 200

    def test_a_library_that_is_handed_over_takes_its_blocks_along(self, house):
        ann = self.small(house)
        bob = FilesPerson(house, house.make_user("bob@example.org"))
        library = ann.make_library()
        assert self.fill(library, MIB, 8) == 8
        house.run_job("files.sweep-uploads")
        assert ann.call("PUT", f"/api2/repos/{library.id}/owner/", {"owner": bob.email}).status == 200
        assert (used(ann), used(bob)) == (0, 8 * MIB)

    def test_files_through_links_count_while_they_arrive(self, house):
        ann = FilesClient(house, house.make_user("small@example.org", quota_bytes=10 * MIB))
        work = ann.make_library()
        refused(ann.try_upload(work, "/a.bin", noise(12 * MIB)), NO_SPACE)
        ann.upload(work, "/b.bin", noise(6 * MIB, 2))

    def test_pieces_count_while_they_lie_there(self, house):
        ann = FilesClient(house, house.make_user("small@example.org", quota_bytes=10 * MIB))
        work, piece = ann.make_library(), noise(4 * MIB)
        assert ann.send_piece(work, "/a.bin", piece, 0, 100 * MIB).status == 200
        assert ann.send_piece(work, "/a.bin", piece, 4 * MIB, 100 * MIB).status == 200
        refused(ann.send_piece(work, "/a.bin", piece, 8 * MIB, 100 * MIB), NO_SPACE)
        refused(ann.send_piece(work, "/b.bin", piece, 0, 8 * MIB), NO_SPACE)
        # They count together with everything else.
        refused(ann.try_upload(work, "/c.bin", piece), NO_SPACE)
        assert ann.uploaded_bytes(work, "/a.bin") == 8 * MIB

    def test_a_file_in_pieces_needs_its_space_once(self, house):
        ann = FilesClient(house, house.make_user("small@example.org", quota_bytes=10 * MIB))
        work, content = ann.make_library(), noise(9 * MIB)
        for first in range(0, 9 * MIB, 3 * MIB):
            assert ann.send_piece(work, "/a.bin", content[first:first + 3 * MIB], first, 9 * MIB).status == 200
        assert hashlib.sha256(ann.download(work, "/a.bin")).digest() == hashlib.sha256(content).digest()
        assert used(ann) == 9 * MIB


class TestUnfinished:
    @pytest.fixture
    def client(self, house, ann):
        return FilesClient(house, ann.person)

    def uploads(self, client: FilesClient) -> list[dict]:
        return done(client.get("/api/v2.1/unfinished-uploads/"))["uploads"]

    def test_what_kills_left_behind_is_listed_removed_and_makes_room(self, house, ann, client, make_server):
        work = client.make_library()
        for number in range(70):
            assert client.send_piece(work, f"/{number}.bin", b"begun", 0, 10).status == 200, number
        house.server.kill()
        client.house.server = start_server(make_server, data=house.server.data)
        left = self.uploads(client)
        assert len(left) == 64
        assert {one["repo_id"] for one in left} == {work}
        assert {one["path"] for one in left} < {f"/{number}.bin" for number in range(70)}
        assert all((one["received"], one["size"]) == (5, 10) for one in left)
        assert client.send_piece(work, "/new.bin", b"begun", 0, 10).status == 200
        assert "/new.bin" in {one["path"] for one in self.uploads(client)}
        for one in self.uploads(client):
            done(client.delete(f"/api/v2.1/unfinished-uploads/{one['id']}/"))
        assert self.uploads(client) == []
        assert client.uploaded_bytes(work, "/new.bin") == 0

    def test_the_operator_looks_after_them(self, house, client, build_folder, tmp_path):
        work = client.make_library()
        assert client.send_piece(work, "/a.bin", b"begun", 0, 10).status == 200

        def atrium(*words) -> str:
            printed = run(build_folder.resolve() / "atrium", "files", "uploads", *words, "--user", client.email, "--data",
                          str(house.server.data), folder=tmp_path)
            assert printed.returncode == 0, printed.stdout + printed.stderr
            return printed.stdout

        assert "/a.bin" in atrium("list")
        [upload] = json.loads(atrium("list", "--json"))
        atrium("remove", upload["id"])
        assert json.loads(atrium("list", "--json")) == []

    def test_they_are_ones_own(self, house, client):
        bob = FilesClient(house, house.make_user("bob@example.org"))
        work = client.make_library()
        assert client.send_piece(work, "/a.bin", b"begun", 0, 10).status == 200
        [mine] = self.uploads(client)
        assert self.uploads(bob) == []
        refused(bob.delete(f"/api/v2.1/unfinished-uploads/{mine['id']}/"), 404)
        refused(client.delete("/api/v2.1/unfinished-uploads/..%2F..%2Fsecret/"), 404)
        reader = FilesPerson(house, client.person, scopes=["files:read"])
        assert reader.call("DELETE", f"/api/v2.1/unfinished-uploads/{mine['id']}/").status == 403
        assert [one["id"] for one in self.uploads(client)] == [mine["id"]]


class TestLeftovers:
    def test_an_upload_that_was_killed_leaves_nothing(self, house, ann, make_server):
        client = FilesClient(house, ann.person)
        work = client.make_library()
        server = house.server
        body = (b"--b\r\nContent-Disposition: form-data; name=\"parent_dir\"\r\n\r\n/\r\n"
                b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n" + noise(5 * MIB))
        path = client.upload_link(work).partition("/seafhttp")[2]
        with server.connect() as connection:
            connection.send(f"POST /seafhttp{path} HTTP/1.1\r\nHost: {server.address}\r\n"
                            f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {50 * MIB}\r\n\r\n")
            connection.send(body)
            temporary = server.data / "blobs" / "temporary"
            assert eventually(lambda: files_below(temporary)), "it is under way"
            server.kill()
        start_server(make_server, data=server.data)
        assert files_below(temporary) == []

    def test_files_that_no_index_knows_are_garbage(self, house, build_folder, tmp_path):
        stray = house.server.data / "blobs" / "files" / "ab" / "cd" / ("abcd" + "0" * 60)
        stray.parent.mkdir(parents=True)
        stray.write_bytes(b"left behind" * 1000)

        def collect(*words) -> dict:
            printed = run(build_folder.resolve() / "atrium", "files", "gc", "--json", *words, "--data",
                          str(house.server.data), folder=tmp_path)
            assert printed.returncode == 0, printed.stdout + printed.stderr
            return json.loads(printed.stdout)

        assert collect()["strays"] == {"count": 0, "bytes": 0}, "it may be on its way"
        old = time.time() - 2 * 24 * 3600
        os.utime(stray, (old, old))
        assert collect("--dry-run")["strays"] == {"count": 1, "bytes": 11_000}
        assert stray.exists()
        assert collect()["strays"] == {"count": 1, "bytes": 11_000}
        assert not stray.exists()

    @pytest.fixture
    def small_disk(self, tmp_path):
        folder = tmp_path / "disk"
        folder.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=220m", "tmpfs", str(folder)], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            pytest.skip("no disk can be mounted here: " + mounted.stderr.decode())
        yield folder
        with contextlib.suppress(subprocess.CalledProcessError):
            subprocess.run(["umount", "-l", str(folder)], check=True)

    def test_a_full_disk_leaves_nothing_behind_that_garbage_collection_does_not_take(
            self, make_server, small_disk, build_folder, tmp_path):
        house = start_house(make_server, data=small_disk / "data")
        client = FilesClient(house, house.make_user("ann@example.org"))
        work = client.make_library()
        blobs = house.server.data / "blobs"
        client.upload(work, "/before.bin", noise(MIB))
        before = len(files_below(blobs / "files"))
        answer = client.try_upload(work, "/large.bin", noise(200 * MIB, 2))
        assert answer.status in (503, 507), answer.text
        assert files_below(blobs / "temporary") == []
        printed = run(build_folder.resolve() / "atrium", "files", "gc", "--grace-hours", "0", "--data",
                      str(house.server.data), folder=tmp_path)
        assert printed.returncode == 0, printed.stdout + printed.stderr
        assert len(files_below(blobs / "files")) == before
        assert client.names(work) == ["before.bin"]
        client.upload(work, "/after.bin", noise(MIB, 3))


class TestWhatIsTold:
    def test_handing_over_tells_nobody_who_exists_elsewhere(self, house):
        elsewhere = house.make_org("Elsewhere", "elsewhere.test")
        cat = house.make_user("cat@elsewhere.test", org=elsewhere)
        ann = FilesClient(house, house.make_user("ann@example.org"))
        mine, nowhere = ann.make_library(), "00000000-0000-4000-8000-00000000dead"
        for library in (mine, nowhere):
            answers = [ann.put(f"/api2/repos/{library}/owner/", form={"owner": email})
                       for email in (cat.email, "nobody@example.org")]
            assert answers[0].status == answers[1].status == 404
            assert answers[0].text == answers[1].text

    def test_heads_are_told_to_whoever_may_read_them(self, house, ann):
        bob = FilesPerson(house, house.make_user("bob@example.org"))
        mine, other, his = ann.make_library(), ann.make_library("Other"), bob.make_library()
        asked = json.dumps([mine.id, other.id, his.id])

        def heads(secret: str | None = None) -> dict:
            headers = {} if secret is None else {"Seafile-Repo-Token": secret}
            answer = house.server.request("POST", "/seafhttp/repo/head-commits-multi/", asked, headers)
            assert answer.status == 200
            return answer.json()

        assert heads() == {}
        assert heads(NOBODY) == {}
        assert heads(mine.token) == {mine.id: mine.head(), other.id: other.head()}
        assert heads(his.token) == {his.id: his.head()}

    def test_reading_makes_nothing(self, house):
        person = house.make_user("ann@example.org")
        reader = FilesPerson(house, person, scopes=["files:read"])
        assert reader.call("GET", "/api2/repos/").json() == []
        assert reader.call("GET", "/api2/default-repo/").json() == {"exists": False, "repo_id": ""}
        assert reader.call("POST", "/api2/default-repo/").status == 403
        writer = FilesPerson(house, person)
        [made] = writer.call("GET", "/api2/repos/").json()
        assert reader.call("GET", "/api2/default-repo/").json() == {"exists": True, "repo_id": made["id"]}
