# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The pages in a real browser, on the data of ./run --demo, beside limits: tests/web/measure.ts does the measuring."""

import json
import os
import pathlib
import statistics
import subprocess
import sys

import measure

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent
PAGES = CHECKOUT / "tests" / "web"
# Lighthouse takes a quarter of a minute for each.
ROUNDS_MAX = 3

SCORE_MIN = 95
APP_KB_MAX = 200
TASK_MS_MAX = 100
FIRST_ENTRY_MS_MAX = 1500


def row(name: str, unit: str, values: list[float]) -> measure.Row:
    """What its unit says it is held against. The shortest task that is told lasts 50 ms, so that there may be none."""
    ours = statistics.median(values)
    if unit == "points":
        return limited(name, ours, unit, SCORE_MIN, ours / SCORE_MIN, values)
    if "asks for" in name:
        return measure.Row(name, ours, unit, "told", ours, 1.0, 0.0, {"ours": values})
    limit = {"KB": APP_KB_MAX, "ms": FIRST_ENTRY_MS_MAX}[unit] if "task" not in name else TASK_MS_MAX
    return limited(name, ours, unit, limit, limit / max(ours, 1), values)


def limited(name: str, ours: float, unit: str, limit: float, ratio: float, values: list[float]) -> measure.Row:
    return measure.Row(name, ours, unit, "limit", limit, ratio, 1.0, {"ours": values})


def run(build: pathlib.Path, rounds: int) -> list[measure.Row]:
    subprocess.run([sys.executable, str(CHECKOUT / "tests" / "npm_packages.py"), str(PAGES)], check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ATRIUM_")}
    told = subprocess.run(
        ["npx", "--no-install", "vite-node", "measure.ts", "--", str(min(rounds, ROUNDS_MAX))], cwd=PAGES, check=True,
        stdout=subprocess.PIPE, text=True, env=environment | {"ATRIUM_BUILD": str(build)}).stdout
    lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    return [row(line["name"], line["unit"], line["values"]) for line in lines]
