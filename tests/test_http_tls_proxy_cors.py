# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Who may talk to the server and what it believes of them: TLS, proxies, operators, pages of other sites."""

import hashlib
import http.client
import os
import ssl
import warnings

import pytest
from certificates import connect_tls, make_certificate, tls_config, tls_port, trusting
from identity_client import start_house

MIB = 1 << 20


def get(path: str, *headers: str, method: str = "GET") -> str:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers]) + "\r\n\r\n"


# TLS.


@pytest.fixture
def certificate(tmp_path):
    return make_certificate(tmp_path, serial=77)


@pytest.fixture
def secure(make_server, certificate, tmp_path):
    content = os.urandom(20 * MIB)
    (tmp_path / "file").write_bytes(content)
    return make_server(binary="atrium_lab", config=tls_config(certificate), env={"LAB_FILE": str(tmp_path / "file")})


def test_requests_are_served_over_tls(secure, certificate):
    with connect_tls(secure, trusting(certificate)) as connection:
        for _ in range(2):
            answer = connection.send(get("/lab/whoami")).read_response()
            assert answer.json() == {"client": "127.0.0.1", "scheme": "https", "host": "localhost"}


def test_plain_http_is_served_beside_tls(secure):
    assert secure.get("/lab/whoami").json()["scheme"] == "http"


def test_browsers_are_told_to_stay_with_tls_only_over_tls(secure, certificate):
    assert secure.get("/livez").header("strict-transport-security") is None
    with connect_tls(secure, trusting(certificate)) as connection:
        for path in ("/livez", "/lab/nothing", "/"):
            answer = connection.send(get(path)).read_response()
            assert answer.header("strict-transport-security") == "max-age=31536000"


@pytest.mark.parametrize("version, served", [("TLSv1_1", False), ("TLSv1_2", True), ("TLSv1_3", True)])
def test_only_current_versions_of_tls_are_spoken(secure, certificate, version, served):
    context = trusting(certificate)
    with warnings.catch_warnings():
        # That a client should not use it is just what is tested here.
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = ssl.TLSVersion[version]
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    if served:
        with connect_tls(secure, context) as connection:
            assert connection.send(get("/livez")).read_response().text == "ok\n"
    else:
        with pytest.raises(ssl.SSLError, match="(?i)protocol version"):
            connect_tls(secure, context)


SUITES = ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305"]
# Without forward secrecy, with CBC, or without both; what OpenSSL has of them for this kind of key and for RSA.
WEAK_SUITES = ["ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384", "ECDHE-ECDSA-AES128-SHA", "ECDHE-RSA-AES256-SHA",
               "AES128-SHA", "AES256-SHA256", "AES128-GCM-SHA256", "AES256-GCM-SHA384",
               "DHE-RSA-AES256-GCM-SHA384", "DHE-RSA-AES128-SHA"]


def speaking(certificate, suites: str) -> ssl.SSLContext:
    context = trusting(certificate)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(suites)
    return context


@pytest.fixture(params=["ec", "rsa"])
def server_of_either_key(request, make_server, tmp_path):
    made = make_certificate(tmp_path, serial=78, kind=request.param)
    return make_server(binary="atrium_lab", config=tls_config(made)), made, request.param


def test_forward_secret_suites_are_spoken(server_of_either_key):
    server, certificate, kind = server_of_either_key
    for suite in SUITES:
        wanted = suite.replace("ECDSA", "RSA") if kind == "rsa" else suite
        with connect_tls(server, speaking(certificate, wanted)) as connection:
            assert connection.stream.cipher()[0] == wanted
            assert connection.send(get("/livez")).read_response().text == "ok\n"


@pytest.mark.parametrize("suite", WEAK_SUITES)
def test_suites_without_forward_secrecy_or_with_cbc_are_refused(server_of_either_key, suite):
    server, certificate, kind = server_of_either_key
    wanted = suite.replace("ECDSA", "RSA") if kind == "rsa" else suite
    with pytest.raises(ssl.SSLError, match="(?i)handshake failure"):
        connect_tls(server, speaking(certificate, f"{wanted}:@SECLEVEL=0"))


def test_the_client_chooses_among_the_suites(secure, certificate):
    for first, second in (SUITES[:2], SUITES[1::-1]):
        with connect_tls(secure, speaking(certificate, f"{first}:{second}")) as connection:
            assert connection.stream.cipher()[0] == first


def test_http_1_1_is_chosen_by_alpn(secure, certificate):
    context = trusting(certificate)
    context.set_alpn_protocols(["h2", "http/1.1"])
    with connect_tls(secure, context) as connection:
        assert connection.stream.selected_alpn_protocol() == "http/1.1"


def test_plain_text_on_the_tls_port_is_not_answered(secure):
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        plain = http.client.HTTPConnection("127.0.0.1", tls_port(secure), timeout=10)
        try:
            plain.request("GET", "/livez")
            plain.getresponse()
        finally:
            plain.close()
    assert secure.get("/livez").status == 200


def test_a_large_download_over_tls_arrives_whole(secure, certificate, tmp_path):
    connection = http.client.HTTPSConnection("localhost", tls_port(secure), context=trusting(certificate), timeout=60)
    connection.request("GET", "/lab/file")
    received = connection.getresponse().read()
    connection.close()
    assert received == (tmp_path / "file").read_bytes()


def test_a_large_upload_over_tls_arrives_whole(secure, certificate, tmp_path):
    content = (tmp_path / "file").read_bytes()
    connection = http.client.HTTPSConnection("localhost", tls_port(secure), context=trusting(certificate), timeout=60)
    connection.request("PUT", "/lab/upload", body=content)
    answer = connection.getresponse().read().decode()
    connection.close()
    assert answer == f"{len(content)} {hashlib.sha256(content).hexdigest()}\n"


def test_pipelined_and_generated_answers_work_over_tls(secure, certificate):
    with connect_tls(secure, trusting(certificate)) as connection:
        connection.send(get("/lab/names/a") + get("/lab/count/50000") + get("/lab/sleep/10") + get("/lab/names/b"))
        assert connection.read_response().text == "a"
        assert connection.read_response().body == b"".join(b"%d\n" % n for n in range(50_000))
        assert connection.read_response().text == "slept"
        assert connection.read_response().text == "b"


def test_a_connection_over_tls_is_closed_with_a_farewell(secure, certificate):
    # Without close_notify, a client could not tell the end from a cut.
    context = trusting(certificate)
    with connect_tls(secure, context) as connection:
        connection.stream.suppress_ragged_eofs = False
        assert connection.send(get("/livez", "Connection: close")).read_response().text == "ok\n"
        connection.expect_closed()


# Proxies.


@pytest.fixture
def behind_proxy(make_server):
    return make_server(binary="atrium_lab", config={"http": {"trusted_proxies": ["127.0.0.1/32", "10.0.0.0/8"]}})


def whoami(server, *headers: str, source: str = "127.0.0.1") -> dict:
    with server.connect(source=source) as connection:
        answer = connection.send(get("/lab/whoami", *headers)).read_response()
        assert answer.status == 200
        return answer.json()


def test_a_trusted_proxy_says_who_asked(behind_proxy):
    seen = whoami(behind_proxy, "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https",
                  "X-Forwarded-Host: calendar.example")
    assert seen == {"client": "203.0.113.9", "scheme": "https", "host": "calendar.example"}


def test_a_stranger_says_nothing_about_who_asked(behind_proxy):
    seen = whoami(behind_proxy, "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https",
                  "X-Forwarded-Host: calendar.example", source="127.0.0.2")
    assert seen == {"client": "127.0.0.2", "scheme": "http", "host": "localhost"}


def test_nobody_is_trusted_unless_configured(lab):
    seen = whoami(lab, "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https", "X-Forwarded-Host: a.example")
    assert seen == {"client": "127.0.0.1", "scheme": "http", "host": "localhost"}


@pytest.mark.parametrize("headers, client", [
    (["X-Forwarded-For: 198.51.100.1, 203.0.113.9"], "203.0.113.9"),
    (["X-Forwarded-For: 127.0.0.1, 203.0.113.9"], "203.0.113.9"),
    (["X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 203.0.113.9"], "203.0.113.9"),
    (["X-Forwarded-For: 198.51.100.1, 203.0.113.9, 10.1.2.3"], "203.0.113.9"),
    (["X-Forwarded-For: made up, 203.0.113.9"], "203.0.113.9"),
    (["X-Forwarded-For: 2001:db8::1"], "2001:db8::1"),
    (["X-Forwarded-For: ::ffff:203.0.113.9"], "203.0.113.9"),
    (["X-Forwarded-For: nonsense"], "127.0.0.1"),
    (["X-Forwarded-For:"], "127.0.0.1"),
    ([], "127.0.0.1"),
], ids=lambda value: str(value)[:60])
def test_only_what_trusted_proxies_added_is_believed(behind_proxy, headers, client):
    assert whoami(behind_proxy, *headers)["client"] == client


@pytest.mark.parametrize("header", [
    "X-Forwarded-Host: a b", "X-Forwarded-Host: a/b", "X-Forwarded-Host: <script>", "X-Forwarded-Host: user@a",
])
def test_a_forwarded_host_that_is_none_is_not_believed(behind_proxy, header):
    assert whoami(behind_proxy, "X-Forwarded-For: 203.0.113.9", header)["host"] == "localhost"


def test_the_log_names_the_client_behind_the_proxy(behind_proxy):
    whoami(behind_proxy, "X-Forwarded-For: 203.0.113.9")
    behind_proxy.stop()
    assert '"client":"203.0.113.9"' in behind_proxy.stdout()


def test_the_proxy_that_ended_tls_makes_browsers_stay_with_it(behind_proxy):
    answer = behind_proxy.get("/livez", {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"})
    assert answer.header("strict-transport-security") == "max-age=31536000"


# Operators.


def metrics_status(server, *headers: str, source: str = "127.0.0.1") -> int:
    with server.connect(source=source) as connection:
        return connection.send(get("/metrics", *headers)).read_response().status


def test_measurements_are_for_operators_alone(make_server):
    server = make_server(config={"http": {"operators": ["127.0.0.1/32"]}})
    assert metrics_status(server) == 200
    assert metrics_status(server, source="127.0.0.2") == 403


def host_status(server, host: str) -> int:
    with server.connect() as connection:
        return connection.send(f"GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n").read_response().status


def test_measurements_are_not_for_names_of_somebody_else(make_server):
    """A page can have its own name lead to this machine, and then asks from here."""
    server = make_server(config={"http": {"operator_hosts": ["metrics.internal"]},
                                 "identity": {"public_url": "https://cloud.example.org"}})
    for host in ("localhost", f"localhost:{server.port}", "127.0.0.1", "[::1]:80", "192.0.2.7", "metrics.internal:9000",
                 "cloud.example.org", "CLOUD.example.org:8443"):
        assert host_status(server, host) == 200, host
    for host in ("rebound.example", "localhost.rebound.example", "127.0.0.1.nip.io", "cloud.example.org.rebound.example"):
        assert host_status(server, host) == 403, host


def test_measurements_can_be_read_by_the_host_of_an_organisation(make_server):
    house = start_house(make_server)
    assert host_status(house.server, "chess.example") == 403
    house.make_org("Chess", "chess.example")
    assert host_status(house.server, "chess.example") == 200


def test_measurements_can_be_for_nobody(make_server):
    assert metrics_status(make_server(config={"http": {"operators": []}})) == 403


@pytest.mark.parametrize("header", ["X-Forwarded-For: 127.0.0.1", "X-Forwarded-For: 203.0.113.9",
                                    "Forwarded: for=127.0.0.1", "x-forwarded-for:"])
@pytest.mark.parametrize("trusted", [[], ["127.0.0.1/32"]], ids=["untrusted", "trusted"])
def test_what_was_forwarded_to_this_machine_is_not_local(make_server, header, trusted):
    server = make_server(config={"http": {"trusted_proxies": trusted}})
    assert metrics_status(server, header) == 403
    assert metrics_status(server) == 200


# Pages of other sites.

ALLOWED = "https://app.example"


@pytest.fixture
def shared(make_server):
    return make_server(binary="atrium_lab", config={"http": {"cors_origins": [ALLOWED, "http://localhost:5173"]}})


def cors(answer) -> dict[str, str]:
    return {name: value for name, value in answer.headers if name.startswith("access-control-")}


def test_a_page_of_an_allowed_origin_may_ask(shared):
    answer = shared.request("OPTIONS", "/lab/echo", headers={
        "Origin": ALLOWED, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"})
    assert answer.status == 204
    granted = cors(answer)
    assert granted["access-control-allow-origin"] == ALLOWED
    assert granted["access-control-allow-credentials"] == "true"
    assert "POST" in granted["access-control-allow-methods"].split(", ")
    assert "content-type" in granted["access-control-allow-headers"].lower().split(", ")
    assert int(granted["access-control-max-age"]) > 0
    assert "Origin" in answer.all("vary")


@pytest.mark.parametrize("path, status", [("/lab/names/a", 200), ("/lab/nothing", 404), ("/lab/fail/throws", 500)])
def test_a_page_of_an_allowed_origin_may_read_the_answer(shared, path, status):
    answer = shared.get(path, {"Origin": ALLOWED})
    assert answer.status == status
    assert cors(answer)["access-control-allow-origin"] == ALLOWED
    assert "X-Request-Id" in cors(answer)["access-control-expose-headers"]
    assert "Origin" in answer.all("vary")


@pytest.mark.parametrize("origin", [
    "https://evil.example", "http://app.example", "https://app.example:444", "https://app.example.evil.example",
    "https://APP.example", "null", "*", "", "https://app.example/",
])
def test_pages_of_other_origins_are_told_nothing(shared, origin):
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    assert cors(shared.request("OPTIONS", "/lab/echo", headers=asked)) == {}
    assert cors(shared.get("/lab/names/a", {"Origin": origin})) == {}


def test_without_configured_origins_nobody_is_told_anything(lab):
    asked = {"Origin": ALLOWED, "Access-Control-Request-Method": "POST"}
    assert cors(lab.request("OPTIONS", "/lab/echo", headers=asked)) == {}
    assert cors(lab.get("/lab/names/a", {"Origin": ALLOWED})) == {}


def test_caches_are_told_that_answers_depend_on_the_origin(shared):
    # Else a cache could give the answer made for one origin to a page of another.
    assert "Origin" in shared.get("/").all("vary")
    assert "Origin" in shared.get("/", {"Origin": "https://evil.example"}).all("vary")
