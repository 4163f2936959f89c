# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Many listeners to calendars in one thread, who come again with the last id they heard whenever a stream ends.

    with Crowd(lambda: (server.address, server.port)) as crowd:
        crowd.add("/api/events", who)
        ...
        crowd.wait(lambda listener: listener.heard == wanted)
"""

import errno
import re
import selectors
import socket
import threading
import time

from raw_http import TimedOut

# Without data it is no event, and says only from where to go on.
BLOCK = re.compile(rb"(?:id: ([^\n]*)\n)?(?:event: ([^\n]*)\ndata: ([^\n]*)\n)?(?:: [^\n]*\n)?\n")
TITLE = re.compile(rb'"title":"([^"]*)"')


class CrowdMember:
    """One listener."""

    def __init__(self, path: str, who: dict[str, str]):
        self.path = path
        self.who = who
        self.last_id = b""
        # The titles of the entries that were told, and all ids.
        self.titles: list[bytes] = []
        self.ids: list[bytes] = []
        self.others: list[bytes] = []
        self.connections = 0
        self.socket: socket.socket | None = None
        self.unread = b""
        self.in_head = True

    def connect(self, address: tuple[str, int]) -> bool:
        """False when nobody answers there."""
        self.socket = socket.socket()
        self.unread, self.in_head = b"", True
        # The end of an HTTP/1.0 stream is the end of its connection: no chunks to take apart.
        lines = [f"GET {self.path} HTTP/1.0", "Host: a", *(f"{name}: {value}" for name, value in self.who.items())]
        if self.last_id:
            lines.append(f"Last-Event-ID: {self.last_id.decode()}")
        try:
            self.socket.settimeout(10)
            self.socket.connect(address)
            self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            self.socket.setblocking(False)
        except OSError:
            self.close()
            return False
        self.connections += 1
        return True

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
        self.socket = None

    def receive(self) -> bool:
        """False when the stream has ended."""
        try:
            data = self.socket.recv(1 << 18)
        except OSError as error:
            return error.errno in (errno.EAGAIN, errno.EWOULDBLOCK)
        self.unread += data
        self._take_head()
        if not self.in_head:
            self._take_blocks()
        return bool(data)

    def _take_head(self) -> None:
        if self.in_head and b"\r\n\r\n" in self.unread:
            head, self.unread = self.unread.split(b"\r\n\r\n", 1)
            assert head.startswith(b"HTTP/1.1 200 "), head
            self.in_head = False

    def _take_blocks(self) -> None:
        end = 0
        for block in BLOCK.finditer(self.unread):
            assert block.start() == end, self.unread[end:end + 300]
            end = block.end()
            number, name, text = block.groups()
            if number is not None:
                self.last_id = number
            if name is not None:
                self._take_event(number, name, text)
        self.unread = self.unread[end:]

    def _take_event(self, number: bytes, name: bytes, text: bytes) -> None:
        title = TITLE.search(text)
        if title is None or name not in (b"entry_added", b"entry_updated"):
            self.others.append(name)
            return
        self.ids.append(number)
        self.titles.append(title[1])


class Crowd:
    """Listens until its end, in a thread of its own. `address` says where the server is now."""

    def __init__(self, address):
        self.members: list[CrowdMember] = []
        self._address = address
        self._selector = selectors.DefaultSelector()
        self._waiting: list[CrowdMember] = []
        self._ended = False
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(self, *_) -> None:
        self._ended = True
        if self._thread.is_alive():
            self._thread.join()
        for member in self.members:
            member.close()

    def add(self, path: str, who: dict[str, str]) -> CrowdMember:
        """Before start()."""
        member = CrowdMember(path, who)
        self.members.append(member)
        self._waiting.append(member)
        return member

    def start(self) -> None:
        """Returns when everybody listens."""
        self._thread.start()
        self.wait(lambda member: member.last_id != b"", 60)

    def wait(self, done, deadline: float) -> None:
        """Until `done` holds for each."""
        until = time.monotonic() + deadline
        left = list(self.members)
        while left:
            assert self._fault is None, f"a listener failed: {self._fault!r}"
            if time.monotonic() > until:
                raise TimedOut(f"{len(left)} listeners still wait, one after {len(left[0].titles)} entries, "
                               f"{left[0].others} and {left[0].connections} connections")
            time.sleep(0.02)
            left = [member for member in left if not done(member)]

    def _run(self) -> None:
        try:
            while not self._ended:
                self._come_again()
                self._listen()
        except BaseException as fault:
            self._fault = fault

    def _come_again(self) -> None:
        # Some at a time, so that those who are there already are heard, too.
        for member in self._waiting[:50]:
            if not member.connect(self._address()):
                break
            self._waiting.remove(member)
            self._selector.register(member.socket, selectors.EVENT_READ, member)

    def _listen(self) -> None:
        for key, _ in self._selector.select(0.01):
            member = key.data
            if not member.receive():
                self._selector.unregister(member.socket)
                member.close()
                self._waiting.append(member)
