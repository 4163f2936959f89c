# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The command line client of Seafile with its daemon, and libraries as one sees them through the sync protocol.

    ann = FilesPerson(house, house.make_user("ann@example.org"))
    library = ann.make_library("Papers")
    with SeafileClient(tmp_path / "laptop", ann) as laptop:
        folder = laptop.download(library)
        (folder / "a.txt").write_text("a")
        settle(library, laptop)
"""

import contextlib
import dataclasses
import functools
import hashlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import urllib.parse
import zlib

import seafile
from identity_client import PASSWORD, IdentityClient, Person, token
from pysearpc import SearpcError
from pysearpc.named_pipe import NamedPipeTransport
from raw_http import DEADLINE, Response, TimedOut
from running_server import eventually

ZERO = "0" * 40
DIRECTORY = 0o040000
# What the real client promises within a moment, and what a busy machine makes of it.
SETTLE_DEADLINE = 100.0


def sha1(content: bytes) -> str:
    return hashlib.sha1(content).hexdigest()


@dataclasses.dataclass(frozen=True)
class Entry:
    """What both sides must agree on about a file or, with neither content nor mode, a folder."""

    sha1: str | None = None
    executable: bool = False


class FilesPerson:
    """Somebody with a token of the kind that clients use."""

    def __init__(self, house: IdentityClient, person: Person, **wanted):
        self.house = house
        self.person = person
        self.email = person.email
        self.who = token(house.make_token(house.sign_in(person), type="api", **wanted)["token"])

    def call(self, method: str, path: str, form: dict | None = None, deadline: float = DEADLINE) -> Response:
        headers, body = dict(self.who), None
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urllib.parse.urlencode(form)
        return self.house.server.request(method, path, body, headers, deadline)

    def make_library(self, name: str = "Papers", **more) -> "SyncedLibrary":
        answer = self.call("POST", "/api2/repos/", {"name": name} | more)
        assert answer.status == 200, answer.text
        return self.library(answer.json()["repo_id"])

    def library(self, library: str) -> "SyncedLibrary":
        answer = self.call("GET", f"/api2/repos/{library}/download-info/")
        assert answer.status == 200, answer.text
        return SyncedLibrary(self.house.server, library, answer.json()["token"])


class SyncedLibrary:
    """One library, asked for as clients do that sync it."""

    def __init__(self, server, library: str, secret: str):
        self.server = server
        self.id = library
        self.token = secret
        self._objects: dict[str, dict] = {}
        self._contents: dict[str, str] = {}

    def call(self, method: str, path: str, body: bytes | str | None = None, secret: str | None = None,
             deadline: float = DEADLINE) -> Response:
        headers = {"Seafile-Repo-Token": self.token if secret is None else secret}
        return self.server.request(method, f"/seafhttp/repo/{self.id}/{path}", body, headers, deadline)

    def head(self) -> str:
        answer = self.call("GET", "commit/HEAD")
        assert answer.status == 200, answer.text
        return answer.json()["head_commit_id"]

    def commit(self, commit: str) -> dict:
        answer = self.call("GET", f"commit/{commit}")
        assert answer.status == 200, answer.text
        return answer.json()

    def history(self) -> list[dict]:
        """Newest first, along first parents."""
        found, commit = [], self.head()
        while commit is not None:
            found.append(self.commit(commit))
            commit = found[-1]["parent_id"]
        return found

    def object(self, wanted: str) -> dict:
        if wanted not in self._objects:
            self._fetch([wanted])
        return self._objects[wanted]

    def _fetch(self, wanted: list[str]) -> None:
        answer = self.call("POST", "pack-fs/", json.dumps(wanted), deadline=60)
        assert answer.status == 200, answer.text
        for name, packed in unpack(answer.body):
            text = zlib.decompress(packed)
            assert sha1(text) == name
            self._objects[name] = json.loads(text)

    def block(self, wanted: str) -> bytes:
        with contextlib.closing(self._connect()) as connection:
            return self._read_block(connection, wanted)

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.server.address, self.server.port, timeout=60)

    def _read_block(self, connection: http.client.HTTPConnection, wanted: str) -> bytes:
        path = f"/seafhttp/repo/{self.id}/block/{wanted}"
        connection.request("GET", path, headers={"Seafile-Repo-Token": self.token})
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, body
        assert sha1(body) == wanted
        return body

    def content(self, file: str) -> bytes:
        """Of the file object; of an encrypted library as it is stored."""
        return b"" if file == ZERO else b"".join(map(self.block, self.object(file)["block_ids"]))

    def tree(self) -> dict[str, Entry]:
        """Everything in the library, by path."""
        found: dict[str, Entry] = {}
        # One connection for all blocks, of which there may be thousands.
        with contextlib.closing(self._connect()) as connection:
            self._walk(self.commit(self.head())["root_id"], "", found, connection)
        return found

    def _walk(self, folder: str, path: str, found: dict[str, Entry], connection: http.client.HTTPConnection) -> None:
        if folder == ZERO:
            return
        entries = self.object(folder)["dirents"]
        names = [entry["name"].encode() for entry in entries]
        assert names == sorted(set(names), reverse=True), f"{path or '/'} is not in order"
        unseen = [entry["id"] for entry in entries if entry["id"] != ZERO and entry["id"] not in self._objects]
        while unseen := [one for one in unseen if one not in self._objects]:
            self._fetch(unseen[:500])
        for entry in entries:
            below = f"{path}/{entry['name']}"
            if entry["mode"] == DIRECTORY:
                found[below] = Entry()
                self._walk(entry["id"], below, found, connection)
            else:
                found[below] = Entry(self._digest(entry, connection), bool(entry["mode"] & 0o100))

    def _digest(self, entry: dict, connection: http.client.HTTPConnection) -> str:
        if entry["id"] not in self._contents:
            blocks = [] if entry["id"] == ZERO else self.object(entry["id"])["block_ids"]
            content = b"".join(self._read_block(connection, block) for block in blocks)
            assert len(content) == entry["size"]
            self._contents[entry["id"]] = sha1(content)
        return self._contents[entry["id"]]


def unpack(body: bytes) -> list[tuple[str, bytes]]:
    """The objects of pack-fs and recv-fs."""
    found, at = [], 0
    while at < len(body):
        length = int.from_bytes(body[at + 40:at + 44], "big")
        found.append((body[at:at + 40].decode(), body[at + 44:at + 44 + length]))
        assert len(found[-1][1]) == length
        at += 44 + length
    return found


def pack(objects: list[bytes]) -> bytes:
    """The other way round, of their texts."""
    parts = []
    for text in objects:
        deflated = zlib.compress(text)
        parts.append(sha1(text).encode() + len(deflated).to_bytes(4, "big") + deflated)
    return b"".join(parts)


@functools.lru_cache(maxsize=100_000)
def _digest_of(file: pathlib.Path, *_state: int) -> str:
    """Read once for each state of a file: those who wait ask again and again."""
    return sha1(file.read_bytes())


def local_tree(folder: pathlib.Path) -> dict[str, Entry]:
    """The same as SyncedLibrary.tree() of a folder on disk."""
    found = {}
    for here, folders, files in os.walk(folder):
        path = "" if here == str(folder) else "/" + os.path.relpath(here, folder)
        found |= {f"{path}/{name}": Entry() for name in folders}
        for name in files:
            with contextlib.suppress(FileNotFoundError):
                file = pathlib.Path(here, name)
                state = file.stat()
                digest = _digest_of(file, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
                found[f"{path}/{name}"] = Entry(digest, bool(state.st_mode & 0o100))
    return found


class _Rpc(seafile.RpcClient):
    """With a connection for each call, and none that is left open."""

    def call_remote_func_sync(self, fcall_str: str) -> str:
        transport = NamedPipeTransport(self.socket_path)
        try:
            transport.connect()
            return transport.send(self.service_name, fcall_str)
        finally:
            transport.stop()


class SeafileClient:
    """A daemon with a folder of its own."""

    def __init__(self, folder: pathlib.Path, person: FilesPerson):
        self.folder = folder
        self.person = person
        self.conf = folder / "conf"
        self.worktrees: dict[str, pathlib.Path] = {}
        folder.mkdir(parents=True)
        (folder / "libraries").mkdir()
        self.run("init", "-d", folder)
        self._start()

    def __enter__(self) -> "SeafileClient":
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def run(self, command: str, *words) -> subprocess.CompletedProcess:
        """seaf-cli; whatever comes of it."""
        plain = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        environment = plain | {"HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        return subprocess.run(["seaf-cli", command, "-c", self.conf, *map(str, words)], env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    def _start(self) -> None:
        socket = self.folder / "seafile-data" / "seafile.sock"
        self.run("start")
        eventually(socket.exists, 30, "the socket of the daemon")
        self.rpc = _Rpc(str(socket))
        eventually(self._answers, 30, "an answer of the daemon")
        # Otherwise removing many files waits for somebody to confirm it.
        self.rpc.seafile_set_config_int("delete_confirm_threshold", 1_000_000)

    def _answers(self) -> bool:
        try:
            return self.rpc.get_repo_list(-1, -1) is not None
        except (SearpcError, OSError):
            return False

    def stop(self) -> None:
        pids = self._pids()
        self.run("stop")
        for pid in pids:
            try:
                eventually(lambda pid=pid: not pathlib.Path(f"/proc/{pid}").exists(), 10, "the end of the daemon")
            except TimedOut:
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _pids(self) -> list[int]:
        wanted = str(self.conf).encode()
        return [int(entry.name) for entry in pathlib.Path("/proc").iterdir()
                if entry.name.isdigit() and _command_line(entry)[:1] == [b"seaf-daemon"]
                and wanted in _command_line(entry)]

    @contextlib.contextmanager
    def asleep(self):
        """Lets it see nothing of what happens meanwhile."""
        pids = self._pids()
        assert pids
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    # Libraries. Credentials go by password, as people type it.

    def account(self, password: str = PASSWORD) -> list[str]:
        return ["-s", self.person.house.server.url, "-u", self.person.email, "-p", password]

    def by_token(self) -> list[str]:
        """The same without the cost of a password."""
        secret = self.person.who["Authorization"].removeprefix("Token ")
        return ["-s", self.person.house.server.url, "-u", self.person.email, "-T", secret]

    def download(self, library: SyncedLibrary, *more, name: str = "") -> pathlib.Path:
        """Where its files are, once all of them are there."""
        done = self.run("download", *self.by_token(), "-l", library.id, "-d", self.folder / "libraries", *more)
        assert done.returncode == 0, done.stdout + done.stderr
        repo = eventually(lambda: self.repo(library), SETTLE_DEADLINE, "the end of a download")
        assert not name or repo.name == name
        self.worktrees[library.id] = pathlib.Path(repo.worktree)
        return self.worktrees[library.id]

    def repo(self, library: SyncedLibrary):
        """As the daemon knows it; None when it does not."""
        return self.rpc.get_repo(library.id)

    def sync_now(self, library: SyncedLibrary) -> None:
        with contextlib.suppress(SearpcError):
            self.rpc.sync(library.id, "")

    def state(self, library: SyncedLibrary) -> str:
        task = self.rpc.get_repo_sync_task(library.id)
        return "" if task is None else task.state

    def error(self, library: SyncedLibrary) -> str:
        """What people read about the last attempt; empty when nothing was wrong."""
        task = self.rpc.get_repo_sync_task(library.id)
        if task is None or task.state != "error":
            return ""
        return self.rpc.sync_error_id_to_str(task.error)

    def wait_for_error(self, library: SyncedLibrary, wanted: str) -> None:
        def seen() -> bool:
            self.sync_now(library)
            time.sleep(0.2)
            return wanted in self.error(library)

        eventually(seen, SETTLE_DEADLINE, f"the error {wanted!r}")

    def log(self) -> str:
        return (self.conf / "logs" / "seafile.log").read_text(errors="replace")


def _command_line(process: pathlib.Path) -> list[bytes]:
    try:
        return (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def settle(library: SyncedLibrary, *clients: SeafileClient, deadline: float = SETTLE_DEADLINE) -> dict[str, Entry]:
    """Lets all of them sync until their folders and the server have the same, and tells what that is."""
    until = time.monotonic() + deadline
    while True:
        for client in clients:
            client.sync_now(library)
        time.sleep(0.25)
        trees = [library.tree(), *(local_tree(client.worktrees[library.id]) for client in clients)]
        if all(tree == trees[0] for tree in trees):
            return trees[0]
        if time.monotonic() > until:
            raise TimedOut(_differences(trees) + "\n" + "\n".join(client.log()[-3000:] for client in clients))


def expect_all_sound(house: IdentityClient) -> None:
    """Nothing is wrong with the libraries, their content, or the rows about them."""
    for words in (("files", "verify"), ("blobs", "verify"), ("store", "verify")):
        done = house.atrium(*words)
        assert done.returncode == 0, done.stdout + done.stderr


def _differences(trees: list[dict[str, Entry]]) -> str:
    paths = sorted(path for path in set().union(*trees) if len({tree.get(path) for tree in trees}) > 1)
    lines = [f"{path}: {[tree.get(path) for tree in trees]}" for path in paths[:20]]
    return "server and clients do not come to the same:\n" + "\n".join(lines)
