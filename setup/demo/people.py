# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Who lives in the house: a studio of architects, their families, and friends elsewhere."""

import dataclasses

import pictures
from private_server import Person, Server

ORGANISATION = "Harbour Street"


@dataclasses.dataclass(frozen=True)
class Resident:
    name: str
    email: str
    zone: str
    role: str = "user"
    quota_gb: int = 0


FIRST = Resident("Alex Brandt", "demo@example.org", "Europe/Berlin", "superadmin")
OTHERS = [
    Resident("Mira Okafor", "mira@example.org", "Europe/Berlin", "admin"),
    Resident("Jonas Lindqvist", "jonas@example.org", "Europe/Stockholm", quota_gb=20),
    Resident("Ruth Adler", "ruth@example.org", "Europe/London", quota_gb=20),
    Resident("Teo Marchetti", "teo@example.org", "Europe/Rome", quota_gb=5),
    Resident("Hana Sato", "hana@example.org", "Asia/Tokyo", quota_gb=50),
    Resident("Sam Rivera", "sam@example.org", "America/New_York", quota_gb=50),
    Resident("Priya Nair", "priya@example.org", "Asia/Kolkata", quota_gb=1),
]
# Whoever may only read cannot accept an invitation either, and so becomes that last.
READER = OTHERS[-1]
GONE = Resident("Olaf Nyberg", "olaf@example.org", "Europe/Oslo")


def move_in(server: Server, password: str) -> dict[str, Person]:
    """Everybody but who has gone, signed in, by the first name of the address ("demo", "mira", ...)."""
    first = server.sign_in(FIRST.email, password)
    organisation = first.get("/api/me")["org"]["id"]
    first.patch(f"/api/orgs/{organisation}", {"name": ORGANISATION})
    for one in [*OTHERS, GONE]:
        account = {"email": one.email, "name": one.name, "role": one.role, "time_zone": one.zone, "password": password}
        if one.quota_gb:
            account["quota_bytes"] = one.quota_gb * 10**9
        made = first.post("/api/users", account)
        if one is GONE:
            first.patch(f"/api/users/{made['id']}", {"status": "deactivated"})
    first.post("/api/tokens", {"name": "Mail program on the laptop", "type": "app_password", "scopes": ["calendars:write"]})
    first.post("/api/tokens", {"name": "Nightly backup", "scopes": ["files:read", "calendars:read"]})
    residents = {one.email.partition("@")[0]: server.sign_in(one.email, password) for one in OTHERS}
    everybody = {"demo": first} | residents
    for name, portrait in pictures.PORTRAITS.items():
        everybody[name].call("PUT", "/api/me/photo", portrait, "image/png")
    return everybody


def settle(residents: dict[str, Person]) -> None:
    """Everybody leaves; what they may do from then on is what they keep."""
    first = residents["demo"]
    reader = first.get("/api/users", email=READER.email)["users"][0]["id"]
    for name, person in residents.items():
        if name != "demo":
            person.post("/api/auth/logout")
    first.patch(f"/api/users/{reader}", {"role": "readonly"})
    first.post("/api/auth/logout")
