# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A library for the benchmark of files: asked for as clients do that sync, filled without one, synced by the real one."""

import contextlib
import dataclasses
import hashlib
import http.client
import json
import os
import pathlib
import subprocess
import time
import typing
import urllib.parse
import zlib

import measure
import our_server

ZERO = "0" * 40
FOLDER_MODE, FILE_MODE = 0o040000, 0o100644
FOLDER_FILES = 1_000
BLOCK_BYTES = 64
# As many objects as a client sends at once, about.
PACKED_BYTES = 4 << 20
SYNC_DEADLINE = 600


def canonical(value: dict) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode()


def sha1(content: bytes) -> str:
    return hashlib.sha1(content).hexdigest()


@dataclasses.dataclass
class Library:
    server: our_server.Server
    id: str
    headers: dict[str, str]

    @staticmethod
    def make(server: our_server.Server, name: str) -> "Library":
        form = urllib.parse.urlencode({"name": name})
        made = _ask(server, "POST", "/api2/repos/", form, server.headers | {"Content-Type": "application/x-www-form-urlencoded"})
        library = json.loads(made)["repo_id"]
        info = json.loads(_ask(server, "GET", f"/api2/repos/{library}/download-info/", None, server.headers))
        return Library(server, library, {"Seafile-Repo-Token": info["token"]})

    def path(self, rest: str) -> str:
        return f"/seafhttp/repo/{self.id}/{rest}"

    def call(self, method: str, rest: str, body: bytes | None = None) -> bytes:
        return _ask(self.server, method, self.path(rest), body, self.headers)

    def put_block(self, content: bytes) -> bytes:
        """The request, as it goes over the wire."""
        lines = [f"PUT {self.path('block/' + sha1(content))} HTTP/1.1", "Host: bench", f"Content-Length: {len(content)}",
                 *(f"{name}: {value}" for name, value in self.headers.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + content

    def store_block(self, content: bytes) -> str:
        """Answers its path."""
        self.call("PUT", f"block/{sha1(content)}", content)
        return self.path(f"block/{sha1(content)}")

    def upload_link(self) -> str:
        return json.loads(_ask(self.server, "GET", f"/api2/repos/{self.id}/upload-link/?p=/", None, self.server.headers))

    def file_count(self) -> int:
        listed = json.loads(_ask(self.server, "GET", "/api2/repos/", None, self.server.headers))
        return next(one["file_count"] for one in listed if one["id"] == self.id)

    def object_ids(self) -> list[str]:
        head = json.loads(self.call("GET", "commit/HEAD"))["head_commit_id"]
        return json.loads(self.call("GET", f"fs-id-list/?server-head={head}"))

    def fetch_objects(self, ids: list[str]) -> None:
        self.call("POST", "pack-fs/", json.dumps(ids).encode())

    def fill(self, files: int) -> None:
        """So many different files of two blocks each, in folders of a thousand; blocks are shared, to be quicker."""
        blocks = [os.urandom(BLOCK_BYTES) for _ in range(int(files ** 0.5) + 1)]
        for block in blocks:
            self.store_block(block)
        packer, names = Packer(self), [sha1(block) for block in blocks]
        folders = []
        for first in range(0, files, FOLDER_FILES):
            entries = []
            for number in range(first, min(first + FOLDER_FILES, files)):
                pair = [names[number // len(names)], names[number % len(names)]]
                file = packer.add({"block_ids": pair, "size": 2 * BLOCK_BYTES, "type": 1, "version": 1})
                entries.append(_entry(f"file {number:07}", file, FILE_MODE) | {"size": 2 * BLOCK_BYTES})
            folders.append(_entry(f"folder {first // FOLDER_FILES:05}", packer.add(_folder(entries)), FOLDER_MODE))
        root = packer.add(_folder(folders))
        packer.flush()
        self._publish(root)

    def _publish(self, root: str) -> None:
        head = json.loads(self.call("GET", "commit/HEAD"))["head_commit_id"]
        commit = json.loads(self.call("GET", f"commit/{head}"))
        commit |= {"root_id": root, "parent_id": head, "ctime": int(time.time()), "description": "filled",
                   "commit_id": sha1(os.urandom(8))}
        self.call("PUT", f"commit/{commit['commit_id']}", json.dumps(commit).encode())
        self.call("PUT", f"commit/HEAD/?head={commit['commit_id']}", b"")


class Packer:
    """Sends objects of a library to the server, many at a time."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._packed = bytearray()

    def add(self, value: dict) -> str:
        text = canonical(value)
        name, deflated = sha1(text), zlib.compress(text, 1)
        self._packed += name.encode() + len(deflated).to_bytes(4, "big") + deflated
        if len(self._packed) > PACKED_BYTES:
            self.flush()
        return name

    def flush(self) -> None:
        self._library.call("POST", "recv-fs/", bytes(self._packed))
        self._packed.clear()


def _ask(server: our_server.Server, method: str, path: str, body: bytes | str | None, headers: dict[str, str]) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
    connection.request(method, path, body, headers)
    reply = connection.getresponse()
    content = reply.read()
    connection.close()
    if reply.status >= 300:
        raise SystemExit(f"{method} {path}: {reply.status} {content[:500]!r}")
    return content


def _entry(name: str, object_id: str, mode: int) -> dict:
    entry = {"id": object_id, "mode": mode, "mtime": 1_794_772_613, "name": name}
    return entry if mode == FOLDER_MODE else entry | {"modifier": "bench@example.org"}


def _folder(entries: list[dict]) -> dict:
    """Clients want names in falling order."""
    return {"dirents": sorted(entries, key=lambda entry: entry["name"].encode(), reverse=True), "type": 3, "version": 1}


def _cpu_seconds(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def _daemon(folder: pathlib.Path) -> typing.Iterator[typing.Callable[..., str]]:
    def command(word: str, *words: object) -> str:
        environment = os.environ | {"HOME": str(folder), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["seaf-cli", word, "-c", str(folder / "conf"), *map(str, words)], env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise SystemExit(f"seaf-cli {word}: {done.stdout}")
        return done.stdout

    folder.mkdir()
    command("init", "-d", folder)
    command("start")
    socket = folder / "seafile-data" / "seafile.sock"
    _wait_until(socket.exists, "the daemon of the client")
    try:
        yield command
    finally:
        command("stop")
        _wait_until(lambda: not _daemons(folder), "the end of the daemon")


def _daemons(folder: pathlib.Path) -> list[str]:
    done = subprocess.run(["pgrep", "--full", f"seaf-daemon.*{folder}"], stdout=subprocess.PIPE, text=True)
    return done.stdout.split()


def _wait_until(condition: typing.Callable[[], object], what: str) -> None:
    until = time.monotonic() + 30
    while not condition():
        if time.monotonic() > until:
            raise SystemExit(f"waited in vain for {what}")
        time.sleep(0.1)


def first_sync(server: our_server.Server, folder: pathlib.Path, files: int) -> list[measure.Row]:
    """A folder of small files that the real client brings to an empty library."""
    library = Library.make(server, "Synced")
    worktree = folder / "worktree"
    for number in range(files):
        file = worktree / f"folder {number // 100}" / f"file {number}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(os.urandom(4096))
    with _daemon(folder / "client") as command:
        started, before = time.monotonic(), _cpu_seconds(server.pid)
        token = server.headers["Authorization"].removeprefix("Bearer ")
        command("sync", "-l", library.id, "-s", f"http://127.0.0.1:{server.port}", "-d", worktree,
                "-u", "bench@example.org", "-T", token)
        while library.file_count() < files:
            if time.monotonic() - started > SYNC_DEADLINE:
                raise SystemExit(f"the client did not bring {files} files: {command('status')}")
            time.sleep(0.2)
        took, used = time.monotonic() - started, _cpu_seconds(server.pid) - before
    return [measure.Row(name=f"first sync of {files:,} files", ours=used, unit="s CPU", peer="wall time", theirs=took,
                        ratio=took / used, target=0.0)]
