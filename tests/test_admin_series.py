# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Traffic and storage over time: samples are taken, survive restarts, and can be read back."""

import pytest
from identity_client import IdentityClient, start_house
from running_server import eventually

SERIES, SAMPLE = "/api/admin/series", "gauges.sample"


@pytest.fixture
def house(make_server) -> IdentityClient:
    return start_house(make_server)


def sums(house: IdentityClient, query: str = "") -> dict[str, int]:
    points = house.get(SERIES + query, house.root).json()["points"]
    return {name: sum(point[name] for point in points) for name in ("requests", "bytes_in", "bytes_out", "errors")}


def test_traffic_is_counted(house):
    house.run_job(SAMPLE)
    before = sums(house)
    for _ in range(50):
        assert house.get("/api/health").status == 200
    house.run_job(SAMPLE)
    after = sums(house)
    assert after["requests"] >= before["requests"] + 50
    assert after["bytes_in"] > before["bytes_in"]
    assert after["bytes_out"] > before["bytes_out"]


def test_what_is_held_is_measured(house):
    house.make_user("ann@example.org")
    house.run_job(SAMPLE)
    newest = house.get(SERIES, house.root).json()["points"][-1]
    assert newest["users"] == 2
    assert newest["store_bytes"] > 0
    assert newest["step_s"] == 300


def test_nothing_is_lost_when_the_server_stops_and_starts_again(house, make_server):
    for _ in range(30):
        house.get("/api/health")
    house.run_job(SAMPLE)
    before = sums(house)
    for _ in range(20):
        house.get("/api/health")
    house.server.stop()
    again = IdentityClient(make_server(data=house.server.data))
    again.root = house.root
    # What came after the last sample was written when the server stopped; the new one began to count at zero.
    assert sums(again)["requests"] >= before["requests"] + 20


def test_the_three_lengths_hold_the_same_sums(house):
    house.run_job(SAMPLE)
    range_of_hours = "?from=2020-01-01T00:00:00Z"
    counted = {step: sums(house, f"{range_of_hours}&step={step}")["requests"] for step in (300, 3600, 86400)}
    assert counted[300] == counted[3600] == counted[86400] > 0


def test_the_length_of_points_follows_the_range(house):
    def step_of(query):
        return house.get(SERIES + query, house.root).json()["step_s"]

    assert step_of("") == 300
    assert step_of("?from=2020-01-01T00:00:00Z") == 86400


@pytest.mark.parametrize("query, named", [
    ("?from=yesterday", "from"), ("?to=2027", "to"), ("?step=60", "step"), ("?step=x", "step"),
    ("?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z", "from"),
])
def test_a_bad_question_is_refused_by_name(house, query, named):
    answer = house.get(SERIES + query, house.root)
    assert answer.status == 400
    assert answer.json()["detail"].startswith(f"{named}:")


def test_the_job_runs_by_itself(house):
    runs = eventually(lambda: house.get(f"/api/admin/jobs/{SAMPLE}/history", house.root).json()["runs"])
    assert runs[0]["outcome"] == "succeeded"
    assert house.get(SERIES, house.root).json()["points"]
