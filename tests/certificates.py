# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Certificates made for one test, and clients that trust them."""

import dataclasses
import pathlib
import socket
import ssl
import subprocess

from raw_http import DEADLINE, RawConnection
from running_server import RunningServer


@dataclasses.dataclass(frozen=True)
class Certificate:
    """A self-signed certificate for localhost, with its key, as PEM files."""

    certificate: pathlib.Path
    key: pathlib.Path
    serial: int


KEYS = {"ec": ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"], "rsa": ["rsa:2048"]}


def make_certificate(folder: pathlib.Path, serial: int, kind: str = "ec") -> Certificate:
    """Writes both files into `folder`, over those that are there."""
    made = Certificate(folder / "certificate.pem", folder / "key.pem", serial)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", *KEYS[kind], "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-set_serial", str(serial), "-keyout", made.key, "-out", made.certificate],
        check=True, capture_output=True)
    return made


def tls_config(certificate: Certificate) -> dict:
    return {"tls": {"certificate": str(certificate.certificate), "key": str(certificate.key),
                    "address": "127.0.0.1", "port": 0}}


def tls_port(server: RunningServer) -> int:
    return next(int(line["port"]) for line in server.listeners() if line["url"].startswith("https://"))


def trusting(certificate: Certificate) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certificate.certificate)


def connect_tls(server: RunningServer, context: ssl.SSLContext, deadline: float = DEADLINE) -> RawConnection:
    def wrap(plain: socket.socket) -> ssl.SSLSocket:
        return context.wrap_socket(plain, server_hostname="localhost")

    return RawConnection(("127.0.0.1", tls_port(server)), wrap=wrap, deadline=deadline)


def serial_seen(server: RunningServer) -> int:
    """The serial number of the certificate that a new connection is shown."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", tls_port(server)), timeout=DEADLINE) as plain:
        with context.wrap_socket(plain) as secure:
            shown = ssl.DER_cert_to_PEM_cert(secure.getpeercert(binary_form=True))
    printed = subprocess.run(["openssl", "x509", "-noout", "-serial"], input=shown, capture_output=True, text=True,
                             check=True)
    return int(printed.stdout.strip().removeprefix("serial="), 16)
