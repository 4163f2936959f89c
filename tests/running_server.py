# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""One real server in a process of its own, with a data folder of its own, on a port the system chose."""

import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import typing

from metrics_text import Metrics
from raw_http import DEADLINE, RawConnection, Response, TimedOut

SANITIZER_REPORT = re.compile(
    r"(ERROR|WARNING): \w+Sanitizer|runtime error: |SUMMARY: \w+Sanitizer|AddressSanitizer:DEADLYSIGNAL")

# Sanitized programs are several times slower to start and to stop.
START_DEADLINE = 60.0
STOP_DEADLINE = 60.0


def eventually(probe: typing.Callable, deadline: float = DEADLINE, what: str = "the expected state"):
    """Asks `probe` again and again until its answer is truthy, and returns that answer."""
    until = time.monotonic() + deadline
    while True:
        if answer := probe():
            return answer
        if time.monotonic() > until:
            raise TimedOut(f"{what} did not come within {deadline} s")
        time.sleep(0.01)


class RunningServer:
    """A started server. Made by the fixture make_server, which also stops it and checks how it ended."""

    def __init__(self, command: list[str], folder: pathlib.Path, environment: dict[str, str]):
        self.command = command
        self.folder = folder
        self.data = folder / "data"
        self.address = ""
        self.port = 0
        self._expect_clean_end = True
        self._stdout_path = folder / "stdout"
        self._stderr_path = folder / "stderr"
        with open(self._stdout_path, "wb") as stdout, open(self._stderr_path, "wb") as stderr:
            self.process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def url(self) -> str:
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"http://{host}:{self.port}"

    def wait_until_listening(self) -> None:
        listening = eventually(self._first_listener_or_end, START_DEADLINE, "the line that says `listening`")
        self.address, self.port = listening["address"], int(listening["port"])

    def _first_listener_or_end(self) -> dict | None:
        ended = self.process.poll()
        if found := self.listeners():
            return found[0]
        assert ended is None, f"the server ended with status {ended} before it listened:\n{self.log_tail()}"
        return None

    def listeners(self) -> list[dict]:
        """The log lines that say where it listens, in the order of the log."""
        return [line for line in self.log_lines() if line.get("message") == "listening" and "port" in line]

    # What it says.

    def stderr(self) -> str:
        return self._stderr_path.read_text(errors="replace")

    def stdout(self) -> str:
        return self._stdout_path.read_text(errors="replace")

    def log_lines(self) -> list[dict]:
        """The complete lines of the log that are JSON objects; the last one may still be being written."""
        # Not splitlines(), which also ends a line at characters that JSON allows in a string.
        *complete, _ = self.stderr().split("\n")
        parsed = (_json_or_none(line) for line in complete)
        return [line for line in parsed if isinstance(line, dict)]

    def wait_for_log(self, wanted: typing.Callable[[dict], bool], deadline: float = DEADLINE) -> dict:
        """The first log line that `wanted` accepts, waiting for it when it is not there yet."""
        return eventually(
            lambda: next((line for line in self.log_lines() if wanted(line)), None), deadline, "a log line")

    def log_tail(self, lines: int = 60) -> str:
        return "\n".join(self.stderr().splitlines()[-lines:])

    # How to talk to it.

    def request(self, method: str, path: str, body: bytes | str | None = None,
                headers: dict[str, str] | None = None, deadline: float = DEADLINE) -> Response:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection(self.address, self.port, timeout=deadline)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        return Response(answer.status, answer.reason, [(k.lower(), v) for k, v in answer.getheaders()], content)

    def get(self, path: str, headers: dict[str, str] | None = None, deadline: float = DEADLINE) -> Response:
        return self.request("GET", path, headers=headers, deadline=deadline)

    def post(self, path: str, body: bytes | str = b"", headers: dict[str, str] | None = None,
             deadline: float = DEADLINE) -> Response:
        return self.request("POST", path, body, headers, deadline)

    def connect(self, deadline: float = DEADLINE, source: str | None = None) -> RawConnection:
        """A bare connection, perhaps from another loopback address; close it, or use it in a `with` statement."""
        return RawConnection((self.address, self.port), deadline=deadline, source=source)

    def exchange(self, request: bytes | str, deadline: float = DEADLINE) -> Response:
        """Sends these bytes on a bare connection and reads one response."""
        with self.connect(deadline) as connection:
            return connection.send(request, deadline).read_response(deadline)

    def metrics(self) -> Metrics:
        answer = self.get("/metrics")
        assert answer.status == 200, f"/metrics answered {answer.status}: {answer.text[:500]}"
        return Metrics(answer.text)

    # What it uses.

    @property
    def sanitized(self) -> bool:
        """Built with a sanitizer: its memory is mostly the sanitizer's, so that bounds on it say nothing."""
        program = pathlib.Path(self.command[0]).read_bytes()
        return b"__asan_init" in program or b"__tsan_init" in program

    def rss_bytes(self) -> int:
        """Memory that is resident now."""
        return self._status_kib("VmRSS") * 1024

    def peak_rss_bytes(self) -> int:
        return self._status_kib("VmHWM") * 1024

    def thread_count(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def open_file_count(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def _status_kib(self, field: str) -> int:
        text = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s+(\d+) kB$", text, re.MULTILINE)[1])

    # How it ends.

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def terminate(self) -> None:
        """Asks it to stop and does not wait; for watching it drain."""
        self.signal(signal.SIGTERM)

    def wait(self, deadline: float = STOP_DEADLINE) -> int:
        """The exit status, once it has ended by itself."""
        try:
            return self.process.wait(deadline)
        except subprocess.TimeoutExpired:
            raise TimedOut(f"the server still runs after {deadline} s:\n{self.log_tail()}") from None

    def kill(self) -> None:
        """Ends it as a power cut would. How it ended is then not checked."""
        self._expect_clean_end = False
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Stops it with SIGTERM unless it has ended, and checks that it ended well."""
        if self.process.poll() is None:
            self.terminate()
        try:
            status = self.wait()
        except TimedOut:
            self.kill()
            raise
        report = SANITIZER_REPORT.search(self.stderr())
        assert not report, f"a sanitizer complained:\n{self.stderr()[report.start():][:8000]}"
        if self._expect_clean_end:
            assert status == 0, f"the server ended with status {status}:\n{self.log_tail()}"


def _json_or_none(line: str):
    try:
        return json.loads(line)
    except ValueError:
        return None
