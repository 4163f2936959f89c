# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Fills an empty store with people, calendars and libraries to look at.

usage: python3 setup/demo [--serve] [--password-file FILE] PROGRAM [options of the server]

What is made goes through a server of its own, on a loopback port, that sends no letters; it ends when everything is there.
With --serve this process then becomes the real server. Where somebody lives already nothing is added.
"""

import argparse
import datetime
import os
import pathlib
import secrets
import signal
import sys
import tempfile

import calendars
import figures
import libraries
import people
from private_server import Program, serving

NOTE = "demo-sign-in.txt"


def main() -> None:
    parser = argparse.ArgumentParser(prog="setup/demo", usage=__doc__.split("usage: ")[1].splitlines()[0])
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--password-file", type=pathlib.Path)
    parser.add_argument("program")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    wanted = parser.parse_args()
    # As for Ctrl-C, so that the private server never outlives us.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    program = Program(wanted.program, wanted.options)
    note = program.data_folder() / NOTE
    if program.is_empty():
        try:
            furnish(program, note, wanted.password_file)
        except BaseException:
            say(f"what --demo makes is not complete: remove {note.parent} and start again")
            raise
    else:
        say("somebody lives here already: nothing was added for --demo")
    if note.is_file():
        say(note.read_text().rstrip())
    if wanted.serve:
        # Python ignores these two, and what is ignored stays so in the program that follows.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        os.execv(wanted.program, [wanted.program, "serve", *wanted.options])


def furnish(program: Program, note: pathlib.Path, password_file: pathlib.Path | None) -> None:
    password = password_file.read_text().strip() if password_file else secrets.token_urlsafe(9)
    say("furnishing, which takes some seconds ...")
    program.ask("user", "add", people.FIRST.email, "--name", people.FIRST.name, "--superadmin",
                "--time-zone", people.FIRST.zone, "--password-file", "-", text=password + "\n")
    with tempfile.TemporaryDirectory(prefix="atrium-demo-") as folder, serving(program, pathlib.Path(folder)) as server:
        residents = people.move_in(server, password)
        calendars.furnish(residents)
        libraries.furnish(residents, password)
        people.settle(residents)
        held = figures.look(program, len([people.FIRST, *people.OTHERS, people.GONE]))
    figures.furnish(program, held, datetime.datetime.now(datetime.timezone.utc))
    with open(note, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        others = ", ".join(one.email for one in people.OTHERS[:3])
        file.write(f"sign in as {people.FIRST.email} (or {others}, ...) with the password {password}\n")


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
