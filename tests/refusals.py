# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What a refused request looks like to its sender, and to everybody else."""

from running_server import RunningServer


def expect_refused(server: RunningServer, request: bytes | str, status: int) -> dict:
    """Answered with a problem, then closed: what follows such a request cannot be trusted."""
    with server.connect() as connection:
        answer = connection.send(request).read_response()
        assert answer.status == status
        assert answer.header("connection") == "close"
        assert answer.header("content-type") == "application/problem+json"
        connection.expect_closed()
    return answer.json()


def expect_others_are_served(server: RunningServer) -> None:
    """On every thread of the server, a client that comes next is served as if nothing had happened."""
    for _ in range(8):
        assert server.get("/livez").text == "ok\n"
        assert server.post("/lab/echo", b"still here").body == b"still here"
