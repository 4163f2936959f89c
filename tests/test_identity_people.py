# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""People, organisations and the audit log: who may look after whom, and what is written down."""

import concurrent.futures
import json
import urllib.parse

import pytest
from identity_client import ROOT, bearer, from_address, start_house

NOBODY = "00000000-0000-4000-8000-00000000dead"


@pytest.fixture
def house(make_server):
    return start_house(make_server)


@pytest.fixture
def admin(house):
    return house.sign_in(house.make_user("admin@example.org", "admin"))


@pytest.fixture
def elsewhere(house):
    return house.make_org("Elsewhere", "elsewhere.test")


def change(house, person, who=None, **members):
    return house.patch(f"/api/users/{person.id}", members, who or house.root)


class TestUsers:
    def test_what_is_made_is_shown(self, house):
        wanted = {"email": " Ann@Example.org", "name": "Ann", "role": "readonly", "quota_bytes": 5,
                  "time_zone": "europe/berlin"}
        made = house.post("/api/users", wanted, house.root)
        assert made.status == 201
        user = made.json()
        assert (user["email"], user["role"], user["status"]) == ("ann@example.org", "readonly", "active")
        assert (user["name"], user["quota_bytes"], user["time_zone"]) == ("Ann", 5, "Europe/Berlin")
        shown = house.get(f"/api/users/{user['id']}", house.root)
        assert shown.json() == user | {"has_password": False, "second_factor": False}
        assert shown.header("etag") == made.header("etag")

    @pytest.mark.parametrize("wanted", [
        {}, {"email": "ann"},
        {"email": "ann@example.org", "role": "guest"}, {"email": "ann@example.org", "role": "king"},
        {"email": "ann@example.org", "password": "short"}, {"email": "ann@example.org", "time_zone": "Nowhere/At_All"},
        {"email": "ann@example.org", "quota_bytes": -1}, {"email": "ann@example.org", "name": "x" * 300}])
    def test_what_cannot_be_somebody_is_refused(self, house, wanted):
        assert house.post("/api/users", wanted, house.root).status == 400
        assert [one["email"] for one in house.get("/api/users", house.root).json()["users"]] == [ROOT]

    def test_an_address_belongs_to_one_person_in_the_whole_server(self, house, elsewhere):
        house.make_user("ann@example.org")
        for query in ("", f"?org={elsewhere['id']}"):
            assert house.post(f"/api/users{query}", {"email": "ANN@example.org"}, house.root).status == 409
        ben = house.make_user("ben@example.org")
        assert change(house, ben, email="ann@example.org").status == 409
        assert house.get(f"/api/users/{ben.id}", house.root).json()["email"] == "ben@example.org"

    def test_an_address_that_was_given_up_is_free(self, house):
        ann = house.make_user("ann@example.org")
        assert change(house, ann, email="anna@example.org").status == 200
        ben = house.make_user("ann@example.org")
        assert house.delete(f"/api/users/{ben.id}", house.root).status == 204
        house.make_user("ann@example.org")

    def test_a_new_address_keeps_everything(self, house):
        ann = house.make_user("ann@example.org")
        who = house.sign_in(ann)
        made = house.make_token(who)
        assert change(house, ann, email="anna@example.org").status == 200
        for carried in (who, bearer(made["token"])):
            me = house.get("/api/me", carried).json()
            assert (me["user"]["id"], me["user"]["email"]) == (ann.id, "anna@example.org")
        assert house.log_in("ann@example.org").status == 401
        assert house.log_in("anna@example.org").status == 200

    def test_they_come_in_pages_and_are_found_by_address(self, house):
        for number in range(24):
            house.make_user(f"u{number:02}@example.org", password=None)
        seen, after, pages = [], "", 0
        while after is not None:
            page = house.get(f"/api/users?limit=10{after}", house.root).json()
            seen += [one["email"] for one in page["users"]]
            after = f"&after={urllib.parse.quote(page['after'])}" if page.get("after") else None
            pages += 1
        assert sorted(seen) == [ROOT] + [f"u{number:02}@example.org" for number in range(24)]
        assert pages == 3
        (found,) = house.get("/api/users?email=U07@example.org", house.root).json()["users"]
        assert found["email"] == "u07@example.org"
        assert house.get("/api/users?email=none@example.org", house.root).json()["users"] == []
        for limit in ("0", "501", "x"):
            assert house.get(f"/api/users?limit={limit}", house.root).status == 400

    def test_a_change_of_what_was_changed_meanwhile_is_refused(self, house):
        ann = house.make_user("ann@example.org")
        path = f"/api/users/{ann.id}"
        tag = {"If-Match": house.get(path, house.root).header("etag")}
        assert house.patch(path, {"name": "A"}, house.root, headers=tag).status == 200
        assert house.patch(path, {"name": "B"}, house.root, headers=tag).status == 412
        assert house.delete(path, house.root, headers=tag).status in (204, 412)

    @pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
    def test_who_is_not_there_is_not_found(self, house, method):
        body = {} if method == "PATCH" else None
        assert house.call(method, f"/api/users/{NOBODY}", body, house.root).status == 404

    def test_people_change_their_own_name_and_zone_and_no_more(self, house):
        who = house.sign_in(house.make_user("ann@example.org"))
        answer = house.patch("/api/me", {"name": "Ann B", "time_zone": "Asia/Tokyo"}, who)
        assert (answer.status, answer.json()["name"], answer.json()["time_zone"]) == (200, "Ann B", "Asia/Tokyo")
        house.patch("/api/me", {"role": "superadmin", "status": "deactivated", "email": "x@example.org"}, who)
        me = house.get("/api/me", who).json()
        assert (me["role"], me["user"]["role"], me["user"]["email"]) == ("user", "user", "ann@example.org")


class TestRoles:
    def test_an_admin_looks_after_the_own_people(self, house, admin):
        made = house.post("/api/users", {"email": "ann@example.org", "role": "admin"}, admin)
        assert made.status == 201
        path = f"/api/users/{made.json()['id']}"
        assert house.patch(path, {"role": "user"}, admin).status == 200
        assert house.post(f"{path}/password", {"password": "a kettle full of snow"}, admin).status == 204
        assert house.delete(path, admin).status == 204

    def test_an_admin_makes_no_superadmin_and_touches_none(self, house, admin):
        assert house.post("/api/users", {"email": "x@example.org", "role": "superadmin"}, admin).status == 403
        ann = house.make_user("ann@example.org")
        assert change(house, ann, admin, role="superadmin").status == 403
        own = house.get("/api/me", admin).json()["user"]["id"]
        assert house.patch(f"/api/users/{own}", {"role": "superadmin"}, admin).status == 403
        root = f"/api/users/{house.root_id}"
        for method, path, body in [
                ("PATCH", root, {"role": "user"}), ("PATCH", root, {"email": "x@example.org"}), ("DELETE", root, None),
                ("POST", f"{root}/password", {"password": "a kettle full of snow"}), ("POST", f"{root}/logout-all", {}),
                ("DELETE", f"{root}/second-factor", None)]:
            assert house.call(method, path, body, admin).status == 403, (method, path)
        assert house.knows(house.root)

    def test_another_organisation_is_none_of_an_admins_business(self, house, admin, elsewhere):
        cat = house.make_user("cat@example.org", org=elsewhere)
        path = f"/api/users/{cat.id}"
        for method, where, body in [
                ("GET", path, None), ("PATCH", path, {"name": "x"}), ("DELETE", path, None),
                ("POST", f"{path}/password", {"password": "a kettle full of snow"}), ("POST", f"{path}/logout-all", {}),
                ("POST", f"{path}/invite", {}), ("DELETE", f"{path}/second-factor", None)]:
            assert house.call(method, where, body, admin).status == 404, (method, where)
        query = f"?org={elsewhere['id']}"
        assert house.get(f"/api/users{query}", admin).status == 403
        assert house.post(f"/api/users{query}", {"email": "x@example.org"}, admin).status == 403
        assert house.get(f"/api/audit{query}", admin).status == 403
        assert house.get(f"/api/audit/export{query}", admin).status == 403
        listed = [one["email"] for one in house.get("/api/users", admin).json()["users"]]
        assert cat.email not in listed

    def test_an_admin_elsewhere_sees_only_those_who_are_there(self, house, elsewhere):
        house.make_user("ann@example.org")
        boss = house.make_user("boss@example.org", "admin", org=elsewhere)
        who = house.sign_in(boss)
        listed = house.get("/api/users", who, host=boss.host).json()["users"]
        assert [one["email"] for one in listed] == ["boss@example.org"]
        assert house.get(f"/api/users/{house.root_id}", who, host=boss.host).status == 404
        lines = house.get("/api/audit", who, host=boss.host).json()["lines"]
        assert not any(ROOT in json.dumps(line["detail"]) for line in lines)

    def test_the_last_superadmin_stays(self, house):
        root = f"/api/users/{house.root_id}"
        for answer in (house.patch(root, {"role": "user"}, house.root),
                       house.patch(root, {"status": "deactivated"}, house.root), house.delete(root, house.root)):
            assert answer.status == 412
            assert "last superadmin" in answer.json()["detail"]
        assert house.knows(house.root)
        house.make_user("second@example.org", "superadmin")
        assert house.patch(root, {"role": "user"}, house.root).status == 200
        assert house.get("/api/orgs", house.root).status == 403

    def test_of_two_who_step_down_at_once_one_stays(self, house):
        second = house.make_user("second@example.org", "superadmin")
        people = {house.root_id: house.root, second.id: house.sign_in(second)}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda one: house.patch(f"/api/users/{one[0]}", {"role": "user"}, one[1]),
                                    people.items()))
        assert sorted(answer.status for answer in answers) == [200, 412]


class TestOrganisations:
    def test_what_is_made_is_shown_changed_and_erased(self, house):
        made = house.post("/api/orgs", {"name": "Elsewhere", "hosts": ["B.test:80", "a.test"], "quota_bytes": 9,
                                        "settings": {"colour": "blue"}}, house.root)
        assert made.status == 201
        path = f"/api/orgs/{made.json()['id']}"
        shown = house.get(path, house.root)
        assert shown.json()["hosts"] == ["a.test", "b.test"]
        assert (shown.json()["settings"], shown.json()["quota_bytes"]) == ({"colour": "blue"}, 9)
        assert shown.json()["usage"] == {"bytes": 0, "users": 0}
        tag = {"If-Match": shown.header("etag")}
        changed = house.patch(path, {"name": "There", "hosts": ["a.test"]}, house.root, headers=tag)
        assert (changed.status, changed.json()["name"], changed.json()["hosts"]) == (200, "There", ["a.test"])
        assert house.patch(path, {"name": "Where"}, house.root, headers=tag).status == 412
        house.make_org("Other", "b.test")
        assert house.delete(path, house.root).status == 204
        assert house.get(path, house.root).status == 404
        house.make_org("Again", "a.test")

    def test_a_host_belongs_to_one_of_them(self, house, elsewhere):
        assert house.post("/api/orgs", {"name": "Other", "hosts": ["ELSEWHERE.test"]}, house.root).status == 409
        other = house.make_org("Other", "other.test")
        taken = house.patch(f"/api/orgs/{other['id']}", {"hosts": ["other.test", "elsewhere.test"]}, house.root)
        assert taken.status == 409
        assert house.get(f"/api/orgs/{other['id']}", house.root).json()["hosts"] == ["other.test"]

    def test_one_with_people_in_it_stays(self, house, elsewhere):
        cat = house.make_user("cat@example.org", org=elsewhere)
        path = f"/api/orgs/{elsewhere['id']}"
        assert house.get(path, house.root).json()["usage"]["users"] == 1
        assert house.delete(path, house.root).status == 412
        assert house.delete(f"/api/users/{cat.id}", house.root).status == 204
        assert house.delete(path, house.root).status == 204

    def test_the_default_one_stays(self, house):
        default = house.get("/api/me", house.root).json()["org"]["id"]
        assert house.delete(f"/api/orgs/{default}", house.root).status in (400, 409)

    @pytest.mark.parametrize("wanted", [
        {}, {"name": ""}, {"name": "A", "hosts": ["a b"]}, {"name": "A", "hosts": ["http://a.test"]},
        {"name": "A", "quota_bytes": -1}, {"name": "A", "settings": {"a": 1}}])
    def test_what_cannot_be_one_is_refused(self, house, wanted):
        assert house.post("/api/orgs", wanted, house.root).status == 400

    def test_they_come_in_pages(self, house):
        for number in range(5):
            house.make_org(f"Org {number}")
        seen, after = [], ""
        while after is not None:
            page = house.get(f"/api/orgs?limit=2{after}", house.root).json()
            seen += [one["name"] for one in page["orgs"]]
            after = f"&after={urllib.parse.quote(page['after'])}" if page.get("after") else None
        assert sorted(seen) == ["Default"] + [f"Org {number}" for number in range(5)]

    def test_only_superadmins_look_after_them(self, house, admin, elsewhere):
        for method, path in [("GET", "/api/orgs"), ("POST", "/api/orgs"), ("DELETE", f"/api/orgs/{elsewhere['id']}")]:
            assert house.call(method, path, {} if method == "POST" else None, admin).status == 403


class TestAudit:
    def test_each_sensitive_act_leaves_a_line(self, house):
        ann = house.make_user("ann@example.org")
        who = house.sign_in(ann)
        made = house.make_token(who)
        house.delete(f"/api/tokens/{made['id']}", who)
        house.turn_on_second_factor(who)
        house.delete(f"/api/users/{ann.id}/second-factor", house.root)
        house.post(f"/api/users/{ann.id}/logout-all", None, house.root)
        house.post(f"/api/users/{ann.id}/password", {"password": "a kettle full of snow"}, house.root)
        change(house, ann, role="admin")
        change(house, ann, status="deactivated")
        house.delete(f"/api/users/{ann.id}", house.root)
        assert house.audit_actions(f"user:{ann.id}") == [
            "user.created", "second_factor.on", "second_factor.off", "session.all_ended", "password.changed",
            "user.changed", "user.deactivated", "user.erased"]
        assert house.audit_actions(f"token:{made['id']}") == ["token.created", "token.ended"]
        assert house.audit()[-1]["action"] == "server.set_up"

    def test_a_line_says_who_did_what_to_what_from_where(self, house):
        somewhere = from_address("198.51.100.7")
        answer = house.post("/api/users", {"email": "ann@example.org"}, house.root, headers=somewhere)
        (line,) = [one for one in house.audit() if one["action"] == "user.created"]
        assert (line["actor"], line["label"]) == (f"user:{house.root_id}", ROOT)
        assert (line["target"], line["address"]) == (f"user:{answer.json()['id']}", "198.51.100.7")
        assert line["detail"]["email"] == "ann@example.org"
        assert line["request"] == answer.header("x-request-id")

    def test_signing_in_and_out_are_lines_of_the_session(self, house):
        who = house.sign_in(house.make_user("ann@example.org"))
        (listed,) = house.get("/api/me/sessions", who).json()["sessions"]
        house.post("/api/auth/logout", None, who)
        assert house.audit_actions(f"session:{listed['id']}") == ["session.opened", "session.ended"]

    def test_it_comes_in_pages_newest_first(self, house):
        for number in range(12):
            house.make_user(f"u{number}@example.org", password=None)
        ids, before = [], ""
        while before is not None:
            page = house.get(f"/api/audit?limit=5{before}", house.root).json()
            assert len(page["lines"]) <= 5
            ids += [line["id"] for line in page["lines"]]
            before = f"&before={page['before']}" if page.get("before") is not None else None
        assert ids == list(range(ids[0], 0, -1))
        assert len(ids) >= 14

    def test_it_is_exported_oldest_first_and_from_anywhere_on(self, house):
        house.make_user("ann@example.org", password=None)
        answer = house.get("/api/audit/export", house.root)
        assert answer.header("content-type").startswith("application/x-ndjson")
        lines = [json.loads(line) for line in answer.text.splitlines()]
        assert [line["id"] for line in lines] == list(range(1, len(lines) + 1))
        assert (lines[0]["action"], lines[-1]["action"]) == ("server.set_up", "user.created")
        rest = house.get("/api/audit/export?after=1", house.root).text.splitlines()
        assert [json.loads(line)["id"] for line in rest] == [line["id"] for line in lines[1:]]

    def test_nobody_changes_it(self, house):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert house.call(method, "/api/audit", None, house.root).status == 405
