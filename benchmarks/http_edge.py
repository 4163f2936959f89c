# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The edge beside a raw epoll server and nginx: requests per second, memory of idle connections, large files."""

import contextlib
import os
import pathlib
import resource
import socket
import subprocess
import tempfile
import time
import typing

import measure

THREADS = 2
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
               "--set", f"http.threads={THREADS}", "--set", "http.request_rate=1000000",
               "--set", "http.request_burst=1000000", "--set", "http.max_connections_per_client=20000",
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
    parts = [lambda folder: request_rates(build, folder, seconds, rounds), lambda folder: idle_memory(build, folder),
             lambda folder: large_files(build, folder, rounds)]
    for part in parts:
        with tempfile.TemporaryDirectory(prefix="atrium-bench-") as folder:
            rows += part(pathlib.Path(folder))
    return rows
