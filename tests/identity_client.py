# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A server with people in it, and what tests ask of it in their names.

    house = start_house(make_server)
    ann = house.make_user("ann@example.org")
    house.get("/api/me", house.sign_in(ann)).json()
"""

import base64
import dataclasses
import hashlib
import hmac
import json
import time

from programs import run
from raw_http import DEADLINE, Response
from running_server import RunningServer, eventually

PASSWORD = "a teapot made of rain"
ROOT = "root@example.org"

# The edge counts what one client asks for, and all clients of a test are one; far below what a test makes in a second.
# The limits of the room itself stay as they are.
UNHURRIED = {f"{kind}_{limit}": 100_000 for kind in ("request", "costly", "transfer", "credential")
             for limit in ("rate", "burst")}
UNHURRIED |= {"trusted_proxies": ["127.0.0.1"]}


@dataclasses.dataclass(frozen=True)
class Person:
    """Somebody with an account; `host` is one of their organisation, or None for the default one."""

    id: str
    email: str
    role: str
    password: str | None = PASSWORD
    host: str | None = None


# How a credential is carried.


def session(secret: str) -> dict[str, str]:
    return {"X-Session-Id": secret}


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def token(secret: str) -> dict[str, str]:
    return {"Authorization": f"Token {secret}"}


def basic(name: str, secret: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()}


def cookie(secret: str, **headers: str) -> dict[str, str]:
    return {"Cookie": f"session={secret}"} | {name.replace("_", "-"): value for name, value in headers.items()}


def from_address(address: str) -> dict[str, str]:
    """Makes the request come from there, as a proxy that the server trusts would say."""
    return {"X-Forwarded-For": address}


# One-time passwords, as an authenticator app makes them (RFC 6238).


def totp_step() -> int:
    return int(time.time()) // 30


def totp(secret: str, step: int) -> str:
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, step.to_bytes(8, "big"), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(int.from_bytes(digest[start:start + 4], 'big') & 0x7fffffff) % 1_000_000:06}"


def find_set_up_link(server: RunningServer) -> str:
    return server.wait_for_log(lambda line: line["message"] == "set up this server")["url"]


def find_set_up_token(server: RunningServer) -> str:
    return find_set_up_link(server).partition("#token=")[2]


class IdentityClient:
    """Talks to a server about people. `root` is its superadmin, signed in once set_up() was called."""

    def __init__(self, server: RunningServer):
        self.server = server
        self.root: dict[str, str] = {}
        self.root_id = ""

    # Requests. `who` are the headers of a credential, made by the functions above.

    def call(self, method: str, path: str, body=None, who: dict[str, str] | None = None, host: str | None = None,
             headers: dict[str, str] | None = None, deadline: float = DEADLINE) -> Response:
        sent = dict(who or {}) | (headers or {})
        if host is not None:
            sent["Host"] = host
        if body is not None:
            sent["Content-Type"] = "application/json"
        return self.server.request(method, path, None if body is None else json.dumps(body), sent, deadline)

    def get(self, path: str, who: dict[str, str] | None = None, **more) -> Response:
        return self.call("GET", path, None, who, **more)

    def post(self, path: str, body=None, who: dict[str, str] | None = None, **more) -> Response:
        return self.call("POST", path, {} if body is None else body, who, **more)

    def patch(self, path: str, body, who: dict[str, str] | None = None, **more) -> Response:
        return self.call("PATCH", path, body, who, **more)

    def delete(self, path: str, who: dict[str, str] | None = None, **more) -> Response:
        return self.call("DELETE", path, None, who, **more)

    # People.

    def set_up(self) -> "IdentityClient":
        answer = self.post("/api/setup", {"token": find_set_up_token(self.server), "email": ROOT, "password": PASSWORD})
        assert answer.status == 201, answer.text
        self.root = session(answer.json()["session_id"])
        self.root_id = self.get("/api/me", self.root).json()["user"]["id"]
        return self

    def make_org(self, name: str, *hosts: str, **more) -> dict:
        answer = self.post("/api/orgs", {"name": name, "hosts": list(hosts)} | more, self.root)
        assert answer.status == 201, answer.text
        return answer.json()

    def make_user(self, email: str, role: str = "user", org: dict | None = None, password: str | None = PASSWORD,
                  **more) -> Person:
        body = {"email": email, "role": role} | more | ({} if password is None else {"password": password})
        answer = self.post("/api/users" + (f"?org={org['id']}" if org else ""), body, self.root)
        assert answer.status == 201, answer.text
        return Person(answer.json()["id"], email, role, password, org["hosts"][0] if org else None)

    # Signing in.

    def log_in(self, email: str, password: str | None = PASSWORD, otp: str | None = None, **more) -> Response:
        """One attempt, whatever comes of it."""
        body = {"email": email, "password": password} | ({} if otp is None else {"otp": otp})
        return self.post("/api/auth/login", body, **more)

    def open_session(self, person: Person) -> str:
        """The secret of a new session."""
        answer = self.log_in(person.email, person.password, host=person.host)
        assert answer.status == 200, answer.text
        return answer.json()["session_id"]

    def sign_in(self, person: Person) -> dict[str, str]:
        return session(self.open_session(person))

    def make_token(self, who: dict[str, str], name: str = "made for a test", host: str | None = None, **wanted) -> dict:
        answer = self.post("/api/tokens", {"name": name} | wanted, who, host=host)
        assert answer.status == 201, answer.text
        return answer.json()

    def turn_on_second_factor(self, who: dict[str, str]) -> tuple[str, list[str], int]:
        """Secret, recovery codes, and the step whose code was used up."""
        begun = self.post("/api/me/second-factor", None, who)
        assert begun.status == 201, begun.text
        secret, step = begun.json()["secret"], totp_step()
        confirmed = self.post("/api/me/second-factor/confirm", {"otp": totp(secret, step)}, who)
        assert confirmed.status == 200, confirmed.text
        return secret, confirmed.json()["recovery_codes"], step

    # Whether a credential is worth something.

    def knows(self, who: dict[str, str], host: str | None = None) -> bool:
        status = self.get("/api/me", who, host=host).status
        assert status in (200, 401), status
        return status == 200

    # What was written down.

    def audit(self, who: dict[str, str] | None = None, org: dict | None = None) -> list[dict]:
        """All lines, newest first."""
        lines, before = [], ""
        while before is not None:
            query = f"?limit=500{before}" + (f"&org={org['id']}" if org else "")
            page = self.get(f"/api/audit{query}", who or self.root).json()
            lines += page["lines"]
            before = f"&before={page['before']}" if page.get("before") is not None else None
        return lines

    def audit_actions(self, target: str) -> list[str]:
        """What happened to it, oldest first."""
        return [line["action"] for line in reversed(self.audit()) if line["target"] == target]

    # Commands.

    def run_job(self, name: str) -> None:
        """Runs it now, or after the run that is under way."""
        done = eventually(lambda: self._run_unless_busy(name), deadline=60)
        assert done.returncode == 0 and json.loads(done.stdout)["outcome"] == "succeeded", done.stdout + done.stderr

    def _run_unless_busy(self, name: str):
        done = self.atrium("jobs", "run", name, "--json")
        return None if "is running already" in done.stderr else done

    def atrium(self, *words):
        """The same program as a command, on the data of this server."""
        settings = ["--config", self.server.folder / "atrium.yaml", "--data", self.server.data]
        return run(self.server.command[0], *words, *settings)


def start_server(make_server, config: dict | None = None, **more) -> RunningServer:
    """A server that nobody has set up yet, and that lets tests hurry."""
    wanted = dict(config or {})
    return make_server(config=wanted | {"http": UNHURRIED | wanted.get("http", {})}, **more)


def start_house(make_server, config: dict | None = None, **more) -> IdentityClient:
    """A server that is set up."""
    return IdentityClient(start_server(make_server, config, **more)).set_up()
