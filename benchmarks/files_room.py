# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Libraries beside hashing, the disk, nginx and the bare edge; what a client's first sync costs; memory of a huge library."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import statistics
import struct
import subprocess
import tempfile
import time
import typing

import files_library
import http_edge
import measure
import our_server

LARGE_BYTES = 8 << 20
LARGE_BLOCKS = 48
LARGE_CONNECTIONS = 4
SMALL_BYTES = 4 << 10
SMALL_CONNECTIONS = 16
# More than can be sent in a round, so that the clock ends it and not the list.
SMALL_BLOCKS_A_SECOND = 20_000
CHECKED_IDS = 1_000
UPLOAD_BYTES = 1 << 30
SYNCED_FILES = 10_000
HUGE_GROWTH_MAX = 256_000_000


class Replay:
    """Requests that are each sent once, by replay.cc."""

    def __init__(self, build: pathlib.Path, folder: pathlib.Path, port: int) -> None:
        self._build, self._port = build, port
        self._file = folder / "prepared"

    def rate(self, requests: typing.Iterable[bytes], threads: int, connections: int, seconds: int) -> float:
        with open(self._file, "wb") as out:
            for request in requests:
                out.write(struct.pack("<Q", len(request)))
                out.write(request)
        command = [str(self._build / "replay"), str(self._port), str(threads), str(connections), str(seconds),
                   str(self._file)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        return float(done.stdout)


def hash_rate() -> float:
    """MiB per second of both hashes over large blocks, a thread for each connection."""
    data = os.urandom(LARGE_BYTES)

    def hash_both(_: int) -> None:
        hashlib.sha1(data).digest()
        hashlib.sha256(data).digest()

    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(LARGE_CONNECTIONS) as pool:
        list(pool.map(hash_both, range(LARGE_BLOCKS)))
    return LARGE_BLOCKS * LARGE_BYTES / (1 << 20) / (time.monotonic() - started)


def disk_rate(folder: pathlib.Path) -> float:
    """MiB per second of dd, which writes as much and then has it on the disk."""
    source, target = pathlib.Path("/dev/shm") / f"atrium-bench-{os.getpid()}", folder / "written"
    source.write_bytes(os.urandom(LARGE_BYTES) * LARGE_BLOCKS)
    started = time.monotonic()
    subprocess.run(["dd", f"if={source}", f"of={target}", f"bs={LARGE_BYTES}", "conv=fsync", "status=none"], check=True)
    took = time.monotonic() - started
    source.unlink()
    target.unlink()
    return LARGE_BLOCKS * LARGE_BYTES / (1 << 20) / took


def large_puts(replay: Replay, library: files_library.Library, folder: pathlib.Path, rounds: int) -> list[measure.Row]:
    def ours() -> float:
        puts = [library.put_block(os.urandom(LARGE_BYTES)) for _ in range(LARGE_BLOCKS)]
        rate = replay.rate(puts, LARGE_CONNECTIONS, LARGE_CONNECTIONS, 60)
        return rate * LARGE_BYTES / (1 << 20)

    results = measure.in_turn({"ours": ours, "hashes": hash_rate, "disk": lambda: disk_rate(folder)}, rounds)
    slower = min(("hashes", "disk"), key=lambda side: statistics.median(results[side]))
    peer = {"hashes": "SHA-1 and SHA-256", "disk": "dd with fsync"}[slower]
    row = measure.compare("PUT of 8 MiB blocks", "MiB/s", peer, 0.60, {"ours": results["ours"], "theirs": results[slower]})
    row.detail |= {side: results[side] for side in ("hashes", "disk")}
    return [row]


def large_gets(server: our_server.Server, library: files_library.Library, folder: pathlib.Path, seconds: int,
               rounds: int) -> list[measure.Row]:
    data = os.urandom(LARGE_BYTES)
    file = folder / "block.bin"
    file.write_bytes(data)
    path = library.store_block(data)
    ours = our_server.Load.make(server.port, folder, [f"GET\t{path}\t"], library.headers)
    with http_edge.nginx(folder, file) as port:
        theirs = our_server.Load.make(port, folder, ["GET\t/file\t"], {})
        results = measure.in_turn({"ours": lambda: ours.rate(seconds, LARGE_CONNECTIONS) * 8,
                                   "theirs": lambda: theirs.rate(seconds, LARGE_CONNECTIONS) * 8}, rounds)
    return [measure.compare("GET of 8 MiB blocks", "MiB/s", "nginx, sendfile", 0.70, results)]


def small_puts(replay: Replay, server: our_server.Server, library: files_library.Library, seconds: int,
               rounds: int) -> list[measure.Row]:
    bare = server.load(["GET\t/lab/blocking\t"])

    def ours() -> float:
        puts = (library.put_block(os.urandom(SMALL_BYTES)) for _ in range(SMALL_BLOCKS_A_SECOND * seconds))
        return replay.rate(puts, 2, SMALL_CONNECTIONS, seconds)

    results = measure.in_turn({"ours": ours, "theirs": lambda: bare.rate(seconds, SMALL_CONNECTIONS)}, rounds)
    return [measure.compare("PUT of 4 KiB blocks", "req/s", "bare blocking route", 0.30, results)]


def small_reads(server: our_server.Server, library: files_library.Library, folder: pathlib.Path, seconds: int,
                rounds: int) -> list[measure.Row]:
    paths = [library.store_block(os.urandom(SMALL_BYTES)) for _ in range(1000)]
    absent = [json.dumps([hashlib.sha1(os.urandom(8)).hexdigest() for _ in range(CHECKED_IDS)]) for _ in range(20)]
    lines = {"quick": ["GET\t/lab/quick\t"],
             "GET of 4 KiB blocks": [f"GET\t{path}\t" for path in paths],
             "commit/HEAD": [f"GET\t{library.path('commit/HEAD')}\t"],
             "check-blocks, 1,000 absent ids": [f"POST\t{library.path('check-blocks/')}\t{ids}" for ids in absent]}
    loads = {name: our_server.Load.make(server.port, folder, some, library.headers) for name, some in lines.items()}
    results = measure.in_turn({name: (lambda load=load: load.rate(seconds, SMALL_CONNECTIONS))
                               for name, load in loads.items()}, rounds)
    targets = {"GET of 4 KiB blocks": 0.50, "commit/HEAD": 0.60, "check-blocks, 1,000 absent ids": 0.02}
    return [measure.compare(name, "req/s", "bare quick route", target, {"ours": results[name], "theirs": results["quick"]})
            for name, target in targets.items()]


def web_uploads(server: our_server.Server, library: files_library.Library, folder: pathlib.Path,
                rounds: int) -> list[measure.Row]:
    file = folder / "upload.bin"
    with open(file, "wb") as out:
        for _ in range(UPLOAD_BYTES >> 20):
            out.write(os.urandom(1 << 20))

    def change() -> None:
        """What is there already would not be stored again."""
        with open(file, "r+b") as out:
            for offset in range(0, UPLOAD_BYTES, 1 << 18):
                out.seek(offset)
                out.write(os.urandom(64))

    def ours() -> float:
        change()
        link = library.upload_link()
        return http_edge.curl_rate(["--form", f"file=@{file}", "--form", "parent_dir=/", "--form", "replace=1", link])

    with http_edge.nginx(folder, file) as port:
        (folder / "put").mkdir(exist_ok=True)
        results = measure.in_turn({
            "ours": ours,
            "theirs": lambda: http_edge.curl_rate(["--upload-file", str(file), f"http://127.0.0.1:{port}/put/upload.bin"]),
        }, rounds)
    return [measure.compare("web upload of 1 GiB", "MiB/s", "nginx, WebDAV PUT", 0.50, results)]


def huge_library(server: our_server.Server, files: int) -> list[measure.Row]:
    """What the memory of the server grows by while a client fetches the list of all objects, then the objects."""
    library = files_library.Library.make(server, "Huge")
    library.fill(files)
    before = measure.resident_bytes(server.pid)
    peak, ids = before, library.object_ids()
    peak = max(peak, measure.resident_bytes(server.pid))
    for start in range(0, len(ids), 1000):
        library.fetch_objects(ids[start:start + 1000])
        if start % 50_000 == 0:
            peak = max(peak, measure.resident_bytes(server.pid))
    grown = max(peak - before, 1)
    return [measure.Row(name=f"memory, library of {files:,} files", ours=grown / 1e6, unit="MB", peer="limit",
                        theirs=HUGE_GROWTH_MAX / 1e6, ratio=HUGE_GROWTH_MAX / grown, target=1.0,
                        detail={"before": before, "objects": len(ids)})]


def run(build: pathlib.Path, seconds: int, rounds: int, files: int) -> list[measure.Row]:
    with tempfile.TemporaryDirectory(dir=build) as temporary:
        folder = pathlib.Path(temporary)
        with our_server.start(build, folder) as server:
            library = files_library.Library.make(server, "Bench")
            replay = Replay(build, folder, server.port)
            rows = large_puts(replay, library, folder, min(rounds, 3))
            rows += large_gets(server, library, folder, seconds, rounds)
            rows += small_puts(replay, server, library, seconds, rounds)
            rows += small_reads(server, library, folder, seconds, rounds)
            rows += web_uploads(server, library, folder, min(rounds, 3))
            rows += files_library.first_sync(server, folder, SYNCED_FILES)
            rows += huge_library(server, files)
        return rows
