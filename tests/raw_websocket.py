# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""WebSocket frame by frame, for what no client library would send."""

import base64
import dataclasses
import hashlib
import struct

from raw_http import DEADLINE, RawConnection, Response

CONTINUATION, TEXT, BYTES, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA

KEY = base64.b64encode(b"sixteen bytes 16").decode()
ACCEPT = base64.b64encode(
    hashlib.sha1((KEY + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()


@dataclasses.dataclass(frozen=True)
class Frame:
    """One frame of the server, which are never masked."""

    opcode: int
    payload: bytes
    last: bool = True

    @property
    def code(self) -> int:
        """Of a close frame: why."""
        assert self.opcode == CLOSE, self
        return struct.unpack("!H", self.payload[:2])[0]

    @property
    def reason(self) -> str:
        return self.payload[2:].decode()


def handshake(path: str, *headers: str, without: tuple[str, ...] = (), method: str = "GET",
              version: str = "HTTP/1.1") -> str:
    """A request for a socket, with these headers more and those `without`."""
    usual = {"Host": "localhost", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
             "Sec-WebSocket-Key": KEY}
    lines = [f"{name}: {value}" for name, value in usual.items() if name not in without]
    return "\r\n".join([f"{method} {path} {version}", *lines, *headers]) + "\r\n\r\n"


def frame(opcode: int, payload: bytes | str = b"", last: bool = True, mask: bytes | None = b"\x5a\x01\xfe\x33",
          reserved: int = 0) -> bytes:
    """The bytes of a frame, masked as clients must unless `mask` is None."""
    content = payload.encode() if isinstance(payload, str) else payload
    head = bytes([(0x80 if last else 0) | reserved | opcode])
    masked = 0x80 if mask is not None else 0
    if len(content) < 126:
        head += bytes([masked | len(content)])
    elif len(content) < 1 << 16:
        head += bytes([masked | 126]) + struct.pack("!H", len(content))
    else:
        head += bytes([masked | 127]) + struct.pack("!Q", len(content))
    if mask is None:
        return head + content
    key = (mask * (len(content) // 4 + 1))[:len(content)]
    flipped = int.from_bytes(content, "big") ^ int.from_bytes(key, "big")
    return head + mask + flipped.to_bytes(len(content), "big")


def close_frame(code: int, reason: str = "") -> bytes:
    return frame(CLOSE, struct.pack("!H", code) + reason.encode())


class RawWebSocket:
    """A connection on which the handshake is done."""

    def __init__(self, server, path: str, *headers: str, connection: RawConnection | None = None):
        self.connection = connection or server.connect()
        self.connection.send(handshake(path, *headers))
        self.head: Response = self.connection.read_head()
        assert self.head.status == 101, f"no socket but {self.head}"

    def __enter__(self) -> "RawWebSocket":
        return self

    def __exit__(self, *_) -> None:
        self.connection.close()

    def send(self, *frames: bytes) -> "RawWebSocket":
        self.connection.send(b"".join(frames))
        return self

    def read(self, deadline: float = DEADLINE) -> Frame:
        """The next frame, whatever it is."""
        first, second = self.connection.read_bytes(2, deadline)
        assert second < 0x80, "a server masks nothing"
        length = second
        if length == 126:
            length = struct.unpack("!H", self.connection.read_bytes(2, deadline))[0]
        elif length == 127:
            length = struct.unpack("!Q", self.connection.read_bytes(8, deadline))[0]
        assert first & 0x70 == 0, "no extension was agreed on"
        return Frame(first & 0x0F, self.connection.read_bytes(length, deadline), bool(first & 0x80))

    def expect_end(self, code: int, deadline: float = DEADLINE) -> str:
        """The close frame is next, with this code, and then the end of the connection; answers the reason."""
        last = self.read(deadline)
        assert last.opcode == CLOSE, f"not the end but {last}"
        assert last.code == code, f"{last.code} {last.reason}"
        self.connection.expect_closed(deadline)
        return last.reason
