# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What tests ask of libraries, in somebody's name, as clients of Seafile that do not sync ask it.

    house = start_house(make_server)
    ann = FilesClient(house, house.make_user("ann@example.org"))
    work = ann.make_library("Work")
    ann.upload(work, "/notes/today.txt", b"hello")
    ann.download(work, "/notes/today.txt")
"""

import json
import posixpath
import urllib.parse

from identity_client import IdentityClient, Person
from raw_http import DEADLINE, Response

FORM = "application/x-www-form-urlencoded"
EMPTY = "0" * 40


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def query(**fields) -> str:
    return "?" + urllib.parse.urlencode({name: value for name, value in fields.items() if value is not None})


def multipart(parts: list[tuple[str, str | None, bytes]]) -> tuple[str, bytes]:
    """The content type and the body of a form; a part is name, file name or None, content."""
    boundary = "a-boundary-that-is-in-no-file"
    body = b""
    for name, filename, content in parts:
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode()
        if filename is not None:
            escaped = filename.replace("\\", "\\\\").replace('"', '\\"')
            body += f'; filename="{escaped}"\r\nContent-Type: application/octet-stream'.encode()
        body += b"\r\n\r\n" + content + b"\r\n"
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()


class FilesClient:
    """One person, signed in."""

    def __init__(self, house: IdentityClient, person: Person, who: dict[str, str] | None = None):
        self.house = house
        self.person = person
        self.id = person.id
        self.email = person.email
        self.who = house.sign_in(person) if who is None else who

    # Requests.

    def call(self, method: str, path: str, body=None, form: dict | None = None, headers: dict[str, str] | None = None,
             deadline: float = DEADLINE) -> Response:
        """`body` goes as JSON, `form` as a form."""
        sent = self.who | (headers or {})
        if self.person.host is not None:
            sent["Host"] = self.person.host
        content = None
        if form is not None:
            sent["Content-Type"], content = FORM, urllib.parse.urlencode(form, doseq=True)
        elif body is not None:
            sent["Content-Type"], content = "application/json", json.dumps(body)
        return self.house.server.request(method, path, content, sent, deadline)

    def get(self, path: str, **more) -> Response:
        return self.call("GET", path, **more)

    def post(self, path: str, body=None, **more) -> Response:
        return self.call("POST", path, body, **more)

    def put(self, path: str, body=None, **more) -> Response:
        return self.call("PUT", path, body, **more)

    def delete(self, path: str, body=None, **more) -> Response:
        return self.call("DELETE", path, body, **more)

    def follow(self, link: str, method: str = "GET", content: bytes | None = None,
               headers: dict[str, str] | None = None, deadline: float = DEADLINE) -> Response:
        """With nothing but the link, as a browser would."""
        path = link[link.index("/", len("https://")):]
        return self.house.server.request(method, path, content, headers or {}, deadline)

    # Libraries.

    def make_library(self, name: str = "Work", **more) -> str:
        """Its id."""
        return done(self.post("/api/v2.1/repos/", {"name": name} | more))["repo_id"]

    def libraries(self) -> dict[str, str]:
        """Names by id."""
        return {one["repo_id"]: one["repo_name"] for one in done(self.get("/api/v2.1/repos/"))["repos"]}

    # Folders and files.

    def make_folder(self, library: str, path: str) -> None:
        done(self.post(f"/api2/repos/{library}/dir/" + query(p=path), form={"operation": "mkdir"}), 201)

    def listing(self, library: str, path: str = "/", **more) -> list[dict]:
        return done(self.get(f"/api2/repos/{library}/dir/" + query(p=path, **more)))

    def names(self, library: str, path: str = "/", **more) -> list[str]:
        return [one["name"] for one in self.listing(library, path, **more)]

    def tree(self, library: str) -> dict[str, str]:
        """The id of each file by its path; of a folder, ''."""
        return {posixpath.join(one["parent_dir"], one["name"]): one["id"] if one["type"] == "file" else ""
                for one in self.listing(library, recursive=1)}

    # Content.

    def upload_link(self, library: str, path: str = "/", kind: str = "upload") -> str:
        return done(self.get(f"/api2/repos/{library}/{kind}-link/" + query(p=path)))

    def send(self, link: str, parts: list[tuple[str, str | None, bytes]], headers: dict[str, str] | None = None,
             deadline: float = DEADLINE) -> Response:
        content_type, body = multipart(parts)
        return self.follow(link, "POST", body, {"Content-Type": content_type} | (headers or {}), deadline)

    def try_upload(self, library: str, path: str, content: bytes, replace: bool = False,
                   headers: dict[str, str] | None = None) -> Response:
        folder, name = posixpath.split(path)
        parts = [("parent_dir", None, b"/"), ("relative_path", None, folder.strip("/").encode()),
                 ("replace", None, b"1" if replace else b"0"), ("file", name, content)]
        return self.send(self.upload_link(library) + "?ret-json=1", parts, headers)

    def upload(self, library: str, path: str, content: bytes, replace: bool = False) -> dict:
        """What was stored: name, id, size."""
        return done(self.try_upload(library, path, content, replace))[0]

    def send_piece(self, library: str, path: str, content: bytes, first: int, total: int) -> Response:
        """Bytes of a file that is sent in pieces, from `first` on."""
        return self.try_upload(library, path, content, True,
                               {"Content-Range": f"bytes {first}-{first + len(content) - 1}/{total}"})

    def uploaded_bytes(self, library: str, path: str) -> int:
        folder, name = posixpath.split(path)
        where = query(parent_dir=folder, file_name=name)
        return done(self.get(f"/api2/repos/{library}/file-uploaded-bytes/" + where))["uploadedBytes"]

    def download_link(self, library: str, path: str) -> str:
        return done(self.get(f"/api2/repos/{library}/file/" + query(p=path)))

    def download(self, library: str, path: str) -> bytes:
        answer = self.follow(self.download_link(library, path), deadline=60)
        assert answer.status == 200, answer.text
        return answer.body


def done(answer: Response, status: int = 200):
    """The document of an answer that must be a good one."""
    assert answer.status == status, f"{answer.status}: {answer.text}"
    return answer.json() if answer.body else None


def refused(answer: Response, status: int, *words: str) -> str:
    """The message of an answer that must be a refusal, in the shape that these clients read."""
    assert answer.status == status, f"{answer.status}: {answer.text}"
    message = answer.json()["error_msg"]
    for word in words:
        assert word in message, message
    return message
