# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What every benchmark needs: a row of the result, sides measured in turn, servers started and stopped."""

import contextlib
import dataclasses
import json
import pathlib
import re
import socket
import statistics
import subprocess
import time
import typing


@dataclasses.dataclass
class Row:
    """One measurement: ours beside the limit or peer of the same run."""

    name: str
    ours: float
    unit: str
    peer: str
    theirs: float
    ratio: float
    target: float
    detail: dict = dataclasses.field(default_factory=dict)

    @property
    def met(self) -> bool:
        return self.ratio >= self.target

    def json(self) -> str:
        return json.dumps(dataclasses.asdict(self) | {"met": self.met})


def in_turn(sides: dict[str, typing.Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Measures the sides one after the other, again and again, so that noise falls on all of them alike."""
    results: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, measure in sides.items():
            results[name].append(measure())
    return results


def compare(name: str, unit: str, peer: str, target: float, results: dict[str, list[float]]) -> Row:
    """The row for the sides `ours` and `theirs`. The ratio is the median of the ratios of each round: both sides of
    a round ran within seconds of each other, so that a slow moment of the machine slows both."""
    ratio = statistics.median(a / b for a, b in zip(results["ours"], results["theirs"], strict=True))
    return Row(name=name, ours=statistics.median(results["ours"]), unit=unit, peer=peer,
               theirs=statistics.median(results["theirs"]), ratio=ratio, target=target,
               detail={"ours": results["ours"], "theirs": results["theirs"]})


def print_table(rows: list[Row]) -> None:
    print(f"\n{'measurement':<34}{'ours':>12} {'unit':<8}{'beside':<26}{'theirs':>12}{'ratio':>8}{'target':>8}")
    for row in rows:
        verdict = "" if row.met else "  MISSED"
        print(f"{row.name:<34}{row.ours:>12,.0f} {row.unit:<8}{row.peer:<26}{row.theirs:>12,.0f}"
              f"{row.ratio:>8.2f}{row.target:>8.2f}{verdict}")
    print()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def wait_for_port(port: int, process: subprocess.Popen) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if process.poll() is not None:
            raise SystemExit(f"{process.args[0]} ended with status {process.returncode} before it listened")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise SystemExit(f"{process.args[0]} did not listen on port {port}")


@contextlib.contextmanager
def running(command: list[str], port: int, environment: dict[str, str] | None = None,
            log: pathlib.Path | None = None) -> typing.Iterator[subprocess.Popen]:
    output = open(log, "wb") if log else subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
    try:
        wait_for_port(port, process)
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)
        if log:
            output.close()


def wrk(url: str, seconds: int, connections: int) -> float:
    """Requests per second; anything but success is an error of the benchmark, not a result."""
    command = ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", url]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(f"errors from {url}:\n{text}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))


def resident_bytes(pid: int) -> int:
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024
