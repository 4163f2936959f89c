# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""dynalite, on its disk, with the single table in which calendsync keeps people, calendars and entries, and the questions
that calendsync asks of it, word for word: each of them is a Query."""

import datetime
import functools
import http.client
import itertools
import json
import pathlib
import subprocess
import time
import typing
import uuid

import our_server
import measure

CALENDARS = 100
ENTRIES_EACH = 1_000
PEOPLE = 100
MEMBERS_EACH = 10
FIRST_DAY = datetime.date(2025, 5, 1)
DAYS = 600
TABLE = "calendsync"
INDEXES = ("GSI1", "GSI2", "GSI3")
PACKAGES = pathlib.Path(__file__).with_name("peers")


def text(value: str) -> dict:
    return {"S": value}


def name_of(kind: int, number: int) -> str:
    return str(uuid.UUID(int=(kind << 64) + number, version=4))


STAMPS = {"createdAt": text("2026-01-15T08:00:00Z"), "updatedAt": text("2026-01-15T08:00:00Z")}


def keys(own: str, **others: str) -> dict:
    """Of an item that is found by its own name, and those of the indexes it is in."""
    return {"PK": text(own), "SK": text(own)} | {name: text(value) for name, value in others.items()}


def address_of(user: int) -> str:
    return f"person{user}@example.org"


def person(number: int) -> dict:
    id = name_of(3, number)
    return keys(f"USER#{id}", GSI2PK=f"EMAIL#{address_of(number)}", GSI2SK=f"USER#{id}",
                GSI3PK=f"PROV#google#{number}", GSI3SK=f"USER#{id}") | STAMPS | {
        "entityType": text("USER"), "id": text(id), "name": text(f"Person {number}"),
        "email": text(address_of(number)), "provider": text("google"), "providerSubject": text(str(number))}


def calendar_item(number: int) -> dict:
    id = name_of(1, number)
    return keys(f"CAL#{id}") | STAMPS | {
        "entityType": text("CALENDAR"), "id": text(id), "name": text(f"Calendar {number}"), "color": text("#3B82F6"),
        "description": {"NULL": True}}


def membership(calendar: int, user: int) -> dict:
    return keys(f"CAL#{name_of(1, calendar)}", SK=f"MEMBER#{name_of(3, user)}", GSI1PK=f"USER#{name_of(3, user)}",
                GSI1SK=f"CAL#{name_of(1, calendar)}") | STAMPS | {
        "entityType": text("MEMBERSHIP"), "calendarId": text(name_of(1, calendar)), "userId": text(name_of(3, user)),
        "role": text("writer" if user else "owner")}


def entry(calendar: int, number: int) -> dict:
    day = FIRST_DAY + datetime.timedelta(days=number * DAYS // ENTRIES_EACH)
    id = name_of(2, calendar * ENTRIES_EACH + number)
    hour = 8 + number % 10
    return keys(f"ENTRY#{id}", GSI1PK=f"CAL#{name_of(1, calendar)}", GSI1SK=f"ENTRY#{day}#{id}") | STAMPS | {
        "entityType": text("ENTRY"), "id": text(id), "calendarId": text(name_of(1, calendar)),
        "title": text(f"Meeting {number}"), "description": {"NULL": True}, "location": text("Room 5"),
        "date": text(str(day)), "color": text("#3B82F6"),
        "kind": {"M": {"type": text("Timed"), "start": text(f"{hour:02}:00:00"), "end": text(f"{hour:02}:30:00")}}}


def guests_of(calendar: int) -> list[int]:
    return [1 + (calendar + i) % (PEOPLE - 1) for i in range(MEMBERS_EACH - 1)]


def all_items() -> typing.Iterator[dict]:
    """The first person owns every calendar and shares it with nine others."""
    yield from map(person, range(PEOPLE))
    for calendar in range(CALENDARS):
        yield calendar_item(calendar)
        yield from (membership(calendar, user) for user in [0, *guests_of(calendar)])
        yield from (entry(calendar, number) for number in range(ENTRIES_EACH))


def ask(condition: str, index: str | None = None, **values: str) -> dict:
    return {"TableName": TABLE, "KeyConditionExpression": condition,
            "ExpressionAttributeValues": {f":{name}": text(value) for name, value in values.items()}} | (
        {"IndexName": index} if index else {})


def by_name(name: str) -> dict:
    return ask("PK = :pk AND SK = :sk", pk=name, sk=name)


def month(calendar: int, number: int) -> dict:
    return ask("GSI1PK = :pk AND GSI1SK BETWEEN :start AND :end", "GSI1", pk=f"CAL#{name_of(1, calendar)}",
               start=f"ENTRY#2025-{number:02}-01#", end=f"ENTRY#2025-{number:02}-31#~")


def every_entry() -> typing.Iterator[str]:
    return (f"ENTRY#{name_of(2, number)}" for number in range(CALENDARS * ENTRIES_EACH))


def questions(work: str) -> tuple[str, list[dict]]:
    """What is called, and the bodies of the calls."""
    calendars, people = [name_of(1, number) for number in range(CALENDARS)], [name_of(3, number) for number in range(PEOPLE)]
    return {
        "user by id": lambda: ("Query", [by_name(f"USER#{id}") for id in people]),
        "calendar by id": lambda: ("Query", [by_name(f"CAL#{id}") for id in calendars]),
        "entry by id": lambda: ("Query", [by_name(name) for name in every_entry()]),
        "members": lambda: ("Query", [ask("PK = :pk AND begins_with(SK, :prefix)", pk=f"CAL#{id}", prefix="MEMBER#")
                                      for id in calendars]),
        "own calendars": lambda: ("Query", [ask("GSI1PK = :pk AND begins_with(GSI1SK, :prefix)", "GSI1",
                                                pk=f"USER#{people[0]}", prefix="CAL#")]),
        "month": lambda: ("Query", [month(calendar, number) for calendar in range(CALENDARS) for number in range(6, 13)]),
        "user by e-mail": lambda: ("Query", [ask("GSI2PK = :pk", "GSI2", pk=f"EMAIL#{address_of(number)}")
                                             for number in range(PEOPLE)]),
        "entry by GetItem": lambda: ("GetItem", [{"TableName": TABLE, "Key": keys(name)} for name in every_entry()]),
        "insert": lambda: ("PutItem", [{"TableName": TABLE, "Item": entry(calendar, 17) | keys(
            "ENTRY#NEW", GSI1SK="ENTRY#2025-05-11#NEW") | {"id": text("NEW")}} for calendar in range(CALENDARS)]),
    }[work]()


# How many items one answer has, where that tells whether the question was understood.
FOUND = {"user by id": (1, 1), "calendar by id": (1, 1), "entry by id": (1, 1), "members": (MEMBERS_EACH, MEMBERS_EACH),
         "own calendars": (CALENDARS, CALENDARS), "month": (45, 55), "user by e-mail": (1, 1)}


def key_schema(index: str) -> list[dict]:
    return [{"AttributeName": f"{index}PK", "KeyType": "HASH"}, {"AttributeName": f"{index}SK", "KeyType": "RANGE"}]


@functools.cache
def install() -> None:
    subprocess.run(["npm", "ci", "--ignore-scripts", "--silent"], cwd=PACKAGES, check=True)
    # Its store has a part that is compiled.
    subprocess.run(["npm", "rebuild", "--silent"], cwd=PACKAGES, check=True)


class Dynalite:
    name = "dynalite"
    # What has no target is told. calendsync never calls GetItem, but it is the quickest way to an item. An insert is answered
    # before the disk has it, and so is no measure of ours.
    targets = {"user by id": 10.0, "calendar by id": 10.0, "entry by id": 10.0, "members": 0.0, "own calendars": 0.0,
               "month": 25.0, "user by e-mail": 10.0, "entry by GetItem": 10.0, "insert": 0.0}
    node_flags: list[str] = []

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder / "dynalite"
        self.folder.mkdir(exist_ok=True)
        self.port = measure.free_port()

    def __enter__(self) -> "Dynalite":
        install()
        command = ["node", *self.node_flags, str(PACKAGES / "node_modules/dynalite/cli.js"), "--host", "127.0.0.1", "--port",
                   str(self.port), "--createTableMs", "50", "--path", str(self.folder / "data")]
        started = time.monotonic()
        self.process = measure.running(command, self.port, log=self.folder / "log")
        self.pid = self.process.__enter__().pid
        self.start_ms = (time.monotonic() - started) * 1000
        self.fill()
        return self

    def __exit__(self, *error: object) -> None:
        self.process.__exit__(*error)

    def headers(self, target: str) -> dict[str, str]:
        return {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Date": "20260101T000000Z",
                "X-Amz-Target": f"DynamoDB_20120810.{target}",
                "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
                                 "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0000"}

    def call(self, target: str, body: dict) -> dict:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", "/", json.dumps(body), self.headers(target))
        reply = connection.getresponse()
        answer = reply.read()
        if reply.status != 200:
            raise SystemExit(f"dynalite: {target}: {reply.status} {answer[:300]!r}")
        return json.loads(answer)

    def fill(self) -> None:
        self.call("CreateTable", {
            "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST", "KeySchema": key_schema(""),
            "AttributeDefinitions": [{"AttributeName": name + key, "AttributeType": "S"}
                                     for name in ("", *INDEXES) for key in ("PK", "SK")],
            "GlobalSecondaryIndexes": [{"IndexName": name, "KeySchema": key_schema(name),
                                        "Projection": {"ProjectionType": "ALL"}} for name in INDEXES]})
        while self.call("DescribeTable", {"TableName": TABLE})["Table"]["TableStatus"] != "ACTIVE":
            time.sleep(0.05)
        items = all_items()
        while puts := [{"PutRequest": {"Item": one}} for one in itertools.islice(items, 25)]:
            self.call("BatchWriteItem", {"RequestItems": {TABLE: puts}})

    def load(self, work: str) -> our_server.Load:
        target, bodies = questions(work)
        if work in FOUND:
            least, most = FOUND[work]
            found = self.call(target, bodies[0])["Count"]
            if not least <= found <= most:
                raise SystemExit(f"{self.name}: {work}: {found} items")
        lines = [f"POST\t/\t{json.dumps(body)}" for body in bodies]
        return our_server.Load.make(self.port, self.folder, lines, self.headers(target))

    def resident_mb(self) -> float:
        return measure.resident_bytes(self.pid) / 1e6


class SyncedDynalite(Dynalite):
    """The same with the rows of the other one, and a write is answered when the disk has it."""

    name = "dynalite, synced"
    targets = {"insert": 5.0}
    node_flags = ["--require", str(PACKAGES / "synced_writes.js")]

    def fill(self) -> None:
        found = self.call("Query", month(0, 6))["Count"]
        if found == 0:
            raise SystemExit(f"{self.name}: there are no rows in {self.folder}")
