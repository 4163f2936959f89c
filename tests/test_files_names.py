# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Names that are none, names that look alike, names as long as they may be: refused or kept, never a broken tree."""

import io
import json
import unicodedata
import zipfile

import pytest
from files_client import FilesClient, done, multipart, query, refused
from identity_client import start_house
from seafile_client import FilesPerson, pack, sha1

NONE = ["", ".", "..", "a/b", "x" * 256, "ä" * 128]
# Fine where they come from, and not to be given here.
CONTROLS = ["a\nb", "a\r\nb", "a\tb", "\x7f", "a\u0085b", "a\u2028b"]
FINE = ["a", "x" * 255, "ä" * 127, " a ", "a\\b", "con", "a:b", "-rf", "~", "%2e%2e", "&amp;", "🦷", "a\u200bb",
        "\ufeff", "a.", "...", "'\"<>|?*"]


def canonical(value: dict) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode()


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return FilesClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def work(ann):
    library = ann.make_library()
    ann.upload(library, "/a.txt", b"a")
    return library


@pytest.mark.parametrize("name", NONE)
def test_a_name_that_is_none_is_refused_everywhere(ann, work, name):
    before = ann.tree(work)
    file = f"/api2/repos/{work}/file/" + query(p="/a.txt")
    refused(ann.post(file, form={"operation": "rename", "newname": name}), 400)
    if name not in ("", "a/b"):
        refused(ann.post(f"/api2/repos/{work}/dir/" + query(p="/" + name), form={"operation": "mkdir"}), 400, "p:")
        refused(ann.post(f"/api/v2.1/repos/{work}/file/" + query(p="/" + name), {"operation": "create"}), 400, "p:")
        refused(ann.get(f"/api2/repos/{work}/dir/" + query(p="/" + name)), 400, "p:")
    if name:
        answer = ann.send(ann.upload_link(work), [("parent_dir", None, b"/"), ("file", name, b"x")])
        assert answer.status == 400, answer.text
        refused(ann.delete("/api/v2.1/repos/batch-delete-item/",
                           {"repo_id": work, "parent_dir": "/", "dirents": [name]}), 400, "dirents")
    assert ann.tree(work) == before


@pytest.mark.parametrize("name", CONTROLS)
def test_a_new_name_has_no_line_breaks_or_other_controls(ann, work, name):
    before = ann.tree(work)
    words = "name: must not contain line breaks or other control characters"
    file = f"/api2/repos/{work}/file/" + query(p="/a.txt")
    refused(ann.post(file, form={"operation": "rename", "newname": name}), 400, words)
    refused(ann.post(f"/api2/repos/{work}/dir/" + query(p="/" + name), form={"operation": "mkdir"}), 400, words)
    refused(ann.post(f"/api/v2.1/repos/{work}/file/" + query(p="/" + name), {"operation": "create"}), 400, words)
    refused(ann.post("/api/v2.1/repos/", {"name": name}), 400, words)
    parts = [("parent_dir", None, b"/"), ("relative_path", None, name.encode()), ("file", "b.txt", b"x")]
    refused(ann.send(ann.upload_link(work), parts), 400, words)
    assert ann.tree(work) == before


def test_names_that_clients_bring_stay_and_do_no_harm_in_headers_and_archives(house, ann):
    """A client that was refused such a name could sync nothing any more."""
    names = ["..\\..\\x", "a\\b", "a_b", "two\nlines", "C:evil", "sub\\folder"]
    synced = FilesPerson(house, ann.person)
    library = synced.make_library("Papers")
    block = b"content"
    file = canonical({"block_ids": [sha1(block)], "size": len(block), "type": 1, "version": 1})
    entry = {"id": sha1(file), "mode": 0o100644, "modifier": "ann@example.org", "mtime": 1_800_000_000,
             "size": len(block)}
    folder = canonical({"dirents": [entry | {"name": "in it"}], "type": 3, "version": 1})
    entries = [entry | {"name": name} for name in names[:-1]]
    entries.append({"id": sha1(folder), "mode": 0o040000, "mtime": 1_800_000_000, "name": names[-1]})
    root = canonical({"dirents": sorted(entries, key=lambda one: one["name"].encode(), reverse=True), "type": 3,
                      "version": 1})
    assert library.call("PUT", f"block/{sha1(block)}", block).status == 200
    assert library.call("POST", "recv-fs/", pack([file, folder, root])).status == 200
    commit = {"commit_id": "1" * 40, "root_id": sha1(root), "repo_id": library.id, "creator_name": ann.email,
              "creator": "0" * 40, "description": "", "ctime": 1_800_000_000, "parent_id": library.head(),
              "second_parent_id": None, "repo_name": "Papers", "repo_desc": "", "repo_category": None, "version": 1}
    assert library.call("PUT", f"commit/{commit['commit_id']}", json.dumps(commit)).status == 200
    assert library.call("PUT", f"commit/HEAD/?head={commit['commit_id']}", b"").status == 200
    assert set(ann.names(library.id)) == set(names)

    link = done(ann.post(f"/api/v2.1/repos/{library.id}/zip-task/", {"parent_dir": "/", "dirents": names}))["zip_token"]
    packed = zipfile.ZipFile(io.BytesIO(ann.follow(f"{house.server.url}/seafhttp/zip/{link}").body))
    inside = [one.filename for one in packed.infolist()]
    assert sorted(inside) == sorted([".._.._x", "a_b", "a_b (1)", "two_lines", "C_evil", "sub_folder/",
                                     "sub_folder/in it"])
    assert packed.read("sub_folder/in it") == block

    answer = ann.follow(ann.download_link(library.id, "/two\nlines"))
    assert answer.body == block
    assert "two_lines" in answer.header("Content-Disposition") and "%0A" not in answer.header("Content-Disposition")


def test_nul_and_invalid_utf8(ann, work):
    before = ann.tree(work)
    for path in ("%00", "a%00b", "%ff", "a%c3", "%ed%a0%80", "%c0%ae%c0%ae"):
        assert ann.post(f"/api2/repos/{work}/dir/?p=/{path}", form={"operation": "mkdir"}).status == 400
        assert ann.get(f"/api2/repos/{work}/dir/?p=/{path}").status == 400
    refused(ann.post(f"/api/v2.1/repos/{work}/file/" + query(p="/a.txt"), {"operation": "rename", "newname": "a\0b"}),
            400, "NUL")
    content_type, body = multipart([("parent_dir", None, b"/"), ("file", "NAME", b"x")])
    for name in (b"a\xff", b"\xed\xa0\x80", b"a\0b"):
        answer = ann.follow(ann.upload_link(work), "POST", body.replace(b"NAME", name), {"Content-Type": content_type})
        assert answer.status == 400, name
    assert ann.tree(work) == before


@pytest.mark.parametrize("name", FINE)
def test_a_name_that_is_unusual_is_kept(ann, work, name):
    content = name.encode()
    assert ann.upload(work, "/" + name, content)["name"] == name
    assert ann.download(work, "/" + name) == content
    assert name in ann.names(work)
    made = done(ann.post(f"/api/v2.1/repos/{work}/dir/" + query(p="/folder"), {"operation": "mkdir"}))
    named = done(ann.post(f"/api/v2.1/repos/{work}/dir/" + query(p="/" + made["obj_name"]),
                          {"operation": "rename", "newname": name + "d" if len(content) < 255 else "d" * 255}))
    assert named["obj_name"] in ann.names(work)


def test_two_spellings_of_one_name_are_one_name(ann, work):
    composed, decomposed = (unicodedata.normalize(form, "Zähne.txt") for form in ("NFC", "NFD"))
    assert composed != decomposed
    ann.upload(work, "/" + decomposed, b"1")
    # As long as the other spelling is there, it is taken.
    assert ann.upload(work, "/" + composed, b"2")["name"] != composed
    assert ann.upload(work, "/" + composed, b"3", replace=True)["name"] == decomposed
    assert ann.download(work, "/" + decomposed) == b"3"
    refused(ann.post(f"/api2/repos/{work}/file/" + query(p="/a.txt"),
                     form={"operation": "rename", "newname": composed}), 409)


def test_a_number_fits_even_where_the_name_is_as_long_as_it_may_be(ann, work):
    long = "x" * 251 + ".txt"
    ann.upload(work, "/" + long, b"1")
    second = ann.upload(work, "/" + long, b"2")["name"]
    assert second != long and len(second) <= 255 and second.endswith(" (1).txt")
    ann.make_folder(work, "/" + "ä" * 127)
    ann.make_folder(work, "/" + "ä" * 127)
    assert len(ann.names(work, t="d")) == 2


def test_paths_that_are_too_deep_or_too_long(ann, work):
    deep = "/x" * 600
    refused(ann.post(f"/api2/repos/{work}/dir/" + query(p=deep),
                     form={"operation": "mkdir", "create_parents": "1"}), 413, "path")
    long = ("/" + "x" * 255) * 17
    refused(ann.get(f"/api2/repos/{work}/dir/" + query(p=long)), 413, "path")


def test_the_same_name_twice_in_one_form(ann, work):
    parts = [("parent_dir", None, b"/"), ("file", "twin", b"1"), ("file", "twin", b"2")]
    stored = done(ann.send(ann.upload_link(work) + "?ret-json=1", parts))
    assert [one["name"] for one in stored] == ["twin", "twin (1)"]
    replacing = done(ann.send(ann.upload_link(work) + "?ret-json=1", [("replace", None, b"1")] + parts))
    assert [one["name"] for one in replacing] == ["twin", "twin"]
    assert ann.download(work, "/twin") == b"2"


def test_slashes_of_careless_clients_mean_nothing(ann, work):
    ann.upload(work, "/one/two/b.txt", b"b")
    for path in ("one/two", "/one/two/", "//one//two//"):
        assert ann.names(work, path) == ["b.txt"]
