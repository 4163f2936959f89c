# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What all black-box tests share. tests/README.md shows how to use it."""

import json
import os
import pathlib
import signal

import pytest

from raw_http import TimedOut
from running_server import RunningServer

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("ATRIUM_BUILD", CHECKOUT / "build" / "dev"))

# No single test may take longer; those that wait do so with a shorter deadline of their own.
TEST_SECONDS_MAX = 180

_SERVERS = pytest.StashKey[list[RunningServer]]()


@pytest.fixture(scope="session")
def build_folder() -> pathlib.Path:
    """Where the programs under test are."""
    return BUILD


@pytest.fixture
def make_server(request, tmp_path):
    """Starts servers: make_server(config={...}, args=[...], env={...}, binary="atrium").

    `config` is a mapping as in the configuration file, laid over the settings all tests share. `args` are further
    options of `serve`. `env` is added to the environment, from which variables of ours are removed first. `data` is
    the folder of an earlier server, to start again on what it left, and `port` where it listened. The program
    "atrium_lab" is the same server with routes made for tests. Every server is stopped at the end of the test and must
    then have ended well.
    """
    servers = request.node.stash.setdefault(_SERVERS, [])

    def make(config=None, args=(), env=None, binary="atrium", data=None, port=0) -> RunningServer:
        folder = tmp_path / f"server-{len(servers)}"
        folder.mkdir()
        settings = folder / "atrium.yaml"
        # JSON is YAML.
        settings.write_text(json.dumps(_merged({"log": {"format": "json"}}, config or {}), indent=2) + "\n")
        data_folder = pathlib.Path(data) if data is not None else folder / "data"
        command = [str(BUILD / binary), "serve", "--config", str(settings), "--data", str(data_folder), "--port",
                   str(port)]
        server = RunningServer(command + [str(arg) for arg in args], folder, _environment(env or {}))
        server.data = data_folder
        servers.append(server)
        server.wait_until_listening()
        return server

    yield make
    _stop_all(servers)


@pytest.fixture
def server(make_server) -> RunningServer:
    """A server as it comes: default settings, empty data folder."""
    return make_server()


@pytest.fixture
def lab(make_server) -> RunningServer:
    """The server with the routes made for tests."""
    return make_server(binary="atrium_lab")


def _stop_all(servers: list[RunningServer]) -> None:
    complaints = []
    for server in servers:
        try:
            server.stop()
        except AssertionError as complaint:
            complaints.append(str(complaint))
    assert not complaints, "\n".join(complaints)


def _merged(below: dict, above: dict) -> dict:
    result = dict(below)
    for key, value in above.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = _merged(result[key], value) if both else value
    return result


def _environment(additions: dict[str, str]) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ATRIUM_")}
    return inherited | additions


@pytest.fixture(autouse=True)
def _time_limit():
    def too_long(*_):
        raise TimedOut(f"the test took longer than {TEST_SECONDS_MAX} s")

    previous = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(TEST_SECONDS_MAX)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    """Puts the end of each server's log into the report of a test that failed."""
    report = (yield).get_result()
    if report.failed:
        for number, server in enumerate(item.stash.get(_SERVERS, [])):
            report.sections.append((f"log of server {number}: {server.folder}", server.log_tail()))
