# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""HTTP/1.1 over a bare socket, for requests no client library would send.

Nothing here waits longer than it is told to: each call takes a deadline in seconds and raises TimedOut after it.
"""

import dataclasses
import json
import socket
import struct
import time

DEADLINE = 10.0


class TimedOut(AssertionError):
    """The server did not do in time what the test waited for."""


class ConnectionEnded(AssertionError):
    """The server closed the connection in the middle of what the test was reading."""


@dataclasses.dataclass(frozen=True)
class Response:
    """One response. Header names are lower case and keep their order and their repetitions."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes = b""

    def header(self, name: str) -> str | None:
        """The first value under this name, or None."""
        return next((value for key, value in self.headers if key == name.lower()), None)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name.lower()]

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self):
        return json.loads(self.body)


class RawConnection:
    """A TCP connection on which a test writes bytes of its own choosing and reads whole responses.

    `wrap` turns the connected socket into another one, as ssl.SSLContext.wrap_socket does. `source` is the address
    to come from: every address of 127.0.0.0/8 is a client of its own.
    """

    def __init__(self, address: tuple[str, int], wrap=None, deadline: float = DEADLINE, source: str | None = None):
        from_where = None if source is None else (source, 0)
        self._socket = socket.create_connection(address, timeout=deadline, source_address=from_where)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if wrap is not None:
            self._socket = wrap(self._socket)
        self._buffer = bytearray()
        self._ended = False

    def __enter__(self) -> "RawConnection":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    @property
    def stream(self) -> socket.socket:
        """The socket itself, for what only it can tell."""
        return self._socket

    def send(self, data: bytes | str, deadline: float = DEADLINE) -> "RawConnection":
        """Sends all of it, or raises the socket's own error when the server has closed."""
        self._socket.settimeout(deadline)
        self._socket.sendall(data.encode() if isinstance(data, str) else data)
        return self

    def half_close(self) -> None:
        """Says that nothing more will be sent; responses can still be read."""
        self._socket.shutdown(socket.SHUT_WR)

    def reset(self) -> None:
        """Ends the connection with RST instead of FIN."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self) -> None:
        self._socket.close()

    def read_response(self, deadline: float = DEADLINE, head_only: bool = False) -> Response:
        """The next response with its body: by length, in chunks, or up to the end of the connection.

        `head_only` is for answers to HEAD, which announce a body and have none.
        """
        until = time.monotonic() + deadline
        response = self._read_head(until)
        if head_only or response.status in (204, 304) or response.status < 200:
            return response
        return dataclasses.replace(response, body=self._read_body(response, until))

    def read_head(self, deadline: float = DEADLINE) -> Response:
        """The next response up to its empty line; what follows stays unread."""
        return self._read_head(time.monotonic() + deadline)

    def read_bytes(self, count: int, deadline: float = DEADLINE) -> bytes:
        return self._take(count, time.monotonic() + deadline)

    def read_until(self, mark: bytes, deadline: float = DEADLINE) -> bytes:
        """Everything up to and with `mark`."""
        return self._take_until(mark, time.monotonic() + deadline)

    def read_to_end(self, deadline: float = DEADLINE) -> bytes:
        """Everything until the server closes. A reset counts as closing."""
        until = time.monotonic() + deadline
        while not self._ended:
            self._receive(until)
        return self._cut(len(self._buffer))

    def expect_closed(self, deadline: float = DEADLINE) -> None:
        """Waits until the server closes, and fails when it sends anything before that."""
        rest = self.read_to_end(deadline)
        assert rest == b"", f"the server sent {rest[:200]!r} instead of closing"

    def _read_head(self, until: float) -> Response:
        head = self._take_until(b"\r\n\r\n", until).decode("latin-1")
        status_line, *lines = head[:-4].split("\r\n")
        version, status, reason = (status_line.split(" ", 2) + ["", ""])[:3]
        assert version == "HTTP/1.1", f"not a response: {status_line!r}"
        pairs = [line.partition(":") for line in lines]
        return Response(int(status), reason, [(name.lower(), value.strip()) for name, _, value in pairs])

    def _read_body(self, response: Response, until: float) -> bytes:
        if response.header("transfer-encoding") == "chunked":
            return self._read_chunks(until)
        if (length := response.header("content-length")) is not None:
            return self._take(int(length), until)
        while not self._ended:
            self._receive(until)
        return self._cut(len(self._buffer))

    def _read_chunks(self, until: float) -> bytes:
        body = b""
        while True:
            size = int(self._take_until(b"\r\n", until).split(b";")[0], 16)
            if size == 0:
                self._skip_trailers(until)
                return body
            body += self._take(size, until)
            assert self._take(2, until) == b"\r\n", "a chunk is not followed by an end of line"

    def _skip_trailers(self, until: float) -> None:
        while self._take_until(b"\r\n", until) != b"\r\n":
            pass

    def _take_until(self, mark: bytes, until: float) -> bytes:
        while mark not in self._buffer:
            self._receive_more(until)
        return self._cut(self._buffer.index(mark) + len(mark))

    def _take(self, count: int, until: float) -> bytes:
        while len(self._buffer) < count:
            self._receive_more(until)
        return self._cut(count)

    def _cut(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _receive_more(self, until: float) -> None:
        self._receive(until)
        if self._ended:
            raise ConnectionEnded(f"closed after {bytes(self._buffer[-200:])!r}")

    def _receive(self, until: float) -> None:
        left = until - time.monotonic()
        if left <= 0:
            raise TimedOut(f"no more bytes in time; unread: {bytes(self._buffer[-200:])!r}")
        self._socket.settimeout(left)
        try:
            data = self._socket.recv(65536)
        except TimeoutError:
            raise TimedOut(f"no more bytes in time; unread: {bytes(self._buffer[-200:])!r}") from None
        except ConnectionResetError:
            data = b""
        self._buffer += data
        self._ended = not data
