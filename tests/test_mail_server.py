# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The mail server of the tests must not fail them: whoever knocks while it leaves is let go."""

import gc
import socket
import threading

from mail_server import MailServer

ROUNDS = 100


def knock(port: int, begun: threading.Event, kept: list[socket.socket]) -> None:
    begun.set()
    for _ in range(3):
        try:
            kept.append(socket.create_connection(("127.0.0.1", port), timeout=5))
        except OSError:
            return


def test_who_knocks_while_it_leaves_is_let_go():
    """An open socket that is forgotten becomes a warning, and a warning fails the test."""
    for _ in range(ROUNDS):
        begun = threading.Event()
        kept: list[socket.socket] = []
        with MailServer() as mail:
            visitor = threading.Thread(target=knock, args=(mail.port, begun, kept))
            visitor.start()
            begun.wait()
        visitor.join()
        for one in kept:
            one.close()
    gc.collect()
