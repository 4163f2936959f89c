# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A real SMTP server on loopback that keeps what it is handed, and can be told to misbehave.

    with MailServer() as mail:
        house = start_house(make_server, mail.config())
        letter = mail.wait_for_letter("ann@example.org")
"""

import asyncio
import email.message
import email.parser
import email.policy
import re
import socket
import threading

from aiosmtpd.smtp import SMTP
from running_server import eventually

SENDER = "Atrium <atrium@example.org>"
LINK = re.compile(r"https?://\S+/(?:auth/\w+|join(?:/confirm)?|setup)#token=([A-Za-z0-9_\-]+)")


def parse_letter(content: bytes) -> email.message.EmailMessage:
    return email.parser.BytesParser(policy=email.policy.default).parsebytes(content)


def text_of(letter: email.message.EmailMessage, kind: str = "plain") -> str:
    part = letter.get_body((kind,))
    assert part is not None, f"the letter has no text/{kind}"
    return part.get_content()


def link_in(letter: email.message.EmailMessage) -> str:
    """The whole link."""
    found = LINK.search(text_of(letter))
    assert found, text_of(letter)
    return found[0]


def token_in(letter: email.message.EmailMessage) -> str:
    return LINK.search(text_of(letter))[1]


class MailServer:
    """Listens while it is entered. Thread-safe, as far as tests need it.

    `answer` is what it says to each letter: "250 OK" takes it, "451 Later" puts it off, "550 Never" refuses it,
    "drop" breaks the connection. hold() makes it wait with that until release().
    """

    def __init__(self):
        self.answer = "250 OK"
        self.letters: list[email.message.EmailMessage] = []
        # Letters that it was handed, whatever it answered.
        self.handed = 0
        self._released = threading.Event()
        self._released.set()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._listens = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "MailServer":
        self._thread.start()
        assert self._listens.wait(10), "the mail server does not listen"
        return self

    def __exit__(self, *_) -> None:
        self.release()
        self._loop.call_soon_threadsafe(self._leaving.set)
        self._thread.join()

    def config(self) -> dict:
        """What the configuration of a server has to say in order to send its letters here."""
        return {"mail": {"transport": "smtp", "from": SENDER, "smtp_host": "127.0.0.1", "smtp_port": self.port,
                         "smtp_tls": "none"}}

    def hold(self) -> None:
        self._released.clear()

    def release(self) -> None:
        self._released.set()

    def letters_to(self, address: str) -> list[email.message.EmailMessage]:
        return [letter for letter in list(self.letters) if letter["To"].addresses[0].addr_spec == address]

    def wait_for_letter(self, address: str, number: int = 1) -> email.message.EmailMessage:
        """The letter of this number to the address, counted from 1."""
        eventually(lambda: len(self.letters_to(address)) >= number, what=f"letter {number} to {address}")
        return self.letters_to(address)[number - 1]

    # What aiosmtpd calls, on the thread of the loop.

    async def handle_DATA(self, server, _session, envelope) -> str:  # noqa: N802
        self.handed += 1
        while not self._released.is_set():
            await asyncio.sleep(0.01)
        if self.answer == "drop":
            server.transport.abort()
            return "421 Gone"
        if self.answer.startswith("2"):
            self.letters.append(parse_letter(envelope.content))
        return self.answer

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        sessions = []

        def factory() -> SMTP:
            sessions.append(SMTP(self, hostname="mail.test", loop=asyncio.get_running_loop()))
            return sessions[-1]

        self._loop = asyncio.get_running_loop()
        self._leaving = asyncio.Event()
        listening = await self._loop.create_server(factory, sock=self._socket)
        self._listens.set()
        await self._leaving.wait()
        # A talk that is being accepted has a socket, but nobody yet who could close it, and a closed server takes no
        # more of them: each is let begin and is broken off then.
        self._loop.remove_reader(self._socket)
        while talking := asyncio.all_tasks() - {asyncio.current_task()}:
            for session in sessions:
                if session.transport is not None:
                    session.transport.abort()
            await asyncio.wait(talking, timeout=0.01)
        listening.close()
