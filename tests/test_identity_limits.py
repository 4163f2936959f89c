# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Many at once: the same address claimed by many, passwords guessed by the thousand."""

import concurrent.futures
import http.client
import json
import statistics
import threading
import time

import pytest
from identity_client import PASSWORD, from_address, session, start_house
from running_server import eventually

THREADS = 16
ADDRESSES = 100
GUESSES = 10_000
ATTACKER = "203.0.113.66"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


class Line:
    """One connection that stays, for many requests."""

    def __init__(self, house, headers: dict[str, str]):
        self._connection = http.client.HTTPConnection(house.server.address, house.server.port, timeout=60)
        self._headers = headers | {"Content-Type": "application/json"}

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_) -> None:
        self._connection.close()

    def send(self, method: str, path: str, body=None) -> tuple[int, dict[str, str]]:
        self._connection.request(method, path, None if body is None else json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}


def test_of_many_who_claim_an_address_at_once_one_gets_it(house):
    start = threading.Barrier(THREADS)

    def claim(_) -> list[int]:
        statuses = []
        with Line(house, house.root) as line:
            for number in range(ADDRESSES):
                start.wait(60)
                statuses.append(line.send("POST", "/api/users", {"email": f"u{number:03}@example.org"})[0])
        return statuses

    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        by_thread = list(pool.map(claim, range(THREADS)))
    for number, statuses in enumerate(zip(*by_thread, strict=True)):
        assert sorted(statuses) == [201] + [409] * (THREADS - 1), f"address {number}"
    listed = house.get("/api/users?limit=500", house.root).json()["users"]
    assert len(listed) == ADDRESSES + 1
    default = house.get("/api/me", house.root).json()["org"]["id"]
    assert house.get(f"/api/orgs/{default}", house.root).json()["usage"]["users"] == ADDRESSES + 1
    house.server.stop()
    done = house.atrium("store", "verify", "--json")
    assert (done.returncode, json.loads(done.stdout)["findings"]) == (0, 0), done.stdout


class TestGuessing:
    def guess(self, house, number: int, email: str = "ann@example.org") -> list[int]:
        """So many wrong passwords from one address, over a few connections."""
        def some(count: int) -> list[int]:
            with Line(house, from_address(ATTACKER)) as line:
                wrong = {"email": email, "password": "wrong password"}
                return [line.send("POST", "/api/auth/login", wrong)[0] for _ in range(count)]

        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            return [status for part in pool.map(some, [number // THREADS] * THREADS) for status in part]

    def measure(self, house, count: int, stop: threading.Event | None = None) -> list[float]:
        """How long a quick route takes, again and again."""
        seconds = []
        with Line(house, {}) as line:
            while len(seconds) < count and not (stop and stop.is_set()):
                before = time.monotonic()
                assert line.send("GET", "/api/health")[0] == 200
                seconds.append(time.monotonic() - before)
        return seconds

    def test_ten_thousand_wrong_passwords_get_nowhere_and_disturb_nobody(self, house):
        ann = house.make_user("ann@example.org")
        stop = threading.Event()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            # As many clients as guess later, but on routes that cost nothing: what the machine gives to each.
            quiet = pool.submit(self.measure, house, 1_000_000, stop)
            with concurrent.futures.ThreadPoolExecutor(THREADS) as crowd:
                list(crowd.map(lambda _: self.measure(house, 200), range(THREADS)))
            stop.set()
            before = quiet.result()
            stop = threading.Event()
            watched = pool.submit(self.measure, house, 1_000_000, stop)
            statuses = self.guess(house, GUESSES)
            stop.set()
            during = watched.result()
        assert set(statuses) == {401, 429}
        # Five are free, then the waits grow; even a slow run has no room for many more.
        assert statuses.count(401) < 50
        assert len(during) > 20
        assert statistics.median(during) < 10 * statistics.median(before) + 0.02

        refused = house.log_in(ann.email, headers=from_address(ATTACKER))
        assert refused.status == 429
        assert int(refused.header("retry-after")) >= 1
        admitted = house.log_in(ann.email, headers=from_address("198.51.100.20"))
        assert admitted.status == 200
        assert house.knows(session(admitted.json()["session_id"]))

    def test_one_address_does_not_guess_at_many_accounts(self, house):
        with Line(house, from_address(ATTACKER)) as line:
            guesses = [{"email": f"u{number}@example.org", "password": "wrong one"} for number in range(60)]
            statuses = [line.send("POST", "/api/auth/login", guess)[0] for guess in guesses]
        assert statuses[:30] == [401] * 30
        assert 429 in statuses[30:]
        assert statuses[30:].count(401) <= 10

    def test_the_owner_gets_in_from_elsewhere_while_the_world_guesses(self, house):
        ann = house.make_user("ann@example.org")
        for number in range(110):
            assert house.log_in(ann.email, "wrong", headers=from_address(f"203.0.113.{number}")).status == 401
        known = from_address("203.0.113.5")
        assert house.log_in(ann.email, headers=known).status == 429
        assert house.log_in(ann.email, headers=from_address("198.51.100.1")).status == 200

    def test_the_right_password_washes_off_what_was_mistyped(self, house):
        ann = house.make_user("ann@example.org")
        for _ in range(4):
            for _ in range(4):
                assert house.log_in(ann.email, "mistyped").status == 401
            assert house.log_in(ann.email).status == 200

    def test_the_limits_outlive_the_server(self, house, make_server):
        ann = house.make_user("ann@example.org")
        who = from_address(ATTACKER)
        # Long enough for the server to stop and to start again.
        eventually(lambda: int(house.log_in(ann.email, "wrong", headers=who).header("retry-after") or 0) > 10, 60)
        house.server.stop()
        config = json.loads((house.server.folder / "atrium.yaml").read_text())
        house.server = make_server(config=config, data=house.server.data)
        assert house.log_in(ann.email, headers=who).status == 429

    def test_codes_of_the_second_factor_are_guessed_no_faster(self, house):
        ann = house.make_user("ann@example.org")
        house.turn_on_second_factor(house.sign_in(ann))
        statuses = [house.log_in(ann.email, PASSWORD, otp="000000").status for _ in range(20)]
        assert statuses[:5] == [401] * 5
        assert 429 in statuses

    def test_who_holds_a_session_does_not_guess_the_password_or_the_code(self, house):
        ann = house.make_user("ann@example.org")
        who = house.sign_in(ann)
        wanted = {"current": "wrong", "password": "a kettle full of snow"}
        assert 429 in [house.post("/api/me/password", wanted, who).status for _ in range(20)]
        ben = house.sign_in(house.make_user("ben@example.org"))
        house.turn_on_second_factor(ben)
        elsewhere = from_address("198.51.100.77")
        codes = [house.post("/api/me/second-factor/end", {"otp": f"{number:06}"}, ben | elsewhere).status
                 for number in range(20)]
        assert 429 in codes

    def test_the_edge_counts_too(self, make_server):
        house = start_house(make_server, {"http": {"credential_rate": 0.5, "credential_burst": 5}})
        who = from_address(ATTACKER)
        statuses = [house.log_in(f"u{number}@example.org", headers=who).status for number in range(10)]
        assert statuses.count(429) >= 3
        assert house.get("/api/health", from_address(ATTACKER)).status == 200

    def test_many_right_ones_at_once_all_get_in(self, house):
        people = [house.make_user(f"u{number}@example.org") for number in range(4)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda number: house.log_in(people[number % 4].email), range(16)))
        assert [answer.status for answer in answers] == [200] * 16
