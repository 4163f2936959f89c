# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The program under its options, a server of it that nobody else reaches, and a person who asks it for things."""

import contextlib
import http.client
import json
import pathlib
import re
import subprocess
import time
import typing
import urllib.parse

START_SECONDS = 60

# Nobody else is there yet: one client may ask for as much as it likes, and letters to invented people stay unsent.
ALONE = {
    "http.address": "127.0.0.1", "http.port": 0, "tls.certificate": "", "tls.key": "", "mail.transport": "none",
    "log.format": "json", "log.level": "info", "log.access": "false", "http.request_rate": 100_000,
    "http.request_burst": 100_000, "http.costly_rate": 100_000, "http.costly_burst": 100_000,
    "http.credential_rate": 100_000, "http.credential_burst": 100_000,
}


class Refused(SystemExit):
    """Ends everything with a message."""


class Program:
    """One build of atrium, on the data that these options name."""

    def __init__(self, path: str, options: list[str]):
        self.path = path
        self.options = options

    def ask(self, *words: str, text: str = "") -> str:
        outcome = subprocess.run([self.path, *words, *self.options], input=text, capture_output=True, text=True)
        if outcome.returncode != 0:
            raise Refused(f"atrium {' '.join(words[:2])}: {outcome.stderr.strip()}")
        return outcome.stdout

    def is_empty(self) -> bool:
        """Whether nobody lives there. Of a folder without a store nothing can be listed; what else goes wrong here will go
        wrong again, and be told, when something is to be made."""
        listed = subprocess.run([self.path, "user", "list", "--json", *self.options], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True)
        return listed.returncode != 0 or listed.stdout.strip() in ("", "[]")

    def settings(self) -> str:
        """All settings in force, as a configuration file."""
        return self.ask("config", "print")

    def data_folder(self) -> pathlib.Path:
        written = re.search(r'^data: (?:"(.*)"|(\S+))', self.settings(), re.MULTILINE)
        return pathlib.Path(written[1] or written[2])


@contextlib.contextmanager
def serving(program: Program, folder: pathlib.Path) -> typing.Iterator["Server"]:
    """The same settings as they are meant, but for those of ALONE: options may be given once only."""
    settings, log = folder / "atrium.yaml", folder / "log"
    settings.write_text(program.settings())
    overrides = [word for key, value in ALONE.items() for word in ("--set", f"{key}={value}")]
    with open(log, "wb") as output:
        process = subprocess.Popen([program.path, "serve", "--config", str(settings), *overrides],
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        yield Server(_port(process, log))
    finally:
        process.terminate()
        process.wait()


def _port(process: subprocess.Popen, log: pathlib.Path) -> int:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        for line in log.read_text(errors="replace").split("\n")[:-1]:
            with contextlib.suppress(ValueError):
                told = json.loads(line)
                if told.get("message") == "listening" and "port" in told:
                    return int(told["port"])
        time.sleep(0.02)
    raise Refused(f"the server did not start:\n{log.read_text(errors='replace')[-4000:]}")


class Server:
    def __init__(self, port: int):
        self.port = port

    def sign_in(self, email: str, password: str) -> "Person":
        person = Person(self, {})
        session = person.post("/api/auth/login", {"email": email, "password": password})["session_id"]
        person.headers = {"X-Session-Id": session}
        return person


class Person:
    """Somebody who is signed in, over a connection that is kept."""

    def __init__(self, server: Server, headers: dict[str, str]):
        self.headers = headers
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)

    def call(self, method: str, path: str, content: bytes | None = None, content_type: str = "") -> typing.Any:
        headers = self.headers | ({"Content-Type": content_type} if content_type else {})
        self._connection.request(method, path, content, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise Refused(f"{method} {path}: {answer.status} {text[:500].decode(errors='replace')}")
        return json.loads(text) if "json" in answer.headers.get("Content-Type", "") and text else None

    def get(self, path: str, **query: object) -> typing.Any:
        return self.call("GET", path + _query(query))

    def post(self, path: str, body: object = None, **query: object) -> typing.Any:
        return self.call("POST", path + _query(query), json.dumps({} if body is None else body).encode(),
                         "application/json")

    def put(self, path: str, body: object, **query: object) -> typing.Any:
        return self.call("PUT", path + _query(query), json.dumps(body).encode(), "application/json")

    def patch(self, path: str, body: object = None, **query: object) -> typing.Any:
        return self.call("PATCH", path + _query(query), json.dumps({} if body is None else body).encode(),
                         "application/json")

    def delete(self, path: str, **query: object) -> typing.Any:
        return self.call("DELETE", path + _query(query))

    def submit(self, path: str, fields: dict[str, str], **query: object) -> typing.Any:
        """A form, which is what the calls for files take."""
        return self.call("POST", path + _query(query), urllib.parse.urlencode(fields).encode(),
                         "application/x-www-form-urlencoded")


def _query(fields: dict[str, object]) -> str:
    return "?" + urllib.parse.urlencode(fields) if fields else ""
