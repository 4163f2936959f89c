# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Files on their way out: whole, in parts, again only when they have changed, and folders as archives."""

import io
import random
import zipfile

import pytest
from files_client import FilesClient, done, query, refused
from identity_client import start_house

MIB = 1 << 20


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def work(ann):
    return ann.make_library()


def noise(count: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(count)


class TestFiles:
    def test_what_a_browser_is_told(self, ann, work):
        stored = ann.upload(work, "/Zähne & \"Co\".pdf", b"%PDF")
        link = ann.download_link(work, "/Zähne & \"Co\".pdf")
        answer = ann.follow(link)
        assert (answer.status, answer.body) == (200, b"%PDF")
        assert answer.header("etag") == f'"{stored["id"]}"'
        assert answer.header("content-length") == "4"
        assert answer.header("content-type") == "application/pdf"
        assert answer.header("x-content-type-options") == "nosniff"
        disposition = answer.header("content-disposition")
        assert disposition.startswith("attachment;")
        assert disposition.endswith("filename*=UTF-8''Z%C3%A4hne%20%26%20%22Co%22.pdf")
        assert ann.follow(link + "?op=view").header("content-disposition").startswith("inline;")
        assert ann.get(f"/api2/repos/{work}/file/" + query(p="/Zähne & \"Co\".pdf")).header("oid") == stored["id"]

    def test_only_documents_to_be_seen_may_stand_in_a_frame_of_our_pages(self, ann, work):
        for name, wish, option in (("a.pdf", "?op=view", "SAMEORIGIN"), ("a.pdf", "", "DENY"), ("a.txt", "?op=view", "DENY"),
                                   ("a.html", "?op=view", "DENY")):
            ann.upload(work, f"/{name}", b"%PDF")
            answer = ann.follow(ann.download_link(work, f"/{name}") + wish)
            assert answer.header("x-frame-options") == option
            ancestors = "'self'" if option == "SAMEORIGIN" else "'none'"
            assert answer.header("content-security-policy") == f"default-src 'none'; frame-ancestors {ancestors}"

    @pytest.mark.parametrize("name", ["a.html", "a.htm", "a.svg", "a.xml", "a.xhtml", "a.js", "a", "a.HTML"])
    def test_what_could_run_in_a_browser_is_bytes_to_be_kept(self, ann, work, name):
        ann.upload(work, f"/{name}", b"<script>alert(1)</script>")
        answer = ann.follow(ann.download_link(work, f"/{name}") + "?op=view")
        assert answer.header("content-type") == "application/octet-stream"
        assert answer.header("content-disposition").startswith("attachment;")

    def test_the_name_in_the_address_makes_nothing_dangerous(self, ann, work):
        ann.upload(work, "/a.txt", b"<script>")
        link = ann.download_link(work, "/a.txt").rpartition("/")[0]
        answer = ann.follow(link + "/x.svg?op=view")
        assert answer.header("content-type") == "application/octet-stream"

    def test_parts(self, ann, work):
        content = noise(25 * MIB)
        ann.upload(work, "/a.bin", content)
        link = ann.download_link(work, "/a.bin")
        size = len(content)
        for first, last in ((0, 0), (0, 99), (5 * MIB, 17 * MIB), (size - 1, size - 1), (9 * MIB, size - 1)):
            answer = ann.follow(link, headers={"Range": f"bytes={first}-{last}"}, deadline=60)
            assert answer.status == 206
            assert answer.header("content-range") == f"bytes {first}-{last}/{size}"
            assert answer.body == content[first:last + 1]
        assert ann.follow(link, headers={"Range": "bytes=-100"}).body == content[-100:]
        assert ann.follow(link, headers={"Range": f"bytes={size}-"}).status == 416
        tag = ann.follow(link, "HEAD").header("etag")
        assert ann.follow(link, headers={"Range": "bytes=0-9", "If-Range": tag}).status == 206
        assert ann.follow(link, headers={"Range": "bytes=0-9", "If-Range": '"other"'}, deadline=60).status == 200

    def test_only_when_it_has_changed(self, ann, work):
        ann.upload(work, "/a.txt", b"a")
        link = ann.download_link(work, "/a.txt")
        tag = ann.follow(link).header("etag")
        assert ann.follow(link, headers={"If-None-Match": tag}).status == 304

    def test_a_link_leads_to_what_the_file_was(self, ann, work):
        ann.upload(work, "/a.txt", b"old")
        link = ann.download_link(work, "/a.txt")
        ann.upload(work, "/a.txt", b"new", replace=True)
        assert ann.follow(link).body == b"old"
        assert ann.download(work, "/a.txt") == b"new"

    def test_links_end_with_the_credentials(self, house, ann, work):
        ann.upload(work, "/a.txt", b"a")
        link = ann.download_link(work, "/a.txt")
        assert house.call("PATCH", f"/api/users/{ann.id}", {"status": "deactivated"}, house.root).status == 200
        assert ann.follow(link).status == 401

    def test_no_token_is_in_the_log(self, house, ann, work):
        ann.upload(work, "/a.txt", b"a")
        link = ann.download_link(work, "/a.txt")
        assert ann.follow(link).status == 200
        assert link.split("/")[-2] not in house.server.stderr()

    def test_what_is_no_file_has_no_link(self, ann, work):
        ann.make_folder(work, "/folder")
        for path in ("/folder", "/nowhere", "/"):
            refused(ann.get(f"/api2/repos/{work}/file/" + query(p=path)), 404)
        refused(ann.get(f"/api2/repos/{work}/file/"), 400, "p:")


class TestArchives:
    def unpacked(self, ann, link: str) -> dict[str, bytes]:
        answer = ann.follow(link, deadline=60)
        assert answer.status == 200, answer.text
        assert answer.header("content-type") == "application/zip"
        with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
            assert archive.testzip() is None
            assert all(info.compress_type == zipfile.ZIP_STORED for info in archive.infolist())
            return {info.filename: archive.read(info) for info in archive.infolist()}

    def test_a_folder(self, ann, work):
        content = {"/one/a.txt": b"a", "/one/two/Zähne 🦷.bin": noise(12 * MIB), "/one/empty": b"",
                   "/other/x": b"x"}
        for path, data in content.items():
            ann.upload(work, path, data)
        ann.make_folder(work, "/one/nothing")
        link = done(ann.get(f"/api2/repos/{work}/dir/download/" + query(p="/one")))
        assert self.unpacked(ann, link) == {
            "one/": b"", "one/a.txt": b"a", "one/empty": b"", "one/nothing/": b"", "one/two/": b"",
            "one/two/Zähne 🦷.bin": content["/one/two/Zähne 🦷.bin"]}
        whole = done(ann.get(f"/api2/repos/{work}/dir/download/" + query(p="/")))
        assert {"one/a.txt", "other/x"} <= set(self.unpacked(ann, whole))

    def test_some_entries(self, ann, work, house):
        for path in ("/a.txt", "/b.txt", "/one/c.txt"):
            ann.upload(work, path, path.encode())
        for order in (lambda: ann.post(f"/api/v2.1/repos/{work}/zip-task/",
                                       {"parent_dir": "/", "dirents": ["a.txt", "one"]}),
                      lambda: ann.get(f"/api/v2.1/repos/{work}/zip-task/?parent_dir=/&dirents=a.txt&dirents=one")):
            token = done(order())["zip_token"]
            assert self.unpacked(ann, f"{house.server.url}/seafhttp/zip/{token}") == {
                "a.txt": b"/a.txt", "one/": b"", "one/c.txt": b"/one/c.txt"}
        refused(ann.post(f"/api/v2.1/repos/{work}/zip-task/", {"parent_dir": "/", "dirents": ["nothing"]}), 404)
        assert done(ann.get("/api/v2.1/query-zip-progress/?token=x"))["zipped"] == 1

    def test_its_name_is_that_of_the_folder(self, ann, work):
        ann.upload(work, "/one/a.txt", b"a")
        link = done(ann.get(f"/api2/repos/{work}/dir/download/" + query(p="/one")))
        assert "one.zip" in ann.follow(link).header("content-disposition")
