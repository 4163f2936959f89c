# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What people look like: photos are taken, shown to those of the same organisation, and go with their person."""

import struct
import zlib

import pytest
from identity_client import bearer, cookie, start_house

BYTES_MAX = 40 * 1024


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int = 4, height: int = 4, shade: int = 100, padding: int = 0) -> bytes:
    """A grey picture that every viewer shows."""
    pixels = zlib.compress((b"\0" + bytes([shade]) * width) * height)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    text = chunk(b"tEXt", b"a\0" + b"b" * padding) if padding else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + text + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def ann(house):
    return house.make_user("ann@example.org")


def put(house, who, content, media_type="image/png", headers=None):
    return house.server.request("PUT", "/api/me/photo", content, who | {"Content-Type": media_type} | (headers or {}))


def photo_of(house, person, who, query="", **more):
    return house.get(f"/api/users/{person.id}/photo{query}", who, **more)


class TestOnesOwn:
    def test_a_photo_is_taken_shown_and_removed(self, house, ann):
        who = house.sign_in(ann)
        assert "photo" not in house.get("/api/me", who).json()["user"]
        assert photo_of(house, ann, who).status == 404

        taken = put(house, who, png())
        assert taken.status == 200, taken.text
        version = taken.json()["photo"]
        assert house.get("/api/me", who).json()["user"]["photo"] == version
        shown = photo_of(house, ann, who)
        assert (shown.status, shown.body, shown.header("Content-Type")) == (200, png(), "image/png")

        assert house.delete("/api/me/photo", who).status == 204
        assert "photo" not in house.get("/api/me", who).json()["user"]
        assert photo_of(house, ann, who).status == 404
        assert house.delete("/api/me/photo", who).status == 204

    def test_another_one_has_another_version(self, house, ann):
        who = house.sign_in(ann)
        first = put(house, who, png(shade=1)).json()["photo"]
        second = put(house, who, png(shade=2)).json()["photo"]
        assert first != second
        assert photo_of(house, ann, who).body == png(shade=2)

    def test_the_version_of_the_person_is_the_one_to_change_it_by(self, house, ann):
        who = house.sign_in(ann)
        taken = put(house, who, png())
        assert house.patch("/api/me", {"name": "Ann"}, who, headers={"If-Match": taken.header("ETag")}).status == 200
        assert put(house, who, png()).json()["name"] == "Ann"

    def test_a_named_request_is_done_once(self, house, ann):
        who = house.sign_in(ann)
        named = {"Idempotency-Key": "one"}
        first = put(house, who, png(), headers=named)
        again = put(house, who, png(), headers=named)
        assert again.header("Idempotency-Replayed") == "true"
        assert again.json() == first.json()

    def test_it_is_written_down(self, house, ann):
        who = house.sign_in(ann)
        put(house, who, png())
        house.delete("/api/me/photo", who)
        assert house.audit_actions(f"user:{ann.id}")[-2:] == ["photo.changed", "photo.removed"]

    def test_who_may_only_read_has_a_face_too(self, house):
        assert put(house, house.sign_in(house.make_user("rod@example.org", "readonly")), png()).status == 200

    def test_a_page_of_another_site_cannot_set_it(self, house, ann):
        secret = house.open_session(ann)
        assert put(house, cookie(secret, Sec_Fetch_Site="cross-site"), png()).status == 403
        assert put(house, cookie(secret, Sec_Fetch_Site="same-origin"), png()).status == 200


class TestRefusals:
    @pytest.mark.parametrize("content", [b"", b"GIF89a", b"<svg xmlns='http://www.w3.org/2000/svg'/>", png()[:20],
                                         b"\xff\xd8\xff", b"RIFF\x10\0\0\0WEBPVP8X"])
    def test_what_is_no_picture(self, house, ann, content):
        answer = put(house, house.sign_in(ann), content)
        assert answer.status == 400, answer.text
        assert "picture" in answer.json()["detail"]

    @pytest.mark.parametrize("media_type", ["image/svg+xml", "text/html", "application/octet-stream", "image/gif"])
    def test_what_does_not_claim_to_be_one(self, house, ann, media_type):
        answer = put(house, house.sign_in(ann), png(), media_type)
        assert answer.status == 400
        assert "image/webp" in answer.json()["detail"]

    def test_the_bytes_decide_what_it_is_shown_as(self, house, ann):
        who = house.sign_in(ann)
        assert put(house, who, png(), "image/jpeg").status == 200
        assert photo_of(house, ann, who).header("Content-Type") == "image/png"

    def test_too_many_bytes(self, house, ann):
        who = house.sign_in(ann)
        fitting = png(padding=BYTES_MAX - len(png(padding=1)) + 1)
        assert len(fitting) == BYTES_MAX
        assert put(house, who, fitting).status == 200
        assert put(house, who, fitting + b"\0").status == 413
        assert photo_of(house, ann, who).body == fitting

    def test_too_many_pixels(self, house, ann):
        who = house.sign_in(ann)
        assert put(house, who, png(1024, 1024)).status == 200
        answer = put(house, who, png(1, 1025))
        assert answer.status == 413
        assert "pixels" in answer.json()["detail"]


class TestOthers:
    def test_those_of_the_same_organisation_see_it(self, house, ann):
        version = put(house, house.sign_in(ann), png()).json()["photo"]
        bob = house.sign_in(house.make_user("bob@example.org", "readonly"))
        assert photo_of(house, ann, bob).body == png()
        listed = house.get("/api/users?email=ann@example.org", house.root).json()["users"]
        assert [one["photo"] for one in listed] == [version]
        assert ann.id in [one["id"] for one in house.get("/api/users", house.root).json()["users"] if "photo" in one]

    def test_those_of_another_one_do_not(self, house, ann):
        put(house, house.sign_in(ann), png())
        elsewhere = house.make_org("Elsewhere", "elsewhere.test")
        eve = house.make_user("eve@example.org", "admin", org=elsewhere)
        assert photo_of(house, ann, house.sign_in(eve), host=eve.host).status == 404
        assert photo_of(house, ann, {}).status == 401

    def test_those_who_share_a_calendar_are_told_of_it(self, house, ann):
        who = house.sign_in(ann)
        version = put(house, who, png()).json()["photo"]
        calendar = house.get("/api/calendars", who).json()["calendars"][0]["id"]
        members = house.get(f"/api/calendars/{calendar}/members", who).json()["members"]
        assert [member["photo"] for member in members] == [version]

    def test_a_token_needs_to_read_accounts(self, house, ann):
        who = house.sign_in(ann)
        put(house, who, png())
        narrow = house.make_token(who, scopes=["files:read"])["token"]
        wide = house.make_token(who, scopes=["account:read"])["token"]
        assert photo_of(house, ann, bearer(narrow)).status == 403
        assert photo_of(house, ann, bearer(wide)).status == 200
        assert put(house, bearer(wide), png(shade=7)).status == 403

    def test_who_named_the_version_need_not_ask_again(self, house, ann):
        who = house.sign_in(ann)
        version = put(house, who, png()).json()["photo"]
        named = photo_of(house, ann, who, f"?v={version}")
        assert named.header("Cache-Control") == "private, max-age=31536000, immutable"
        unnamed = photo_of(house, ann, who)
        assert unnamed.header("Cache-Control") == photo_of(house, ann, who, "?v=1").header("Cache-Control")
        assert unnamed.header("Cache-Control") == "private, no-cache"
        assert unnamed.header("X-Content-Type-Options") == "nosniff"
        again = photo_of(house, ann, who, headers={"If-None-Match": unnamed.header("ETag")})
        assert (again.status, again.body) == (304, b"")


class TestTheEnd:
    def test_whoever_leaves_takes_it_along(self, house, ann):
        put(house, house.sign_in(ann), png())
        assert house.delete(f"/api/users/{ann.id}", house.root).status == 204
        assert photo_of(house, ann, house.root).status == 404
