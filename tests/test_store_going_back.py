# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A store that may have gone back says so: to the operator, who decides, and to everybody who listens."""

import json
import pathlib

import pytest
from calendar_client import CalendarClient
from identity_client import UNHURRIED, start_house
from listening import Listener
from programs import run


@pytest.fixture
def atrium(build_folder, tmp_path):
    def call(*words):
        return run(build_folder.resolve() / "atrium", *words, folder=tmp_path)

    return call


class World:
    """A server with a calendar that is changed, and started again on what it left."""

    def __init__(self, make_server, atrium, **store):
        self.atrium = atrium
        self.make_server = make_server
        self.config = {"store": store}
        self.house = start_house(make_server, config=self.config)
        self.data = self.house.server.data
        self.ann = CalendarClient(self.house, self.house.make_user("ann@example.org"))
        self.work = self.ann.make_calendar("Work")

    def start_again(self) -> None:
        self.house.server = self.make_server(config=self.config | {"http": UNHURRIED}, data=self.data)

    def listen(self, last_id: str = "") -> Listener:
        fields = [f"{name}: {value}" for name, value in self.ann.who.items()]
        if last_id:
            fields.append(f"Last-Event-ID: {last_id}")
        return Listener(self.house.server, *fields, path="/api/events")

    def position(self) -> str:
        """Where somebody is who has heard everything so far."""
        with self.listen() as listener:
            return listener.next_event()["id"]

    def epoch(self) -> dict:
        return self.house.get("/api/admin/overview", self.house.root).json()["store"]["epoch"]

    def expect_refresh(self, last_id: str) -> None:
        with self.listen(last_id) as listener:
            assert first_named(listener) == "refresh_required"


def first_named(listener: Listener) -> str:
    """What is told first, behind the line that says where the stream stands."""
    while "event" not in (event := listener.next_event()):
        pass
    return event["event"]


def log_of(data: pathlib.Path) -> pathlib.Path:
    return max(data.joinpath("store").glob("*.log"), key=lambda log: log.stat().st_size)


def flip_in_the_middle(log: pathlib.Path) -> None:
    content = bytearray(log.read_bytes())
    content[len(bytes(content).rstrip(b"\0")) // 2] ^= 1
    log.write_bytes(content)


def test_a_log_damaged_before_its_end_is_refused_until_somebody_decides(make_server, atrium):
    world = World(make_server, atrium)
    before = world.epoch()
    for number in range(300):
        world.ann.make_entry(world.work, title=f"Entry {number}")
    heard = world.position()
    world.house.server.kill()
    flip_in_the_middle(log_of(world.data))

    for command in (["serve", "--port", "0"], ["store", "stats"], ["store", "verify"]):
        refused = atrium(*command, "--data", str(world.data))
        assert refused.returncode == 1
        assert "is damaged" in refused.stderr and "atrium store restore" in refused.stderr
        assert "atrium store salvage" in refused.stderr

    salvaged = atrium("store", "salvage", "--data", str(world.data), "--json")
    assert salvaged.returncode == 0, salvaged.stderr
    report = json.loads(salvaged.stdout)
    assert report["rows"] > 100 and report["epoch"]["reason"] == "salvaged"
    assert pathlib.Path(report["kept"]).joinpath(report["file"]).exists()
    nothing = atrium("store", "salvage", "--data", str(world.data))
    assert nothing.returncode == 1 and "nothing to salvage" in nothing.stderr

    world.start_again()
    assert world.epoch()["reason"] == "salvaged" and world.epoch()["id"] != before["id"]
    world.ann.make_entry(world.work, title="Later")
    world.expect_refresh(heard)


def test_a_durable_store_that_was_killed_keeps_its_epoch(make_server, atrium):
    world = World(make_server, atrium)
    before, heard = world.epoch(), world.position()
    world.ann.make_entry(world.work, title="Last")
    world.house.server.kill()
    world.start_again()
    assert world.epoch() == before
    with world.listen(heard) as listener:
        assert first_named(listener) == "entry_added"


def test_a_relaxed_store_that_was_killed_begins_a_new_epoch(make_server, atrium):
    world = World(make_server, atrium, durability="relaxed")
    before, heard = world.epoch(), world.position()
    world.house.server.kill()
    world.start_again()
    assert world.epoch()["reason"] == "unclean" and world.epoch()["id"] != before["id"]
    assert any("may be missing" in line["message"] for line in world.house.server.log_lines())
    world.ann.make_entry(world.work, title="Later")
    world.expect_refresh(heard)


def test_a_relaxed_store_that_was_stopped_keeps_its_epoch(make_server, atrium):
    world = World(make_server, atrium, durability="relaxed")
    before = world.epoch()
    world.house.server.stop()
    world.start_again()
    assert world.epoch() == before
