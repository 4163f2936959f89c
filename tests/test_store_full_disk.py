# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A disk that is full: the server starts on it, can be read, says what is wrong, and goes on once there is space."""

import contextlib
import os
import pathlib
import subprocess

import pytest
from calendar_client import MONDAY, CalendarClient, done
from identity_client import UNHURRIED, IdentityClient, start_house
from running_server import eventually

DISK = "192m"


@pytest.fixture
def small_disk(tmp_path):
    """A disk of its own for the data folder."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", folder], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder: pathlib.Path) -> pathlib.Path:
    """Takes all that is left of the disk."""
    ballast = folder / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        for size in (1 << 20, 4096):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * size)
    assert os.statvfs(folder).f_bavail * os.statvfs(folder).f_bsize < 4096
    return ballast


def overview(house: IdentityClient) -> dict:
    return house.get("/api/admin/overview", house.root).json()["store"]


def entry(number: int) -> dict:
    return {"title": f"Entry {number}", "kind": "timed", "startDate": MONDAY, "startTime": "09:00", "endTime": "10:00",
            "description": os.urandom(1500).hex()}


@pytest.mark.parametrize("durability", ["durable", "relaxed"])
def test_a_server_killed_on_a_full_disk_starts_for_reading_and_goes_on_when_there_is_space(make_server, small_disk, durability):
    settings = {"http": UNHURRIED, "store": {"durability": durability}}
    house = start_house(make_server, data=small_disk / "data", config=settings)
    epoch = overview(house)["epoch"]
    ann = CalendarClient(house, house.make_user("ann@example.org"))
    work = ann.make_calendar("Work")
    # Enough in the log that opening has to write it down.
    for number in range(200):
        ann.make_entry(work, **entry(number))
    ballast = fill(small_disk)
    house.server.kill()

    house.server = make_server(config=settings, data=small_disk / "data")
    assert house.server.get("/readyz").text == "read-only: the disk is full\n"
    found = done(ann.get(f"/api/entries?calendar_id={work}&from={MONDAY}&to={MONDAY}"))
    assert len(found["entries"]) == 200
    assert overview(house)["writable"] is False
    assert overview(house)["problem"] == "the disk is full"
    refused = ann.post("/api/entries", {"calendarId": work} | entry(201))
    assert (refused.status, refused.json()["detail"]) == (503, "the disk is full")

    ballast.unlink()
    eventually(lambda: house.server.get("/readyz").text == "ok\n", deadline=30, what="a writable store")
    ann.make_entry(work, **entry(202))
    # Only the relaxed store may have lost something; it says so before anything new is written.
    assert (overview(house)["epoch"]["id"] == epoch["id"]) == (durability == "durable")
    assert (overview(house)["epoch"]["reason"] == "unclean") == (durability == "relaxed")
    assert overview(house)["writable"] is True
    assert "problem" not in overview(house) or overview(house)["problem"] == ""


def test_a_disk_that_fills_up_under_a_running_server_is_said_without_anybody_writing(make_server, small_disk):
    house = start_house(make_server, data=small_disk / "data")
    ballast = fill(small_disk)
    eventually(lambda: house.server.get("/readyz").text == "read-only: the disk is full\n", what="the obstacle")
    assert overview(house)["writable"] is False
    ballast.unlink()
    eventually(lambda: house.server.get("/readyz").text == "ok\n", what="a writable store")
    assert overview(house)["writable"] is True
