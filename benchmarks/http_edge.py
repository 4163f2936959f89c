# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The edge beside a raw epoll server and nginx: requests per second, memory of idle connections, large files."""

import contextlib
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import tempfile
import threading
import time
import typing
import urllib.request

import measure

THREADS = 2
WORKERS = 64
CONNECTIONS = 32
IDLE_CONNECTIONS = 10_000
IDLE_BYTES_MAX = 100_000_000
FILE_BYTES = 1 << 30

NGINX_CONFIG = """
daemon off; master_process on; worker_processes {threads}; pid {folder}/nginx.pid; error_log {folder}/error.log;
worker_rlimit_nofile 20000;
events {{ worker_connections 4096; }}
http {{
  access_log {folder}/access.log; sendfile on; tcp_nopush on; keepalive_requests 100000000;
  client_body_temp_path {folder}/body; client_max_body_size 0;
  proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port};
    location /file {{ alias {file}; }}
    location /put/ {{ root {folder}; dav_methods PUT; create_full_put_path on; }}
  }}
}}
"""


@contextlib.contextmanager
def lab(build: pathlib.Path, folder: pathlib.Path, file: pathlib.Path) -> typing.Iterator[tuple[int, int]]:
    """Our server as people run it: limits, time-outs, metrics and access log on. Yields port and process id."""
    port = measure.free_port()
    # One machine stands for many clients here, so that the rates are those of many; they are still counted.
    command = [str(build / "atrium_lab"), "serve", "--port", str(port), "--data", str(folder / "data"),
               "--set", f"http.threads={THREADS}", "--set", f"http.worker_threads={WORKERS}",
               "--set", "http.request_rate=1000000", "--set", "http.request_burst=1000000",
               "--set", "http.max_connections_per_client=20000",
               "--set", f"log.access_file={folder}/access.log"]
    environment = os.environ | {"LAB_FILE": str(file), "LAB_FOLDER": str(folder / "put")}
    with measure.running(command, port, environment, folder / "lab.log") as process:
        yield port, process.pid


@contextlib.contextmanager
def nginx(folder: pathlib.Path, file: pathlib.Path) -> typing.Iterator[int]:
    port = measure.free_port()
    config = folder / "nginx.conf"
    config.write_text(NGINX_CONFIG.format(threads=THREADS, folder=folder, port=port, file=file))
    if os.geteuid() == 0:
        config.write_text(f"user root;{config.read_text()}")
    with measure.running(["/usr/sbin/nginx", "-c", str(config), "-p", str(folder)], port):
        yield port


def request_rates(build: pathlib.Path, folder: pathlib.Path, seconds: int, rounds: int) -> list[measure.Row]:
    raw_port = measure.free_port()
    raw = [str(build / "raw_epoll"), str(raw_port), str(THREADS)]
    with lab(build, folder, folder / "none") as (port, _), measure.running(raw, raw_port):
        def rate(address: str) -> typing.Callable[[], float]:
            return lambda: measure.wrk(address, seconds, CONNECTIONS)

        results = measure.in_turn({
            "raw": rate(f"http://127.0.0.1:{raw_port}/"),
            "quick": rate(f"http://127.0.0.1:{port}/lab/quick"),
            "blocking": rate(f"http://127.0.0.1:{port}/lab/blocking"),
        }, rounds)
    return [
        measure.compare("quick route, 200 bytes of JSON", "req/s", "raw epoll", 0.75,
                        {"ours": results["quick"], "theirs": results["raw"]}),
        measure.compare("blocking route, 200 bytes of JSON", "req/s", "raw epoll", 0.40,
                        {"ours": results["blocking"], "theirs": results["raw"]}),
    ]


def idle_memory(build: pathlib.Path, folder: pathlib.Path) -> list[measure.Row]:
    """Ten thousand connections that have each asked once and then keep silent."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with lab(build, folder, folder / "none") as (port, pid):
        before = measure.resident_bytes(pid)
        connections = []
        for _ in range(IDLE_CONNECTIONS):
            connection = socket.create_connection(("127.0.0.1", port))
            connection.sendall(b"GET /lab/quick HTTP/1.1\r\nHost: bench\r\n\r\n")
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
            connections.append(connection)
        time.sleep(3)  # Idle connections give their buffers back after a second.
        used = measure.resident_bytes(pid) - before
        for connection in connections:
            connection.close()
    return [measure.Row(name="10,000 idle connections", ours=used / 1e6, unit="MB", peer="limit",
                        theirs=IDLE_BYTES_MAX / 1e6, ratio=IDLE_BYTES_MAX / max(used, 1), target=1.0,
                        detail={"bytes_per_connection": used / IDLE_CONNECTIONS})]


class Flood:
    """Connections of one client that ask for what costs much, one request after the other, for as long as it lasts."""

    SOURCE = "127.0.0.2"

    def __init__(self, port: int, connections: int, path: str) -> None:
        self._port = port
        self._request = f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._ask) for _ in range(connections)]
        self._answers = set()

    def __enter__(self) -> "Flood":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
        assert self._answers == {b"HTTP/1.1 200"}, self._answers

    def _ask(self) -> None:
        with socket.create_connection(("127.0.0.1", self._port), source_address=(self.SOURCE, 0)) as connection:
            while not self._over.is_set():
                connection.sendall(self._request)
                self._answers.add(connection.recv(4096)[:12])


def few(port: int) -> Flood:
    """Eight that compute: there are workers left, and what counts is who gets a processor."""
    return Flood(port, 8, "/lab/busy/50")


def crowd(port: int) -> Flood:
    """Twice as many as there are workers, which wait as for a disk: what counts is who gets a worker."""
    return Flood(port, 2 * WORKERS, "/lab/sleep/500")


def held_back(port: int) -> float:
    """How many requests wait because their client has its share of the workers."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("atrium_workers_held_back "))


def await_shares(port: int) -> None:
    until = time.monotonic() + 10
    while held_back(port) == 0:
        assert time.monotonic() < until, "the flood has not reached its share"
        time.sleep(0.05)


def slowest_of_a_hundred(port: int, path: str, seconds: int) -> float:
    """Milliseconds within which 99 of 100 requests are answered, of a client that asks a hundred times a second."""
    request = f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
    times = []
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(100 * seconds):
            asked = time.perf_counter()
            connection.sendall(request)
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
            times.append((time.perf_counter() - asked) * 1000)
            time.sleep(0.01)
    return statistics.quantiles(times, n=100)[98]


def beside_a_flood(build: pathlib.Path, folder: pathlib.Path, seconds: int, rounds: int) -> list[measure.Row]:
    """What others notice of somebody who asks for all the server has."""
    rows = []
    with lab(build, folder, folder / "none") as (port, _):
        def flooded(flood: typing.Callable[[int], Flood], path: str) -> float:
            with flood(port):
                if flood is crowd:
                    await_shares(port)
                return slowest_of_a_hundred(port, path, seconds)

        for kind, flood in (("blocking", few), ("quick", few), ("blocking", crowd)):
            path = f"/lab/{kind}"
            results = measure.in_turn({"theirs": lambda path=path: slowest_of_a_hundred(port, path, seconds),
                                       "ours": lambda path=path, flood=flood: flooded(flood, path)}, rounds)
            ratio = statistics.median(idle / busy for idle, busy in zip(results["theirs"], results["ours"], strict=True))
            beside = "a flood" if flood is few else "a crowd"
            rows.append(measure.Row(
                name=f"{kind} request beside {beside}", ours=1000 * statistics.median(results["ours"]), unit="us p99",
                peer="the same, idle", theirs=1000 * statistics.median(results["theirs"]), ratio=ratio, target=0.2,
                detail={"flooded_ms": results["ours"], "idle_ms": results["theirs"]}))
    return rows


def curl_rate(arguments: list[str]) -> float:
    """MiB per second of one transfer of the file, by the wall clock."""
    started = time.monotonic()
    subprocess.run(["curl", "--silent", "--fail", "--output", "/dev/null", *arguments], check=True)
    return FILE_BYTES / (1 << 20) / (time.monotonic() - started)


def large_files(build: pathlib.Path, folder: pathlib.Path, rounds: int) -> list[measure.Row]:
    file = folder / "file.bin"
    with open(file, "wb") as out:
        for _ in range(FILE_BYTES >> 20):
            out.write(os.urandom(1 << 20))
    stored = folder / "put"
    stored.mkdir()

    def upload(url: str) -> typing.Callable[[], float]:
        def once() -> float:
            rate = curl_rate(["--upload-file", str(file), url])
            for left in stored.iterdir():
                left.unlink()
            return rate
        return once

    with lab(build, folder, file) as (port, _), nginx(folder, file) as nginx_port:
        downloads = measure.in_turn({
            "ours": lambda: curl_rate([f"http://127.0.0.1:{port}/lab/file"]),
            "theirs": lambda: curl_rate([f"http://127.0.0.1:{nginx_port}/file"]),
        }, rounds)
        uploads = measure.in_turn({
            "ours": upload(f"http://127.0.0.1:{port}/lab/store"),
            "theirs": upload(f"http://127.0.0.1:{nginx_port}/put/file.bin"),
        }, rounds)
    return [measure.compare("download of 1 GiB", "MiB/s", "nginx, sendfile", 0.70, downloads),
            measure.compare("upload of 1 GiB to a file", "MiB/s", "nginx, WebDAV PUT", 0.70, uploads)]


def run(build: pathlib.Path, seconds: int, rounds: int) -> list[measure.Row]:
    rows: list[measure.Row] = []
    parts = [lambda folder: request_rates(build, folder, seconds, rounds),
             lambda folder: beside_a_flood(build, folder, seconds, rounds),
             lambda folder: idle_memory(build, folder), lambda folder: large_files(build, folder, rounds)]
    for part in parts:
        with tempfile.TemporaryDirectory(prefix="atrium-bench-") as folder:
            rows += part(pathlib.Path(folder))
    return rows
