# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What ./run --demo does once the program is built: setup/demo furnishes an empty store, once, and then serves it."""

import datetime
import json
import pathlib
import signal
import subprocess

import pytest
from conftest import CHECKOUT
from programs import clean_environment, run
from running_server import RunningServer

DEMO = ["/usr/bin/python3", str(CHECKOUT / "setup" / "demo")]


@pytest.fixture
def program(build_folder) -> pathlib.Path:
    return build_folder / "atrium"


def furnish(program: pathlib.Path, data: pathlib.Path, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run([*DEMO, str(program), "--data", str(data), *options], cwd=data.parent, env=clean_environment(),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)


def listed(program: pathlib.Path, data: pathlib.Path, *words: str) -> list[dict]:
    outcome = run(program, *words, "--json", "--data", data)
    assert outcome.returncode == 0, outcome.stderr
    return json.loads(outcome.stdout)


def test_an_empty_store_is_furnished_once(program, tmp_path):
    data = tmp_path / "data"
    first = furnish(program, data)
    assert first.returncode == 0, first.stderr
    assert "sign in as demo@example.org" in first.stderr
    people = listed(program, data, "user", "list")
    assert len(people) == 9
    assert {one["role"] for one in people} == {"superadmin", "admin", "user", "readonly"}
    calendars = listed(program, data, "calendar", "list", "--user", "demo@example.org")
    assert {"Family", "Studio", "Trips", "School", "House", "Choir"} <= {one["name"] for one in calendars}

    second = furnish(program, data)
    assert second.returncode == 0, second.stderr
    assert "somebody lives here already" in second.stderr
    # The way in is told again.
    assert first.stderr.splitlines()[-1] == second.stderr.splitlines()[-1]
    assert listed(program, data, "user", "list") == people
    verified = run(program, "store", "verify", "--json", "--data", data)
    assert json.loads(verified.stdout)["findings"] == 0, verified.stdout


def test_settings_of_the_server_may_be_given_and_letters_stay_unsent(program, tmp_path):
    data, mail = tmp_path / "data", tmp_path / "letters"
    options = ["--port", "0", "--set", "mail.transport=file", "--set", "mail.from=atrium@example.org", "--set",
               f"mail.folder={mail}"]
    outcome = furnish(program, data, *options)
    assert outcome.returncode == 0, outcome.stderr
    assert list(mail.glob("*")) == []


def test_then_it_is_the_server_that_signals_reach(program, tmp_path):
    data = tmp_path / "data"
    command = [*DEMO, "--serve", str(program), "--data", str(data), "--port", "0", "--set", "log.format=json"]
    server = RunningServer(command, tmp_path, clean_environment())
    server.wait_until_listening()
    password = (data / "demo-sign-in.txt").read_text().split()[-1]
    login = server.post("/api/auth/login", json.dumps({"email": "demo@example.org", "password": password}),
                        {"Content-Type": "application/json"}).json()
    today = datetime.datetime.now(datetime.timezone.utc)
    year_ago = (today - datetime.timedelta(days=365)).strftime("%Y-%m-%dT%H:%M:%SZ")
    charts = server.get(f"/api/admin/series?from={year_ago}", {"Authorization": f"Bearer {login['session_id']}"}).json()
    # The charts begin before this minute.
    assert len(charts["points"]) > 300
    assert all(point["requests"] > 0 for point in charts["points"])
    server.signal(signal.SIGTERM)
    assert server.wait() == 0


def test_what_cannot_be_furnished_says_why(program, tmp_path):
    outcome = furnish(program, tmp_path / "data", "--set", "no.such=key")
    assert outcome.returncode == 1
    assert "no.such" in outcome.stderr
    assert not (tmp_path / "data").exists()
