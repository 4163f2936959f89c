# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Signing in through a certified OpenID provider, and everything by which somebody could try to get in without it."""

import concurrent.futures
import json
import urllib.parse

import pytest
from identity_client import IdentityClient, bearer, session, start_house
from oidc_provider import OidcProvider
from raw_http import Response

LOOPBACK = {"egress": {"allowed_networks": ["127.0.0.0/8"]}}
# A provider that takes its time must not fail a test.
PATIENCE = 30.0


class Browser:
    """Keeps the cookies of the server under test and follows nothing by itself."""

    def __init__(self, house: IdentityClient, host: str | None = None):
        self.house = house
        self.host = host
        self.cookies: dict[str, str] = {}

    def call(self, method: str, path: str, body: dict | None = None) -> Response:
        sent = "; ".join(f"{name}={value}" for name, value in self.cookies.items()
                         if name != "signin" or path.startswith("/auth"))
        headers = {"Cookie": sent, "X-Requested-With": "test"}
        answer = self.house.call(method, path, body, headers=headers, host=self.host, deadline=PATIENCE)
        for name, value, attributes in cookies_of(answer):
            self.cookies[name] = value
            if attributes.get("max-age") == "0":
                del self.cookies[name]
        return answer

    def leave(self, query: str = "") -> str:
        """Begins to sign in; where the browser is sent."""
        answer = self.call("GET", "/auth/home/login" + query)
        assert answer.status == 303, answer.text
        return answer.header("location")

    def come_back(self, callback: str) -> Response:
        url = urllib.parse.urlsplit(callback)
        return self.call("GET", f"{url.path}?{url.query}")

    def me(self) -> dict:
        answer = self.call("GET", "/api/me")
        assert answer.status == 200, answer.text
        return answer.json()["user"]


def cookies_of(answer: Response) -> list[tuple[str, str, dict[str, str]]]:
    found = []
    for line in answer.all("set-cookie"):
        first, *rest = line.split("; ")
        name, _, value = first.partition("=")
        found.append((name, value, {key.lower(): text for key, _, text in (part.partition("=") for part in rest)}))
    return found


def parameters(url: str) -> dict[str, str]:
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


def with_parameters(url: str, **changed: str) -> str:
    return urllib.parse.urlsplit(url)._replace(query=urllib.parse.urlencode(parameters(url) | changed)).geturl()


def problem(answer: Response) -> tuple[int, str]:
    assert answer.header("content-type") == "application/problem+json", answer.text
    return answer.status, answer.json()["detail"]


def signed_in(answer: Response) -> bool:
    if answer.status != 303:
        assert "session" not in [name for name, _, _ in cookies_of(answer)]
    return answer.status == 303


@pytest.fixture(scope="module")
def running_provider():
    with OidcProvider() as provider:
        yield provider


@pytest.fixture
def provider(running_provider):
    yield running_provider
    running_provider.stop_tampering()
    running_provider.put_claims_in_id_token(False)


@pytest.fixture
def house(make_server, provider):
    house = start_house(make_server, LOOPBACK, binary="atrium_lab")
    provider.set_redirect_uris(house.server.url + "/auth/home/callback")
    enter(house, provider)
    return house


@pytest.fixture
def browser(house):
    return Browser(house)


def enter(house: IdentityClient, provider: OidcProvider, who: dict[str, str] | None = None, query: str = "",
          **changed) -> None:
    wanted = {"name": "Home", "issuer": provider.issuer, "client_id": provider.CLIENT_ID,
              "client_secret": provider.CLIENT_SECRET, "trusted": True, "creates_users": True} | changed
    answer = house.call("PUT", "/api/providers/home" + query, wanted, who or house.root)
    assert answer.status == 200, answer.text


def sign_in(browser: Browser, provider: OidcProvider, account: str = "ann", query: str = "") -> Response:
    return browser.come_back(provider.sign_in(browser.leave(query), account))


class TestTheWayIn:
    def test_somebody_new_gets_an_account(self, house, provider, browser):
        answer = sign_in(browser, provider, query="?return_to=/calendar")
        assert (answer.status, answer.header("location")) == (303, "/calendar")
        me = browser.me()
        assert (me["email"], me["name"], me["role"]) == ("ann@example.org", "Ann Example", "user")
        assert house.audit_actions(f"user:{me['id']}") == ["user.created", "identity.linked"]

    def test_the_same_person_is_found_again_whatever_their_address_is_now(self, provider, browser, house):
        provider.put_account("carol", "carol@example.org")
        assert signed_in(sign_in(browser, provider, "carol"))
        provider.put_account("carol", "carol.renamed@example.org", email_verified=False)
        again = Browser(house)
        assert signed_in(sign_in(again, provider, "carol"))
        assert again.me() == browser.me()

    def test_claims_may_be_in_the_token_itself(self, provider, browser):
        provider.put_claims_in_id_token()
        assert signed_in(sign_in(browser, provider))
        assert browser.me()["email"] == "ann@example.org"

    def test_a_client_without_a_secret_signs_in_with_other_keys(self, house, provider, browser):
        enter(house, provider, client_id=provider.PUBLIC_CLIENT_ID, client_secret="")
        assert signed_in(sign_in(browser, provider))

    def test_the_browser_is_bound_by_a_cookie_for_ten_minutes(self, house):
        answer = house.get("/auth/home/login")
        ((name, value, attributes),) = cookies_of(answer)
        assert name == "signin" and len(value) >= 43
        assert attributes == {"path": "/auth", "max-age": "600", "httponly": "", "samesite": "Lax"}
        answer = house.get("/auth/home/login", headers={"X-Forwarded-Proto": "https"})
        ((name, _, attributes),) = cookies_of(answer)
        assert name == "__Host-signin"
        assert attributes == {"path": "/", "max-age": "600", "httponly": "", "secure": "", "samesite": "Lax"}

    def test_the_cookie_is_forgotten_afterwards(self, provider, browser):
        assert signed_in(sign_in(browser, provider))
        assert set(browser.cookies) == {"session"}

    def test_nobody_is_sent_elsewhere_afterwards(self, provider, browser):
        for elsewhere in "https://evil.example/", "//evil.example", "/\\evil.example":
            answer = sign_in(browser, provider, query="?return_to=" + urllib.parse.quote(elsewhere))
            assert (answer.status, answer.header("location")) == (303, "/")

    def test_a_second_factor_is_the_business_of_the_provider(self, house, provider, browser):
        ann = house.make_user("ann@example.org")
        house.turn_on_second_factor(house.sign_in(ann))
        assert signed_in(sign_in(browser, provider))

    def test_who_was_erased_is_somebody_new(self, house, provider, browser):
        assert signed_in(sign_in(browser, provider))
        before = browser.me()["id"]
        assert house.delete(f"/api/users/{before}", house.root).status == 204
        assert signed_in(sign_in(browser, provider))
        assert browser.me()["id"] != before


class TestWhoGetsWhichAccount:
    def test_a_trusted_provider_links_a_verified_address(self, house, provider, browser):
        ann = house.make_user("ann@example.org", role="admin")
        assert signed_in(sign_in(browser, provider))
        assert (browser.me()["id"], browser.me()["role"]) == (ann.id, "admin")

    def test_an_address_that_is_not_verified_is_refused(self, house, provider, browser):
        house.make_user("bob@example.org")
        status, detail = problem(sign_in(browser, provider, "bob"))
        assert status == 403 and "sign in to it first" in detail

    def test_a_provider_that_is_not_trusted_is_refused(self, house, provider, browser):
        enter(house, provider, trusted=False)
        house.make_user("ann@example.org")
        status, detail = problem(sign_in(browser, provider))
        assert status == 403 and "sign in to it first" in detail

    def test_a_superadmin_is_never_known_by_the_address_alone(self, provider, browser):
        provider.put_account("mallory", "root@example.org")
        assert problem(sign_in(browser, provider, "mallory"))[0] == 403

    def test_no_account_is_made_for_an_address_that_is_not_verified(self, provider, browser):
        status, detail = problem(sign_in(browser, provider, "bob"))
        assert status == 403 and "not verified" in detail

    def test_no_account_is_made_where_the_provider_makes_none(self, house, provider, browser):
        enter(house, provider, creates_users=False)
        assert problem(sign_in(browser, provider))[0] == 403
        assert house.get("/api/users?email=ann@example.org", house.root).json()["users"] == []

    def test_somebody_deactivated_stays_out(self, house, provider, browser):
        assert signed_in(sign_in(browser, provider))
        path = f"/api/users/{browser.me()['id']}"
        assert house.patch(path, {"status": "deactivated"}, house.root).status == 200
        assert problem(sign_in(Browser(house), provider)) == (403, "this account is deactivated")

    def test_organisations_have_providers_of_their_own(self, house, provider, browser):
        other = house.make_org("Other", "other.example")
        assert house.get("/api/auth/providers", host="other.example").json() == {"providers": [], "mail": False}
        assert house.get("/auth/home/login", host="other.example").status == 404
        assert signed_in(sign_in(browser, provider))
        enter(house, provider, query=f"?org={other['id']}")
        provider.set_redirect_uris(f"http://other.example:{house.server.port}/auth/home/callback")
        status, detail = problem(sign_in(Browser(house, "other.example"), provider))
        assert status == 403 and "another organisation" in detail


class TestAddingAnAccountToOnesOwn:
    @pytest.fixture
    def bob(self, house, browser):
        """Somebody signed in in the browser, with another address than the provider knows."""
        bob = house.make_user("bob@example.net")
        browser.cookies["session"] = house.open_session(bob)
        return bob

    def link(self, browser, provider, account="ann") -> Response:
        answer = browser.call("POST", "/api/me/identities/home", {"return_to": "/settings"})
        assert answer.status == 201, answer.text
        return browser.come_back(provider.sign_in(answer.json()["url"], account))

    def test_it_is_a_way_in_from_then_on(self, house, provider, browser, bob):
        enter(house, provider, trusted=False, creates_users=False)
        answer = self.link(browser, provider)
        assert (answer.status, answer.header("location")) == (303, "/settings")
        (linked,) = browser.call("GET", "/api/me/identities").json()["identities"]
        assert (linked["issuer"], linked["subject"], linked["email"]) == (provider.issuer, "ann", "ann@example.org")
        other = Browser(house)
        assert signed_in(sign_in(other, provider))
        assert other.me()["id"] == bob.id
        assert "identity.linked" in house.audit_actions(f"user:{bob.id}")

    def test_it_belongs_to_one_person(self, house, provider, browser, bob):
        assert signed_in(sign_in(Browser(house), provider))
        status, detail = problem(self.link(browser, provider))
        assert status == 409 and "somebody else" in detail
        assert browser.call("GET", "/api/me/identities").json() == {"identities": []}

    def test_it_cannot_be_added_by_another_browser(self, house, provider, browser, bob):
        url = browser.call("POST", "/api/me/identities/home", {}).json()["url"]
        callback = provider.sign_in(url, "ann")
        assert problem(Browser(house).come_back(callback))[0] == 401
        assert browser.call("GET", "/api/me/identities").json() == {"identities": []}

    def test_signing_in_there_again_is_a_proof(self, house, provider, browser, bob):
        assert self.link(browser, provider).status == 303
        assert browser.call("POST", "/lab/own/proof-age", {"minutes": 60}).status == 204
        refused = browser.call("POST", "/api/tokens", {"name": "x"})
        assert (refused.status, refused.json()["code"]) == (403, "recent_proof_required")
        assert "provider:home" in refused.json()["methods"]
        url = browser.leave("?proof=1&return_to=/account/security")
        assert (parameters(url)["prompt"], parameters(url)["max_age"]) == ("login", "0")
        answer = browser.come_back(provider.sign_in(url, "ann"))
        assert (answer.status, answer.header("location")) == (303, "/account/security")
        assert browser.call("POST", "/api/tokens", {"name": "x"}).status == 201

    def test_somebody_elses_account_there_proves_nothing(self, house, provider, browser, bob):
        assert self.link(browser, provider).status == 303
        provider.put_account("carol", "carol@example.org")
        browser.call("POST", "/lab/own/proof-age", {"minutes": 60})
        answer = browser.come_back(provider.sign_in(browser.leave("?proof=1"), "carol"))
        assert problem(answer)[0] == 403
        assert browser.call("POST", "/api/tokens", {"name": "x"}).status == 403

    def test_signing_out_everywhere_ends_what_was_begun(self, provider, browser, bob):
        url = browser.call("POST", "/api/me/identities/home", {}).json()["url"]
        assert browser.call("POST", "/api/auth/logout-all").status == 204
        assert problem(browser.come_back(provider.sign_in(url, "ann")))[0] == 401

    def test_a_token_adds_nothing(self, house, bob):
        made = house.make_token(house.sign_in(bob), scopes=["account:write"])
        assert house.post("/api/me/identities/home", {}, bearer(made["token"])).status == 403

    def test_it_can_be_taken_off_again_unless_it_is_the_last_way_in(self, house, provider, browser, bob):
        assert signed_in(self.link(browser, provider))
        named = {"issuer": provider.issuer, "subject": "ann"}
        assert browser.call("POST", "/api/me/identities/unlink", named).status == 204
        assert browser.call("POST", "/api/me/identities/unlink", named).status == 404
        ann = Browser(house)
        assert signed_in(sign_in(ann, provider))
        assert ann.me()["id"] != bob.id
        # The provider may have remembered them: coming in by it proves nothing before it says so.
        refused = ann.call("POST", "/api/me/identities/unlink", named)
        assert (refused.status, refused.json()["code"]) == (403, "recent_proof_required")
        assert ann.come_back(provider.sign_in(ann.leave("?proof=1"), "ann")).status == 303
        status, detail = problem(ann.call("POST", "/api/me/identities/unlink", named))
        assert status == 409 and "last way in" in detail


class TestComingBack:
    def test_without_the_cookie_nobody_comes_in(self, house, provider, browser):
        callback = provider.sign_in(browser.leave(), "ann")
        asked = provider.request_count("/token")
        status, detail = problem(Browser(house).come_back(callback))
        assert status == 401 and "another browser" in detail
        # The attempt has used it up for everybody.
        assert problem(browser.come_back(callback))[0] == 401
        assert provider.request_count("/token") == asked

    def test_the_cookie_of_another_sign_in_does_not_do(self, house, provider, browser):
        callback = provider.sign_in(browser.leave(), "ann")
        other = Browser(house)
        other.leave()
        assert problem(other.come_back(callback))[0] == 401

    def test_the_same_arrival_does_not_count_twice(self, provider, browser):
        callback = provider.sign_in(browser.leave(), "ann")
        kept = dict(browser.cookies)
        assert signed_in(browser.come_back(callback))
        browser.cookies = kept
        assert problem(browser.come_back(callback))[0] == 401

    def test_a_code_does_not_count_twice(self, provider, browser):
        callback = provider.sign_in(browser.leave(), "ann")
        assert signed_in(browser.come_back(callback))
        state = parameters(browser.leave())["state"]
        status, detail = problem(browser.come_back(with_parameters(callback, state=state)))
        assert status == 401 and "invalid_grant" in detail

    def test_an_invented_state_is_nothing(self, provider, browser):
        callback = provider.sign_in(browser.leave(), "ann")
        assert problem(browser.come_back(with_parameters(callback, state="invented")))[0] == 401

    def test_a_provider_that_says_no_is_repeated(self, browser):
        state = parameters(browser.leave())["state"]
        status, detail = problem(browser.call("GET", f"/auth/home/callback?error=access_denied&state={state}"))
        assert (status, detail) == (401, "the provider did not sign you in: access_denied")

    def test_people_are_led_to_a_page_that_explains_it(self, house, browser):
        page = {"Accept": "text/html,application/xhtml+xml"}
        state = parameters(browser.leave())["state"]
        answer = house.get(f"/auth/home/callback?error=%3Cb%3E&state={state}", headers=page)
        assert (answer.status, answer.header("location")) == (303, "/login?refused=expired")
        gone = house.get("/auth/away/login", headers=page)
        assert (gone.status, gone.header("location")) == (303, "/login?refused=unavailable")
        assert not cookies_of(answer) and not cookies_of(gone)


class TestTokens:
    @pytest.fixture(autouse=True)
    def _in_the_token(self, provider):
        provider.put_claims_in_id_token()

    def refused(self, browser, provider) -> str:
        status, detail = problem(sign_in(browser, provider))
        assert status == 401
        return detail

    def test_of_another_sign_in_are_refused(self, provider, browser):
        provider.replace_nonce()
        assert "nonce" in self.refused(browser, provider)

    def test_without_a_signature_are_refused(self, provider, browser):
        provider.strip_signature()
        assert "algorithm" in self.refused(browser, provider)

    def test_signed_by_somebody_else_are_refused(self, provider, browser):
        provider.sign_with_foreign_key()
        assert "signature" in self.refused(browser, provider)

    def test_for_another_client_or_from_another_issuer_are_refused(self, provider, browser):
        provider.replace_claims(aud="somebody-else")
        assert "aud" in self.refused(browser, provider)
        provider.replace_claims(iss="https://evil.example")
        assert "iss" in self.refused(browser, provider)

    def test_are_checked_with_the_keys_of_today(self, provider, browser, house):
        assert signed_in(sign_in(browser, provider))
        fetched = provider.request_count("/jwks")
        provider.rotate_keys()
        assert signed_in(sign_in(Browser(house), provider))
        assert provider.request_count("/jwks") == fetched + 1

    @pytest.mark.parametrize("seconds", [-40, 40])
    def test_may_be_made_by_a_clock_that_is_a_little_off(self, provider, browser, seconds):
        provider.skew_clock(seconds)
        assert signed_in(sign_in(browser, provider))

    @pytest.mark.parametrize("seconds", [-7200, 120])
    def test_must_not_be_made_by_a_clock_that_is_far_off(self, provider, browser, seconds):
        provider.skew_clock(seconds)
        self.refused(browser, provider)


class TestProviders:
    def test_are_offered_to_everybody_and_shown_without_their_secret(self, house, provider):
        assert house.get("/api/auth/providers").json() == {
            "providers": [{"id": "home", "name": "Home", "login_url": "/auth/home/login"}], "mail": False}
        shown = house.get("/api/providers", house.root)
        assert shown.json() == {
            "providers": [{"id": "home", "name": "Home", "issuer": provider.issuer, "client_id": provider.CLIENT_ID,
                           "trusted": True, "creates_users": True}]}

    def test_belong_to_administrators(self, house, provider):
        ann = house.sign_in(house.make_user("ann@example.org"))
        assert house.get("/api/providers", ann).status == 403
        assert house.delete("/api/providers/home", ann).status == 403
        admin = house.sign_in(house.make_user("admin@example.org", role="admin"))
        enter(house, provider, admin)
        other = house.make_org("Other", "other.example")
        assert house.delete(f"/api/providers/home?org={other['id']}", admin).status == 403

    def test_keep_their_secret_when_they_are_changed_without_one(self, house, provider, browser):
        body = {"name": "Renamed", "issuer": provider.issuer, "client_id": provider.CLIENT_ID, "trusted": True,
                "creates_users": True}
        assert house.call("PUT", "/api/providers/home", body, house.root).status == 200
        assert signed_in(sign_in(browser, provider))
        elsewhere = body | {"issuer": "https://evil.example"}
        status, detail = problem(house.call("PUT", "/api/providers/home", elsewhere, house.root))
        assert status == 400 and "client_secret" in detail

    def test_a_repeated_request_repeats_no_secret(self, house, provider):
        body = {"name": "Again", "issuer": provider.issuer, "client_id": "again", "client_secret": "do not repeat",
                "trusted": False, "creates_users": False}
        named = {"Idempotency-Key": "again"}
        first = house.call("PUT", "/api/providers/again", body, house.root, headers=named)
        again = house.call("PUT", "/api/providers/again", body, house.root, headers=named)
        assert (first.status, again.status) == (200, 200)
        assert again.header("idempotency-replayed") == "true"
        assert again.json() == first.json()
        assert "secret" not in again.text

    def test_are_gone_once_erased(self, house, provider, browser):
        callback = provider.sign_in(browser.leave(), "ann")
        assert house.delete("/api/providers/home", house.root).status == 204
        assert house.delete("/api/providers/home", house.root).status == 404
        assert house.get("/auth/home/login").status == 404
        assert browser.come_back(callback).status == 404
        assert house.audit_actions("provider:home") == ["provider.created", "provider.erased"]

    def test_that_are_down_are_a_matter_of_waiting(self, make_server):
        house = start_house(make_server, LOOPBACK)
        browser = Browser(house)
        with OidcProvider([house.server.url + "/auth/home/callback"]) as provider:
            enter(house, provider)
            callback = provider.sign_in(browser.leave(), "ann")
        status, _ = problem(browser.come_back(callback))
        assert status == 503
        enter(house, provider, issuer=provider.issuer + "/elsewhere")
        assert problem(house.get("/auth/home/login", deadline=PATIENCE)) == (
            503, "the provider cannot be used at the moment")

    def test_on_private_networks_are_not_called_unless_that_is_allowed(self, make_server, provider):
        house = start_house(make_server)
        enter(house, provider)
        asked = provider.request_count("/.well-known/openid-configuration")
        assert problem(house.get("/auth/home/login"))[0] == 503
        assert provider.request_count("/.well-known/openid-configuration") == asked


def test_somebody_new_who_arrives_many_times_at_once_is_one_person(house, provider):
    browsers = [Browser(house) for _ in range(8)]
    callbacks = [provider.sign_in(browser.leave(), "ann") for browser in browsers]
    with concurrent.futures.ThreadPoolExecutor(len(browsers)) as pool:
        answers = list(pool.map(Browser.come_back, browsers, callbacks))
    assert [answer.status for answer in answers] == [303] * len(browsers)
    assert len({browser.me()["id"] for browser in browsers}) == 1
    house.server.stop()
    verified = house.atrium("store", "verify", "--json")
    assert (verified.returncode, json.loads(verified.stdout)["findings"]) == (0, 0), verified.stdout


def test_no_secret_of_a_sign_in_is_in_the_log(house, provider, browser):
    callback = provider.sign_in(browser.leave(), "ann")
    secrets = [browser.cookies["signin"], parameters(callback)["code"], parameters(callback)["state"]]
    assert signed_in(browser.come_back(callback))
    me = house.get("/api/me", session(browser.cookies["session"]))
    assert json.loads(me.text)["credential"] == "session"
    house.server.stop()
    for secret in [*secrets, browser.cookies["session"], provider.CLIENT_SECRET]:
        assert secret not in house.server.stderr()
