# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Our server with somebody in it, as the benchmarks of rooms need it, and load for any server."""

import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import re
import subprocess
import threading
import time
import typing

import measure

FILLING_CONNECTIONS = 8


@dataclasses.dataclass
class Load:
    """Requests that wrk sends to a server, in any order; the form of a line is in requests.lua."""

    port: int
    requests: pathlib.Path
    headers: pathlib.Path
    runs: int = 0

    @staticmethod
    def make(port: int, folder: pathlib.Path, lines: list[str], headers: dict[str, str]) -> "Load":
        number = len(list(folder.glob("requests-*")))
        requests, header_file = folder / f"requests-{number}", folder / f"headers-{number}"
        requests.write_text("".join(line + "\n" for line in lines))
        header_file.write_text("".join(f"{name}: {value}\n" for name, value in headers.items()))
        return Load(port, requests, header_file)

    def rate(self, seconds: int, connections: int) -> float:
        """Requests per second; anything but success is an error of the benchmark, not a result."""
        self.runs += 1
        script = pathlib.Path(__file__).with_name("requests.lua")
        command = ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", str(script),
                   f"http://127.0.0.1:{self.port}/"]
        environment = os.environ | {"REQUEST_FILE": str(self.requests), "HEADER_FILE": str(self.headers),
                                    "RUN": f"{self.requests.name.split('-')[1]}{self.runs:03}"}
        text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout
        if "Non-2xx" in text or "Socket errors" in text:
            raise SystemExit(f"errors from port {self.port}, {self.requests.read_text().splitlines()[0]}:\n{text}")
        return float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))


class Server:
    """A running server, its address and a token with which everything may be done."""

    def __init__(self, port: int, pid: int, folder: pathlib.Path, token: str, start_ms: float) -> None:
        self.port = port
        self.pid = pid
        self.folder = folder
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.start_ms = start_ms

    def call(self, connection: http.client.HTTPConnection, method: str, path: str, body: object = None) -> dict:
        connection.request(method, path, json.dumps(body) if body is not None else None, self.headers)
        reply = connection.getresponse()
        text = reply.read()
        if reply.status >= 300:
            raise SystemExit(f"{method} {path}: {reply.status} {text[:500]!r}")
        return json.loads(text)

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, path: str) -> dict:
        return self.call(self.connect(), "GET", path)

    def make_calendar(self, name: str) -> str:
        return self.call(self.connect(), "POST", "/api/calendars", {"name": name, "color": "#3B82F6"})["id"]

    def fill(self, batches: typing.Iterable[list[dict]]) -> list[str]:
        """Makes entries, a batch a request, over several connections. Answers their ids."""
        source, lock, ids = iter(batches), threading.Lock(), []

        def work() -> None:
            connection = self.connect()
            while True:
                with lock:
                    batch = next(source, None)
                if batch is None:
                    return
                body = {"changes": [{"deed": "create", "entry": entry} for entry in batch]}
                ids.extend(entry["id"] for entry in self.call(connection, "POST", "/api/entries/batch", body)["entries"])

        threads = [threading.Thread(target=work) for _ in range(FILLING_CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return ids

    def settle(self) -> None:
        """What was loaded is left alone until the store has put it in order."""
        quiet, before = 0, -1.0
        while quiet < 3:
            used = sum(map(float, pathlib.Path(f"/proc/{self.pid}/stat").read_text().split()[13:15]))
            quiet = quiet + 1 if used - before < 5 else 0
            before = used
            time.sleep(1)

    def load(self, lines: list[str]) -> Load:
        return Load.make(self.port, self.folder, lines, self.headers)

    def upload(self, path: str, content_type: str, body: bytes) -> dict:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request("POST", path, body, self.headers | {"Content-Type": content_type})
        reply = connection.getresponse()
        text = reply.read()
        if reply.status >= 300:
            raise SystemExit(f"POST {path}: {reply.status} {text[:500]!r}")
        return json.loads(text)

    def times_us(self, paths: list[str]) -> list[float]:
        """Of one client that asks one after the other."""
        connection, took = self.connect(), []
        for path in paths:
            started = time.perf_counter_ns()
            connection.request("GET", path, headers=self.headers)
            connection.getresponse().read()
            took.append((time.perf_counter_ns() - started) / 1000)
        return took

    def quantile_us(self, paths: list[str], quantile: float) -> float:
        return sorted(self.times_us(paths))[int(quantile * (len(paths) - 1))]

    def resident_mb(self) -> float:
        return measure.resident_bytes(self.pid) / 1e6


def command_output(program: pathlib.Path, *words: str) -> str:
    return subprocess.run([str(program), *words], stdout=subprocess.PIPE, text=True, check=True).stdout


@contextlib.contextmanager
def start(build: pathlib.Path, folder: pathlib.Path) -> typing.Iterator[Server]:
    """As people run it: limits, time-outs, metrics and access log on."""
    program, data = build / "atrium_lab", str(folder / "data")
    command_output(program, "user", "add", "bench@example.org", "--admin", "--data", data)
    made = json.loads(command_output(program, "token", "add", "bench@example.org", "--name", "bench", "--scope", "*",
                                     "--data", data, "--json"))
    port = measure.free_port()
    # One machine stands for many clients here, so that the rates are those of many; they are still counted.
    command = [str(program), "serve", "--port", str(port), "--data", data, "--set", "http.threads=2",
               "--set", "http.request_rate=1000000", "--set", "http.request_burst=1000000",
               "--set", f"log.access_file={folder}/access.log"]
    started = time.monotonic()
    with measure.running(command, port, log=folder / "server.log") as process:
        yield Server(port, process.pid, folder, made["token"], (time.monotonic() - started) * 1000)
