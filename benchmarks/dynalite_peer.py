# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""dynalite with the single-table design in which calendsync keeps calendars, on its disk."""

import datetime
import functools
import http.client
import json
import pathlib
import subprocess
import time
import uuid

import our_server
import measure

CALENDARS = 100
ENTRIES_EACH = 1_000
FIRST_DAY = datetime.date(2025, 5, 1)
DAYS = 600
TABLE = "calendsync"
PACKAGES = pathlib.Path(__file__).with_name("peers")


def text(value: str) -> dict:
    return {"S": value}


def name_of(kind: int, number: int) -> str:
    return str(uuid.UUID(int=(kind << 64) + number, version=4))


def item(calendar: int, number: int) -> dict:
    day = FIRST_DAY + datetime.timedelta(days=number * DAYS // ENTRIES_EACH)
    id = name_of(2, calendar * ENTRIES_EACH + number)
    return {"PK": text(f"ENTRY#{id}"), "SK": text(f"ENTRY#{id}"), "GSI1PK": text(f"CAL#{name_of(1, calendar)}"),
            "GSI1SK": text(f"ENTRY#{day}#{id}"), "entityType": text("ENTRY"), "id": text(id),
            "calendarId": text(name_of(1, calendar)), "title": text(f"Meeting {number}"), "location": text("Room 5"),
            "date": text(str(day)), "kind": {"M": {"type": text("Timed"), "start": text("09:00:00"),
                                                   "end": text("09:30:00")}}}


@functools.cache
def install() -> None:
    subprocess.run(["npm", "ci", "--ignore-scripts", "--silent"], cwd=PACKAGES, check=True)
    # Its store has a part that is compiled.
    subprocess.run(["npm", "rebuild", "--silent"], cwd=PACKAGES, check=True)


class Dynalite:
    name = "dynalite"
    # It answers a write before the disk has it, so that its inserts are told beside ours and are no measure of them.
    targets = {"single": 10.0, "month": 25.0, "insert": 0.0}
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
        keys = [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]
        index = [{"AttributeName": "GSI1PK", "KeyType": "HASH"}, {"AttributeName": "GSI1SK", "KeyType": "RANGE"}]
        self.call("CreateTable", {
            "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST", "KeySchema": keys,
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"}
                                     for name in ("PK", "SK", "GSI1PK", "GSI1SK")],
            "GlobalSecondaryIndexes": [{"IndexName": "GSI1", "KeySchema": index,
                                        "Projection": {"ProjectionType": "ALL"}}]})
        while self.call("DescribeTable", {"TableName": TABLE})["Table"]["TableStatus"] != "ACTIVE":
            time.sleep(0.05)
        for calendar in range(CALENDARS):
            for first in range(0, ENTRIES_EACH, 25):
                puts = [{"PutRequest": {"Item": item(calendar, number)}} for number in range(first, first + 25)]
                self.call("BatchWriteItem", {"RequestItems": {TABLE: puts}})

    def month(self, calendar: int, month: int) -> dict:
        return {"TableName": TABLE, "IndexName": "GSI1",
                "KeyConditionExpression": "GSI1PK = :pk AND GSI1SK BETWEEN :a AND :b",
                "ExpressionAttributeValues": {":pk": text(f"CAL#{name_of(1, calendar)}"),
                                              ":a": text(f"ENTRY#2025-{month:02}-01#"),
                                              ":b": text(f"ENTRY#2025-{month:02}-31#~")}}

    def load(self, work: str) -> our_server.Load:
        if work == "single":
            target, bodies = "GetItem", [
                {"TableName": TABLE, "Key": {key: item(calendar, number)[key] for key in ("PK", "SK")}}
                for calendar in range(CALENDARS) for number in range(ENTRIES_EACH)]
        elif work == "month":
            found = self.call("Query", self.month(0, 6))["Count"]
            if not 45 <= found <= 55:
                raise SystemExit(f"dynalite: a month has {found} entries")
            target, bodies = "Query", [self.month(calendar, month) for calendar in range(CALENDARS)
                                       for month in range(6, 13)]
        else:
            target, bodies = "PutItem", [
                {"TableName": TABLE, "Item": item(calendar, 17) | {"PK": text("ENTRY#NEW"), "SK": text("ENTRY#NEW"),
                                                                   "GSI1SK": text("ENTRY#2025-05-11#NEW")}}
                for calendar in range(CALENDARS)]
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
        found = self.call("Query", self.month(0, 6))["Count"]
        if found == 0:
            raise SystemExit(f"{self.name}: there are no rows in {self.folder}")
