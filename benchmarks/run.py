# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks that were asked for, or all of them. ./bench --help says how to call it."""

import argparse
import pathlib
import sys

import calendar_room
import files_room
import http_edge
import measure
import store
import web_pages

BENCHMARKS = {
    "http": lambda arguments: http_edge.run(arguments.build, arguments.seconds, arguments.rounds),
    "calendar": lambda arguments: calendar_room.run(arguments.build, arguments.seconds, arguments.rounds,
                                                    arguments.entries),
    "files": lambda arguments: files_room.run(arguments.build, arguments.seconds, arguments.rounds, arguments.files),
    "store": lambda arguments: store.run(arguments.build, arguments.seconds, arguments.rounds, arguments.rows),
    "web": lambda arguments: web_pages.run(arguments.build, arguments.rounds),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="./bench")
    parser.add_argument("names", nargs="*", default=[], metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--rows", type=int, default=10_000_000, help="of the large store; 10,000,000 unless set")
    parser.add_argument("--entries", type=int, default=1_000_000, help="of the large calendar; 1,000,000 unless set")
    parser.add_argument("--files", type=int, default=1_000_000, help="of the large library; 1,000,000 unless set")
    parser.add_argument("--json", type=pathlib.Path, help="also write the JSON lines to this file")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - BENCHMARKS.keys():
        parser.error(f"there is no benchmark called {', '.join(sorted(unknown))}")
    rows = []
    for name in arguments.names or BENCHMARKS:
        rows += BENCHMARKS[name](arguments)
    lines = "".join(row.json() + "\n" for row in rows)
    measure.print_table(rows)
    print(lines, end="")
    if arguments.json:
        arguments.json.write_text(lines)
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
