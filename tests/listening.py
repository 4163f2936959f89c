# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Listens to server-sent events, chunk by chunk."""

import time

from raw_http import DEADLINE, RawConnection


class Listener:
    """A connection that has asked for the events of a path."""

    def __init__(self, server, *headers: str, path: str = "/lab/events"):
        self.connection: RawConnection = server.connect()
        request = [f"GET {path} HTTP/1.1", "Host: a", "Accept: text/event-stream", *headers]
        self.connection.send("\r\n".join(request) + "\r\n\r\n")
        self.head = self.connection.read_head()
        self._text = b""

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, *_) -> None:
        self.connection.close()

    def next_event(self, deadline: float = DEADLINE) -> dict[str, str]:
        """The next event as a mapping of its fields; several lines of text are joined as browsers do it."""
        until = time.monotonic() + deadline
        while b"\n\n" not in self._text:
            self._text += self.next_chunk(until - time.monotonic())
        block, self._text = self._text.split(b"\n\n", 1)
        event: dict[str, str] = {}
        for line in block.decode().split("\n"):
            name, _, value = line.partition(": ")
            event[name] = f"{event[name]}\n{value}" if name in event else value
        return event

    def next_chunk(self, deadline: float = DEADLINE) -> bytes:
        """The bytes of the next chunk; empty for the last."""
        size = int(self.connection.read_until(b"\r\n", deadline), 16)
        return self.connection.read_bytes(size + 2, deadline)[:-2]
