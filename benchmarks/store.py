# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The store beside RocksDB itself, beside a bare fdatasync, beside SQLite, and beside itself with few rows."""

import json
import pathlib
import statistics
import subprocess
import tempfile
import typing

import measure

READ_ROWS = 100_000
SMALL_ROWS = 10_000
# As many as the small store has: both read the same number of rows.
HOT_FOLDERS = SMALL_ROWS // 200
WRITERS = 64
MEMORY_BYTES = 256 << 20
OPEN_SECONDS_MAX = 1.0
# Where one thread waits for nothing but a processor or one sync, many short turns find moments alike for both sides.
SHORT_TURNS = 6


class Bench:
    """Calls store_bench, one side at a time, in folders of its own."""

    def __init__(self, build: pathlib.Path, folder: pathlib.Path, seconds: int) -> None:
        self.program = build / "store_bench"
        self.folder = folder
        self.seconds = seconds

    def side(self, name: str, folder: pathlib.Path, **numbers: int) -> dict[str, float]:
        numbers = {"milliseconds": self.seconds * 1000, "memory_bytes": MEMORY_BYTES} | numbers
        command = [str(self.program), name, str(folder), *(f"{key}={value}" for key, value in numbers.items())]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)

    def anew(self, name: str, **numbers: int) -> typing.Callable[[], dict[str, float]]:
        """A side that begins with an empty folder each time."""
        def once() -> dict[str, float]:
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                return self.side(name, pathlib.Path(folder), **numbers)
        return once

    @property
    def short(self) -> int:
        return self.seconds * 1000 // SHORT_TURNS

    def reading(self, name: str, folder: pathlib.Path, **numbers: int) -> typing.Callable[[], dict[str, float]]:
        return lambda: self.side(name, folder, milliseconds=self.short, **numbers)

    def make(self, name: str) -> pathlib.Path:
        folder = self.folder / name
        folder.mkdir()
        return folder


def rates(name: str, peer: str, target: float, ours: list[dict[str, float]],
          theirs: list[dict[str, float]]) -> measure.Row:
    sides = {"ours": [run["per_second"] for run in ours], "theirs": [run["per_second"] for run in theirs]}
    return measure.compare(name, "/s", peer, target, sides)


def times(name: str, peer: str, slower_at_most: float, ours: list[dict[str, float]],
          theirs: list[dict[str, float]]) -> measure.Row:
    """Compares medians of times. As with rates, a larger ratio is better: theirs through ours."""
    sides = {"ours": [run["p50_ns"] / 1000 for run in ours], "theirs": [run["p50_ns"] / 1000 for run in theirs]}
    ratio = statistics.median(b / a for a, b in zip(sides["ours"], sides["theirs"], strict=True))
    return measure.Row(name=name, ours=statistics.median(sides["ours"]), unit="us p50", peer=peer,
                       theirs=statistics.median(sides["theirs"]), ratio=ratio, target=1 / slower_at_most, detail=sides)


def limit(name: str, unit: str, used: float, allowed: float, detail: dict[str, float]) -> measure.Row:
    return measure.Row(name=name, ours=used, unit=unit, peer="limit", theirs=allowed, ratio=allowed / max(used, 1e-9),
                       target=1.0, detail=detail)


def reads(bench: Bench, rounds: int) -> list[measure.Row]:
    """Rows that are all in the cache, one reader. Both RocksDB sides read the same files."""
    store = bench.make("reads")
    sqlite = bench.make("reads-sqlite")
    bench.side("ours_fill", store, rows=READ_ROWS)
    bench.side("sqlite_fill", sqlite, rows=READ_ROWS)
    results = measure.in_turn({
        name: bench.reading(name, folder, rows=READ_ROWS)
        for name, folder in [("ours_get", store), ("raw_get", store), ("ours_scan", store), ("raw_scan", store),
                             ("sqlite_scan", sqlite)]
    }, rounds * SHORT_TURNS)
    return [
        rates("Get of a 300-byte document", "RocksDB Get", 0.80, results["ours_get"], results["raw_get"]),
        rates("50 rows as one JSON array", "RocksDB iterator", 0.70, results["ours_scan"], results["raw_scan"]),
        rates("50 rows as one JSON array", "SQLite, clustered", 0.0, results["ours_scan"], results["sqlite_scan"]),
    ]


def commits(bench: Bench, rounds: int) -> list[measure.Row]:
    """One record, two index rows and a line of the change log, on disk before it is answered."""
    many = measure.in_turn({name: bench.anew(name, writers=WRITERS)
                            for name in ["ours_commit", "raw_commit", "sqlite_commit"]}, rounds)
    one = measure.in_turn({name: bench.anew(name, writers=1, milliseconds=bench.short)
                           for name in ["ours_commit", "raw_sync", "raw_commit", "sqlite_commit"]},
                          rounds * SHORT_TURNS)
    return [
        rates(f"durable commit, {WRITERS} writers", "RocksDB, synced batch", 0.70, many["ours_commit"],
              many["raw_commit"]),
        rates(f"durable commit, {WRITERS} writers", "SQLite, WAL, FULL", 0.0, many["ours_commit"],
              many["sqlite_commit"]),
        times("durable commit, 1 writer", "512 bytes + fdatasync", 1.3, one["ours_commit"], one["raw_sync"]),
        rates("durable commit, 1 writer", "RocksDB, synced batch", 0.0, one["ours_commit"], one["raw_commit"]),
        rates("durable commit, 1 writer", "SQLite, WAL, FULL", 0.0, one["ours_commit"], one["sqlite_commit"]),
    ]


def growth(bench: Bench, rounds: int, rows: int) -> list[measure.Row]:
    small, large = bench.make("small"), bench.make("large")
    bench.side("ours_fill", small, rows=SMALL_ROWS)
    # Ends as a process that is killed, so that opening also reads the log.
    filled = bench.side("ours_fill_and_die", large, rows=rows)
    after_crash = bench.side("ours_open", large, rows=rows)
    settled = bench.side("ours_settle", large, rows=rows)
    opened = [bench.side("ours_open", large, rows=rows)["seconds"] for _ in range(rounds)]
    results = measure.in_turn({
        f"{verb} {size}": bench.reading(f"ours_{verb}", folder, rows=size, hot_folders=HOT_FOLDERS)
        for verb in ["get", "scan"] for folder, size in [(small, SMALL_ROWS), (large, rows)]
    }, rounds * SHORT_TURNS)
    few, many = f"{SMALL_ROWS:,} rows", f"{rows:,} rows"
    return [
        times(f"Get of {many}", few, 1.5, results[f"get {rows}"], results[f"get {SMALL_ROWS}"]),
        times(f"50 of {many}", few, 1.5, results[f"scan {rows}"], results[f"scan {SMALL_ROWS}"]),
        limit(f"opening {many}", "ms", statistics.median(opened) * 1000, OPEN_SECONDS_MAX * 1000,
              {"seconds": opened} | settled),
        limit("the same after a crash", "ms", after_crash["seconds"] * 1000, OPEN_SECONDS_MAX * 1000, after_crash),
        limit(f"peak memory, loading {many}", "MB", filled["resident_peak_bytes"] / 1e6, MEMORY_BYTES / 1e6, filled),
    ]


def run(build: pathlib.Path, seconds: int, rounds: int, rows: int) -> list[measure.Row]:
    result: list[measure.Row] = []
    for part in [lambda bench: reads(bench, rounds), lambda bench: commits(bench, rounds),
                 lambda bench: growth(bench, rounds, rows)]:
        # Beside the build, not in /tmp, which may be memory.
        with tempfile.TemporaryDirectory(prefix="bench-store-", dir=build) as folder:
            result += part(Bench(build, pathlib.Path(folder), seconds))
    return result
