# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A certified OpenID provider on loopback (tests/oidc), and a browser that signs in there.

    with OidcProvider([server.url + "/auth/oidc/callback"]) as provider:
        callback = provider.sign_in(authorization_url, "ann")
"""

import html
import http.cookiejar
import json
import pathlib
import re
import select
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import npm_packages

FOLDER = pathlib.Path(__file__).resolve().parent / "oidc"
START_SECONDS = 60
STEP_SECONDS = 20
STEPS_MAX = 12


class OidcProvider:
    """The running provider. Accounts are "ann" (verified address) and "bob" (unverified); more by put_account."""

    # A client with a secret, whose tokens are signed with RS256; and one without, ES256.
    CLIENT_ID = "atrium"
    CLIENT_SECRET = "atrium-secret"
    PUBLIC_CLIENT_ID = "atrium-public"

    def __init__(self, redirect_uris: list[str] | None = None):
        npm_packages.install(FOLDER)
        arguments = [f"--redirect-uri={uri}" for uri in redirect_uris or []]
        self.process = subprocess.Popen(["node", "provider.mjs", *arguments], cwd=FOLDER, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.issuer: str = json.loads(self._first_line())["issuer"]
        except BaseException:
            self.stop()
            raise

    def _first_line(self) -> str:
        ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        line = self.process.stdout.readline() if ready else ""
        assert line, f"the provider did not start (status {self.process.poll()})"
        return line

    def __enter__(self) -> "OidcProvider":
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    # Test controls.

    def set_redirect_uris(self, *uris: str) -> None:
        self._control("settings", {"redirect_uris": uris})

    def put_claims_in_id_token(self, wanted: bool = True) -> None:
        """Otherwise e-mail and name are to be had from the UserInfo endpoint alone, as the standard has it."""
        self._control("settings", {"claims_in_id_token": wanted})

    def put_account(self, name: str, email: str, email_verified: bool = True, **claims) -> None:
        self._control("accounts", {"id": name, "email": email, "email_verified": email_verified, **claims})

    def rotate_keys(self) -> None:
        """New keys under new ids; the old ones are no longer published."""
        self._control("rotate-keys", {})

    def replace_nonce(self, nonce: str = "another-nonce") -> None:
        self._control("tamper", {"nonce": nonce})

    def skew_clock(self, seconds: int) -> None:
        """ID tokens are issued, and expire, that much later."""
        self._control("tamper", {"skew_seconds": seconds})

    def replace_claims(self, **claims) -> None:
        """Any claims of ID tokens, signed as usual: aud=..., iss=..., sub=...."""
        self._control("tamper", {"claims": claims})

    def strip_signature(self) -> None:
        """ID tokens of the algorithm "none"."""
        self._control("tamper", {"unsigned": True})

    def sign_with_foreign_key(self) -> None:
        """ID tokens that name a published key and are signed with another."""
        self._control("tamper", {"foreign_key": True})

    def stop_tampering(self) -> None:
        self._control("tamper", {})

    def request_count(self, path: str) -> int:
        """How often this path ("/jwks", "/token") was asked for."""
        with urllib.request.urlopen(f"{self.issuer}/__test/requests", timeout=STEP_SECONDS) as answer:
            return json.load(answer).get(path, 0)

    def _control(self, name: str, body: dict) -> None:
        request = urllib.request.Request(f"{self.issuer}/__test/{name}", json.dumps(body).encode(), method="POST")
        urllib.request.urlopen(request, timeout=STEP_SECONDS).close()

    # The person.

    def sign_in(self, authorization_url: str, account: str) -> str:
        """Goes where the server under test sends the browser, signs in, consents, and answers where the browser is sent
        then: the callback, with its code or its error, which has not been called."""
        browser = _Browser()
        url, form = authorization_url, None
        for _ in range(STEPS_MAX):
            page, location = browser.open(url, form)
            if location is not None:
                url, form = urllib.parse.urljoin(url, location), None
                if not url.startswith(self.issuer + "/"):
                    return url
                continue
            url, form = self._answer(url, page, account)
        raise AssertionError(f"the provider still asks after {STEPS_MAX} steps: {url}")

    @staticmethod
    def _answer(url: str, page: str, account: str) -> tuple[str, dict[str, str]]:
        """Where the form of this page goes, and what a person would enter."""
        action = re.search(r'<form[^>]* action="([^"]+)"', page)
        prompt = re.search(r'name="prompt" value="(\w+)"', page)
        assert action and prompt, f"neither a form nor a redirect at {url}:\n{page[:2000]}"
        form = {"prompt": prompt[1]}
        if prompt[1] == "login":
            form |= {"login": account, "password": "any"}
        return urllib.parse.urljoin(url, html.unescape(action[1])), form


class _Browser:
    """Keeps cookies and follows nothing by itself."""

    def __init__(self):
        self._opener = urllib.request.build_opener(
            _Stay, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), urllib.request.ProxyHandler({}))

    def open(self, url: str, form: dict[str, str] | None) -> tuple[str, str | None]:
        """The page, and where it redirects to, if it does."""
        body = urllib.parse.urlencode(form).encode() if form is not None else None
        try:
            answer = self._opener.open(url, body, timeout=STEP_SECONDS)
        except urllib.error.HTTPError as error:
            # Every status from 300 on is one to urllib.
            answer = error
        with answer:
            return answer.read().decode(), answer.headers.get("Location") if 300 <= answer.status < 400 else None


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None
