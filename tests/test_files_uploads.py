# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Files on their way in: by links, many at once, in pieces, over a crash, and where there is no space."""

import hashlib
import random

import pytest
from files_client import EMPTY, FilesClient, done, multipart, query, refused
from identity_client import start_house, start_server
from running_server import eventually

MIB = 1 << 20


def noise(count: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(count)


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def work(ann):
    return ann.make_library()


class TestLinks:
    def test_a_link_is_a_quoted_address_of_this_server(self, ann, work, house):
        answer = ann.get(f"/api2/repos/{work}/upload-link/", headers={
            "X-Forwarded-Proto": "https", "X-Forwarded-Host": "files.example.org", "X-Forwarded-For": "192.0.2.7"})
        assert answer.text.startswith('"https://files.example.org/seafhttp/upload-api/')
        assert ann.upload_link(work).startswith(house.server.url)
        assert "/upload-aj/" in done(ann.get(f"/api2/repos/{work}/upload-link/?from=web"))

    def test_a_link_for_one_thing_does_nothing_else(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        upload, update = ann.upload_link(work), ann.upload_link(work, kind="update")
        download = ann.download_link(work, "/a.txt").rpartition("/")[0]
        token = {name: link.rpartition("/")[2] for name, link in
                 {"upload": upload, "update": update, "download": download}.items()}
        parts = [("parent_dir", None, b"/"), ("target_file", None, b"/a.txt"), ("file", "a.txt", b"b")]
        for name in ("update", "download"):
            assert ann.send(upload.replace(token["upload"], token[name]), parts).status == 401
        for name in ("upload", "download"):
            assert ann.send(update.replace(token["update"], token[name]), parts).status == 401
        for name in ("upload", "update"):
            assert ann.follow(download.replace(token["download"], token[name]) + "/a.txt").status == 401
            assert ann.follow(download.replace("files/" + token["download"], "zip/" + token[name])).status == 401
        assert ann.download(work, "/a.txt") == b"a"

    def test_a_link_that_was_made_up_opens_nothing(self, ann, work):
        link = ann.upload_link(work)
        parts = [("parent_dir", None, b"/"), ("file", "a.txt", b"b")]
        for wrong in (link[:-1], link[:-1] + ("A" if link[-1] != "A" else "B"), link.rpartition("/")[0] + "/x"):
            assert ann.send(wrong, parts).status == 401
        assert ann.names(work) == []

    def test_a_link_for_a_folder_stays_in_it(self, ann, work):
        ann.make_folder(work, "/mine")
        ann.make_folder(work, "/mine/too")
        link = ann.upload_link(work, "/mine")
        for folder, status in (("/mine", 200), ("/mine/too", 200), ("/", 403), ("/other", 403), ("/mine2", 403)):
            answer = ann.send(link, [("parent_dir", None, folder.encode()), ("file", "a.txt", b"b")])
            assert answer.status == status, folder
        refused(ann.send(link, [("parent_dir", None, b"/mine"), ("relative_path", None, b"../x"), ("file", "a", b"")]),
                400, "relative_path")
        assert set(ann.tree(work)) == {"/mine", "/mine/too", "/mine/a.txt", "/mine/too/a.txt"}

    def test_a_link_ends_with_the_library(self, ann, work):
        link = ann.upload_link(work)
        parts = [("parent_dir", None, b"/"), ("file", "a.txt", b"b")]
        done(ann.delete(f"/api2/repos/{work}/"))
        refused(ann.send(link, parts), 404)

    def test_a_link_ends_with_the_right_to_write(self, house, ann, work):
        link = ann.upload_link(work)
        assert house.patch(f"/api/users/{ann.id}", {"role": "readonly"}, house.root).status == 200
        parts = [("parent_dir", None, b"/"), ("file", "a.txt", b"b")]
        assert ann.send(link, parts).status in (401, 403)
        reader = FilesClient(house, ann.person)
        assert reader.names(work) == []
        refused(reader.get(f"/api2/repos/{work}/upload-link/"), 403)

    def test_no_link_into_what_is_not_there(self, ann, work):
        refused(ann.get(f"/api2/repos/{work}/upload-link/" + query(p="/nowhere")), 404, "/nowhere")


class TestForms:
    def test_the_content_is_what_was_sent(self, ann, work):
        for size in (0, 1, 4096, 300_000, 7 * MIB, 21 * MIB + 1):
            content = noise(size, size)
            stored = ann.upload(work, f"/{size}.bin", content)
            assert (stored["name"], stored["size"]) == (f"{size}.bin", size)
            assert hashlib.sha256(ann.download(work, f"/{size}.bin")).digest() == hashlib.sha256(content).digest()
        assert done(ann.get(f"/api2/repos/{work}/"))["size"] == sum((0, 1, 4096, 300_000, 7 * MIB, 21 * MIB + 1))
        assert ann.upload(work, "/0.bin", b"", replace=True)["id"] == EMPTY

    def test_the_same_content_has_the_id_that_clients_compute(self, ann, work):
        # seafile-sync.md: 48 MiB of a known sequence.
        x, data = 1, bytearray()
        for _ in range(1 * MIB):
            x = (x * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            data.append(x >> 56)
        block = hashlib.sha1(data).hexdigest()
        document = f'{{"block_ids": ["{block}"], "size": {len(data)}, "type": 1, "version": 1}}'
        assert ann.upload(work, "/a.bin", bytes(data))["id"] == hashlib.sha1(document.encode()).hexdigest()

    def test_replace_is_honoured_and_else_a_taken_name_gets_a_number(self, ann, work):
        assert ann.upload(work, "/a.txt", b"1")["name"] == "a.txt"
        assert ann.upload(work, "/a.txt", b"2")["name"] == "a (1).txt"
        assert ann.upload(work, "/a.txt", b"3", replace=True)["name"] == "a.txt"
        assert [ann.download(work, path) for path in ("/a.txt", "/a (1).txt")] == [b"3", b"2"]

    def test_a_file_does_not_replace_a_folder(self, ann, work):
        ann.make_folder(work, "/a")
        refused(ann.try_upload(work, "/a", b"1", replace=True), 409, "/a")

    def test_several_files_are_one_state(self, ann, work):
        before = done(ann.get(f"/api2/repos/{work}/"))["head_commit_id"]
        parts = [("file", "a.txt", b"a"), ("file", "b.txt", b"b"), ("file", "", b""), ("parent_dir", None, b"/"),
                 ("relative_path", None, b"one/two")]
        stored = done(ann.send(ann.upload_link(work) + "?ret-json=1", parts))
        assert [one["name"] for one in stored] == ["a.txt", "b.txt"]
        assert set(ann.tree(work)) == {"/one", "/one/two", "/one/two/a.txt", "/one/two/b.txt"}
        head = done(ann.get(f"/api2/repos/{work}/"))["head_commit_id"]
        history = [line for line in ann.house.audit() if line["action"] == "library.change"]
        assert head != before and len(history) == 1

    def test_answers_are_bare_ids_or_json(self, ann, work):
        parts = [("parent_dir", None, b"/"), ("file", "a.txt", b"a"), ("file", "b.txt", b"b")]
        ids = ann.send(ann.upload_link(work), parts).text.split("\t")
        assert ids == [ann.tree(work)[path] for path in ("/a.txt", "/b.txt")]
        web = done(ann.get(f"/api2/repos/{work}/upload-link/?from=web"))
        assert [one["name"] for one in done(ann.send(web, parts))] == ["a (1).txt", "b (1).txt"]

    def test_new_content_for_a_file_that_is_there(self, ann, work):
        ann.upload(work, "/a.txt", b"1")
        link = ann.upload_link(work, kind="update")
        parts = [("target_file", None, b"/a.txt"), ("file", "whatever.txt", b"22")]
        assert ann.send(link, parts).text == ann.tree(work)["/a.txt"]
        assert (ann.names(work), ann.download(work, "/a.txt")) == (["a.txt"], b"22")
        refused(ann.send(link, [("target_file", None, b"/b.txt"), ("file", "b.txt", b"22")]), 404, "/b.txt")

    @pytest.mark.parametrize(("parts", "word"), [
        ([("file", "a.txt", b"a")], "parent_dir"),
        ([("parent_dir", None, b"/")], "file"),
        ([("parent_dir", None, b"/a/../b"), ("file", "a.txt", b"a")], "parent_dir"),
    ])
    def test_forms_that_say_too_little(self, ann, work, parts, word):
        refused(ann.send(ann.upload_link(work), parts), 400, word)
        assert ann.names(work) == []

    def test_a_form_that_breaks_off_leaves_nothing(self, ann, work, house):
        content_type, body = multipart([("parent_dir", None, b"/"), ("file", "a.bin", noise(2 * MIB))])
        path = ann.upload_link(work)[len(house.server.url):]
        with house.server.connect() as connection:
            connection.send(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {content_type}\r\n"
                            f"Content-Length: {len(body)}\r\n\r\n".encode() + body[:MIB])
        assert ann.names(work) == []


class TestPieces:
    def test_a_file_in_pieces(self, ann, work):
        content = noise(20 * MIB)
        for first in range(0, len(content), 8 * MIB):
            piece = content[first:first + 8 * MIB]
            answer = done(ann.send_piece(work, "/folder/a.bin", piece, first, len(content)))
            if first + len(piece) < len(content):
                assert answer == {"success": True}
                assert ann.uploaded_bytes(work, "/folder/a.bin") == first + len(piece)
        assert (answer[0]["name"], answer[0]["size"]) == ("a.bin", len(content))
        assert ann.download(work, "/folder/a.bin") == content
        assert ann.uploaded_bytes(work, "/folder/a.bin") == 0

    def test_pieces_that_do_not_fit(self, ann, work):
        content = noise(3000)
        assert ann.send_piece(work, "/a", content[1000:2000], 1000, 3000).status == 409
        done(ann.send_piece(work, "/a", content[:1000], 0, 3000))
        assert ann.send_piece(work, "/a", content[2000:], 2000, 3000).status == 409
        assert ann.send_piece(work, "/a", content[1000:2000], 1000, 4000).status == 409
        # Sent again, from where the client thinks it was.
        done(ann.send_piece(work, "/a", content[500:1500], 500, 3000))
        done(ann.send_piece(work, "/a", content[1500:], 1500, 3000))
        assert ann.download(work, "/a") == content

    def test_beginning_anew_forgets_what_was_there(self, ann, work):
        old, new = noise(3000, 1), noise(2500, 2)
        done(ann.send_piece(work, "/a", old[:2000], 0, 3000))
        done(ann.send_piece(work, "/a", new[:1000], 0, 2500))
        done(ann.send_piece(work, "/a", new[1000:], 1000, 2500))
        assert ann.download(work, "/a") == new

    @pytest.mark.parametrize("header", ["bytes 0-9/5", "bytes 5-1/10", "0-1/2", "bytes 0-1/*",
                                        "bytes 0-21474836480/21474836481"])
    def test_ranges_that_are_none(self, ann, work, header):
        assert ann.try_upload(work, "/a", b"x" * 10, headers={"Content-Range": header}).status in (400, 413)

    def test_a_piece_of_another_length_than_it_says(self, ann, work):
        parts = [("parent_dir", None, b"/"), ("file", "a", b"x" * 10)]
        for header in ("bytes 0-4/20", "bytes 0-14/20"):
            refused(ann.send(ann.upload_link(work), parts, {"Content-Range": header}), 400)
        assert ann.names(work) == []

    def test_other_people_do_not_see_them(self, house, ann, work):
        done(ann.send_piece(work, "/a", b"x" * 10, 0, 20))
        bob = FilesClient(house, house.make_user("bob@example.org"))
        refused(bob.get(f"/api2/repos/{work}/file-uploaded-bytes/" + query(parent_dir="/", file_name="a")), 404)

    def test_what_was_sent_before_the_line_broke_is_kept(self, ann, work, house):
        content = noise(3 * MIB)
        content_type, body = multipart([("parent_dir", None, b"/"), ("file", "a.bin", content)])
        path = ann.upload_link(work)[len(house.server.url):]
        with house.server.connect() as connection:
            connection.send(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {content_type}\r\n"
                            f"Content-Range: bytes 0-{len(content) - 1}/{len(content)}\r\n"
                            f"Content-Length: {len(body)}\r\n\r\n".encode() + body[:2 * MIB])
        there = eventually(lambda: ann.uploaded_bytes(work, "/a.bin"))
        assert 0 < there < 2 * MIB
        done(ann.send_piece(work, "/a.bin", content[there:], there, len(content)))
        assert ann.download(work, "/a.bin") == content

    def test_a_server_that_was_killed_goes_on_where_it_was(self, make_server):
        house = start_house(make_server)
        ann = FilesClient(house, house.make_user("ann@example.org"))
        work, content = ann.make_library(), noise(20 * MIB)
        done(ann.send_piece(work, "/a.bin", content[:9 * MIB], 0, len(content)))
        content_type, body = multipart([("parent_dir", None, b"/"), ("file", "a.bin", content[9 * MIB:])])
        path = ann.upload_link(work)[len(house.server.url):]
        with house.server.connect() as connection:
            connection.send(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {content_type}\r\n"
                            f"Content-Range: bytes {9 * MIB}-{len(content) - 1}/{len(content)}\r\n"
                            f"Content-Length: {len(body)}\r\n\r\n".encode() + body[:4 * MIB])
            house.server.kill()
        house.server = start_server(make_server, data=house.server.data)
        there = ann.uploaded_bytes(work, "/a.bin")
        assert 9 * MIB <= there < 13 * MIB
        done(ann.send_piece(work, "/a.bin", content[there:], there, len(content)))
        assert ann.download(work, "/a.bin") == content


class TestSpace:
    def test_what_does_not_fit_the_quota_is_not_there(self, house):
        ann = FilesClient(house, house.make_user("small@example.org", quota_bytes=MIB))
        work = ann.make_library()
        ann.upload(work, "/a.bin", noise(MIB - 10))
        refused(ann.try_upload(work, "/b.bin", noise(100)), 443, "space")
        refused(ann.post(f"/api2/repos/{work}/fileops/copy/", form={"file_names": "a.bin", "dst_dir": "/"}), 443)
        assert ann.names(work) == ["a.bin"]
        done(ann.delete(f"/api2/repos/{work}/file/" + query(p="/a.bin")))
        ann.upload(work, "/b.bin", noise(100))
