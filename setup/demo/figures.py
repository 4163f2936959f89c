# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What the server would have measured, had everybody lived there for a year: points for the charts of the administration.

They are no business of any call, so they come in as rows of an export (docs/formats/export.md, docs/formats/gauges.md)."""

import datetime
import hashlib
import json
import math
import random
import subprocess
import tempfile
import typing

from private_server import Program

DAY = 86_400
# Length of a stretch, and how long it is kept.
RESOLUTIONS = {300: 2 * DAY, 3600: 60 * DAY, DAY: 1096 * DAY}
DAYS_TOLD = 400
TABLE = {"number": 90, "name": "gauge_points", "kind": "guarded", "group": 0}
REQUESTS_AN_HOUR = 420
BYTES_PER_REQUEST = {"bytes_in": 2_300, "bytes_out": 21_000}
# How much of the day's work is done in each hour, in UTC: mornings, a lunch break, and evenings at home.
HOURS = [.05, .03, .02, .02, .05, .3, .8, 1.5, 2.0, 1.9, 1.6, 1.1, 1.4, 1.8, 1.7, 1.5, 1.3, 1.4, 1.6, 1.7, 1.3, .8, .4, .15]


def look(program: Program, people: int) -> dict[str, int]:
    """What a server that is running holds."""
    return {"store_bytes": _store_bytes(program), "blob_bytes": _blob_bytes(program), "users": people}


def furnish(program: Program, held: dict[str, int], now: datetime.datetime) -> None:
    with tempfile.NamedTemporaryFile(prefix="atrium-demo-", suffix=".zst") as file:
        file.write(_compressed("".join(_lines(held, int(now.timestamp())))))
        file.flush()
        program.ask("store", "import", file.name, "--merge")


def _store_bytes(program: Program) -> int:
    """As the server adds them up for its charts."""
    told = json.loads(program.ask("store", "stats", "--json"))["statistics"]
    return sum(one["value"] for one in told if one["name"] in ("memtable_bytes", "table_bytes_total"))


def _blob_bytes(program: Program) -> int:
    return json.loads(program.ask("blobs", "stats", "--json"))["bytes"]


def _compressed(text: str) -> bytes:
    return subprocess.run(["zstd", "--quiet", "--stdout"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def _lines(held: dict[str, int], now: int) -> typing.Iterator[str]:
    head = {"atrium_export": 1, "created_at": _rfc3339(now), "epoch": "", "tables": [TABLE]}
    digest, rows = hashlib.sha256(), 0
    for line in [head, *_rows(held, now)]:
        text = json.dumps(line, separators=(",", ":")) + "\n"
        digest.update(text.encode())
        rows += 1
        yield text
    yield json.dumps({"end": True, "rows": rows - 1, "sha256": digest.hexdigest()}, separators=(",", ":")) + "\n"


def _rows(held: dict[str, int], now: int) -> typing.Iterator[dict]:
    chance = random.Random(7)
    for step, kept in RESOLUTIONS.items():
        # The stretch that lasts is among them, in the place of one that tells of nothing but the furnishing.
        newest = now - now % step
        for at in range(newest - min(kept, DAYS_TOLD * DAY) + step, newest + 1, step):
            yield {"table": TABLE["name"], "partition": str(step), "sort": _sort_key(at * 1000), "version": now * 1_000_000,
                   "expires_at_ms": (at + kept) * 1000, "document": _point(held, at, step, now, chance)}


def _point(held: dict[str, int], at: int, step: int, now: int, chance: random.Random) -> dict:
    grown = 1 - (now - at) / (DAYS_TOLD * DAY)
    seconds = max(1, min(step, now - at))
    work = sum(_work(at + second) for second in range(0, step, min(step, 3600))) / max(1, step // 3600)
    requests = round(REQUESTS_AN_HOUR * seconds / 3600 * work * (.4 + .6 * grown) * chance.uniform(.8, 1.2))
    return {"step_s": step, "at": _rfc3339(at), "seconds": seconds, "requests": requests,
            "errors": sum(chance.random() < .004 for _ in range(min(requests, 500))),
            **{name: round(requests * each * chance.uniform(.7, 1.4)) for name, each in BYTES_PER_REQUEST.items()},
            "store_bytes": round(held["store_bytes"] * (.15 + .85 * grown)),
            # Somebody tidies up now and then.
            "blob_bytes": round(held["blob_bytes"] * (.1 + .9 * grown - .05 * grown * math.sin(grown * 40) ** 8)),
            "users": max(3, round(held["users"] * min(1, .3 + grown))),
            "sessions": max(1, round(held["users"] * min(1.0, work) * chance.uniform(.7, 1)))}


def _work(at: int) -> float:
    moment = datetime.datetime.fromtimestamp(at, datetime.timezone.utc)
    return HOURS[moment.hour] * (.35 if moment.weekday() >= 5 else 1)


def _sort_key(milliseconds: int) -> str:
    """Times are eight bytes that sort as the times do; printable bytes stand for themselves."""
    plain = set(range(0x20, 0x7F)) - set(b'%"\\')
    return "".join(chr(byte) if byte in plain else f"%{byte:02X}" for byte in (milliseconds + (1 << 63)).to_bytes(8, "big"))


def _rfc3339(seconds: int) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
