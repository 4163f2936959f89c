# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Who shares which calendar with whom, and what has happened to some of the entries since."""

import dataclasses
import datetime

import entries
from entries import Entry
from private_server import Person

BATCH = 10


@dataclasses.dataclass(frozen=True)
class Shared:
    """A calendar, its owner, and the roles of the others; whoever is `asked` has not answered yet."""

    name: str
    color: str
    description: str
    owner: str
    roles: dict[str, str]
    asked: dict[str, str] = dataclasses.field(default_factory=dict)


SHARED = [
    Shared("Family", "#2563EB", "Everything that happens at home.", "demo",
           {"mira": "writer", "jonas": "writer", "ruth": "reader"}, {"grandma@example.net": "reader"}),
    Shared("Studio", "#B45309", "Meetings, reviews and deadlines of the studio.", "demo",
           {"mira": "owner", "hana": "writer", "sam": "writer", "teo": "writer", "priya": "reader"},
           {"builder@example.net": "reader"}),
    Shared("Trips", "#0F766E", "Where we are when we are not here.", "demo", {"mira": "writer"}),
    Shared("School", "#7C3AED", "Lessons, tests and parents' evenings.", "mira", {"demo": "writer", "jonas": "reader"}),
    Shared("House", "#4D7C0F", "What has to be done, and who does it.", "jonas",
           {"demo": "writer", "mira": "writer", "ruth": "writer", "teo": "writer"}),
    Shared("Choir", "#BE185D", "Rehearsals on Tuesdays, concerts twice a year.", "ruth", {"demo": "reader", "mira": "writer"}),
    Shared("Birthdays", "#C2410C", "So that nobody is forgotten.", "demo",
           {name: "reader" for name in ("mira", "jonas", "ruth", "teo")}),
    Shared("Holidays", "#64748B", "Public holidays.", "demo",
           {name: "reader" for name in ("mira", "jonas", "ruth", "teo", "hana", "sam", "priya")}),
    Shared("Football", "#15803D", "Thursdays, whatever the weather.", "teo", {"jonas": "writer"}, {"demo@example.org": "writer"}),
    Shared("Film club", "#6D28D9", "One film a month, one person chooses.", "sam", {"hana": "writer"},
           {"demo@example.org": "reader", "ruth@example.org": "reader"}),
]


def furnish(residents: dict[str, Person]) -> None:
    today = datetime.date.today()
    made = {}
    for shared in SHARED:
        owner = residents[shared.owner]
        made[shared.name] = calendar = share(shared, residents)
        for batch in batches(entries.of(shared.name, today)):
            changes = [{"deed": "create", "entry": entry.fields | {"calendarId": calendar}} for entry in batch]
            answered = owner.post("/api/entries/batch", {"changes": changes})["entries"]
            for entry, stored in zip(batch, answered, strict=True):
                live(owner, entry, stored["id"])
    residents["demo"].post(f"/api/calendars/{made['Family']}/feeds", {"name": "Kitchen tablet", "detail": "full"})
    residents["demo"].post(f"/api/calendars/{made['Studio']}/feeds", {"name": "Clients", "detail": "busy"})
    throw_away(residents["demo"], made["Family"], today)


def share(shared: Shared, residents: dict[str, Person]) -> str:
    owner = residents[shared.owner]
    new = {"name": shared.name, "color": shared.color, "description": shared.description}
    calendar = owner.post("/api/calendars", new)["id"]
    for name, role in shared.roles.items():
        owner.post(f"/api/calendars/{calendar}/members", {"email": f"{name}@example.org", "role": role})
        residents[name].post(f"/api/calendars/{calendar}/accept")
    for email, role in shared.asked.items():
        owner.post(f"/api/calendars/{calendar}/members", {"email": email, "role": role})
    return calendar


def batches(all_entries: list[Entry]) -> list[list[Entry]]:
    return [all_entries[first:first + BATCH] for first in range(0, len(all_entries), BATCH)]


def live(owner: Person, entry: Entry, stored: str) -> None:
    """What people have done with it since it was written."""
    for occurrence, change in entry.changed.items():
        owner.put(f"/api/entries/{stored}", change, occurrence=occurrence, scope="this")
    for occurrence in entry.cancelled:
        owner.delete(f"/api/entries/{stored}", occurrence=occurrence, scope="this")
    for occurrence in entry.done:
        owner.patch(f"/api/entries/{stored}/toggle", occurrence=occurrence)
    for change in entry.edits:
        owner.put(f"/api/entries/{stored}", change)


def throw_away(person: Person, calendar: str, today: datetime.date) -> None:
    for title, days in (("Dinner with the neighbours", 3), ("Old idea for the summer", 20), ("Call the plumber", -2)):
        entry = {"calendarId": calendar, "kind": "all-day", "title": title,
                 "startDate": str(today + datetime.timedelta(days=days))}
        person.delete("/api/entries/" + person.post("/api/entries", entry)["id"])
    old = person.post("/api/calendars", {"name": "Old flat", "color": "#A16207", "description": "Before we moved."})["id"]
    person.delete(f"/api/calendars/{old}")
