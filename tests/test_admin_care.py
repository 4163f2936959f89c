# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Looking after the server over HTTP: what superadmins see and begin is what commands see and begin."""

import json

import pytest
from files_client import FilesClient
from identity_client import IdentityClient, start_house
from running_server import eventually

OVERVIEW, JOBS = "/api/admin/overview", "/api/admin/jobs"
STORE, BACKUPS, BLOBS = "/api/admin/store", "/api/admin/backups", "/api/admin/blobs"
REPORTS = (OVERVIEW, JOBS, "/api/admin/jobs/gauges.sample/history", STORE, "/api/admin/store/task", BACKUPS, BLOBS,
           "/api/admin/files/task", "/api/admin/series")
DEEDS = ("/api/admin/jobs/gauges.sample/run", "/api/admin/store/verify", "/api/admin/store/compact",
         "/api/admin/store/backup", "/api/admin/files/gc", "/api/admin/files/verify", "/api/admin/blobs/verify")


@pytest.fixture
def house(make_server, tmp_path) -> IdentityClient:
    return start_house(make_server, config={"store": {"backup_folder": str(tmp_path / "backups")}})


def ended(house: IdentityClient, path: str) -> dict:
    """The last task of that kind, once it is over."""
    def look():
        task = house.get(path, house.root).json()["task"]
        return task if task["state"] != "running" else None

    return eventually(look, deadline=60)


def begin(house: IdentityClient, path: str, body: dict | None = None) -> dict:
    answer = house.post(path, body, house.root)
    assert answer.status == 202, answer.text
    return answer.json()


@pytest.mark.parametrize("role, status", [("superadmin", 200), ("admin", 403), ("user", 403), ("readonly", 403)])
def test_reports_are_for_superadmins(house, role, status):
    who = house.sign_in(house.make_user("somebody@example.org", role))
    assert {path: house.get(path, who).status for path in REPORTS} == dict.fromkeys(REPORTS, status)


@pytest.mark.parametrize("role", ["admin", "user"])
def test_deeds_are_for_superadmins(house, role):
    who = house.sign_in(house.make_user("somebody@example.org", role))
    assert {path: house.post(path, {}, who).status for path in DEEDS} == dict.fromkeys(DEEDS, 403)
    assert house.get("/api/admin/store/task", house.root).json() == {}


def test_a_token_for_reading_begins_nothing(house):
    who = {"Authorization": "Bearer " + house.make_token(house.root, scopes=["admin:read"])["token"]}
    assert house.get(OVERVIEW, who).status == 200
    assert house.post("/api/admin/store/compact", {}, who).status == 403


def test_the_overview_shows_how_the_server_is(house):
    house.make_org("North", "north.test")
    house.make_user("ann@example.org")
    seen = house.get(OVERVIEW, house.root).json()
    assert seen["version"] and seen["uptime_s"] >= 0
    assert (seen["orgs"], seen["users"]) == (2, 2)
    assert seen["store"]["writable"] and seen["store"]["bytes"] > 0
    assert 0 < seen["disk"]["free_bytes"] <= seen["disk"]["total_bytes"]
    assert seen["jobs"]["total"] == len(house.get(JOBS, house.root).json()["jobs"])
    assert seen["backup"]["configured"] and seen["backup"]["problem"] == ""
    assert seen["mail"] is False
    assert seen["blobs"] == house.get(BLOBS, house.root).json()


def test_jobs_are_listed_as_commands_list_them(house):
    listed = house.get(JOBS, house.root).json()["jobs"]
    printed = json.loads(house.atrium("jobs", "list", "--json").stdout)
    assert [(job["name"], job["schedule"]) for job in listed] == [(job["name"], job["schedule"]) for job in printed]


def test_a_job_runs_when_asked_and_its_run_is_in_the_history(house):
    path = "/api/admin/jobs/calendar.purge-trash"
    eventually(lambda: house.get(f"{path}/history", house.root).json()["runs"])
    before = house.get(f"{path}/history", house.root).json()["runs"]
    begin(house, f"{path}/run")
    runs = eventually(lambda: (lambda runs: runs if len(runs) > len(before) else None)(
        house.get(f"{path}/history", house.root).json()["runs"]))
    assert runs[0]["outcome"] == "succeeded"
    assert len(house.get(f"{path}/history?limit=1", house.root).json()["runs"]) == 1
    (line,) = [line for line in house.audit() if line["action"] == "job.asked_for"]
    assert (line["actor"], line["target"]) == (f"user:{house.root_id}", "job:calendar.purge-trash")


def test_a_job_that_nobody_knows_is_not_found(house):
    assert house.get("/api/admin/jobs/no.such/history", house.root).status == 404
    assert house.post("/api/admin/jobs/no.such/run", {}, house.root).status == 404
    assert house.audit_actions("job:no.such") == []


def test_a_failing_job_is_in_the_overview(make_server, tmp_path):
    (tmp_path / "taken").write_text("no folder")
    house = start_house(make_server, config={"store": {"backup_folder": str(tmp_path / "taken" / "below")}})
    failing = eventually(lambda: house.get(OVERVIEW, house.root).json()["jobs"]["failing"], deadline=60)
    assert failing[0]["name"] == "store.backup"


def test_the_figures_of_the_store_are_those_that_commands_print(house):
    seen = house.get(STORE, house.root).json()
    printed = json.loads(house.atrium("store", "stats", "--json").stdout)
    assert seen["epoch"] == printed["epoch"]
    assert [line["name"] for line in seen["statistics"]] == [line["name"] for line in printed["statistics"]]


def test_no_task_is_remembered_before_there_was_one(house):
    assert house.get("/api/admin/store/task", house.root).json() == {}
    assert house.get("/api/admin/files/task", house.root).json() == {}


def test_a_verification_tells_what_it_saw(house):
    begun = begin(house, "/api/admin/store/verify")
    assert (begun["task"], begun["state"]) == ("verify", "running")
    task = ended(house, "/api/admin/store/task")
    assert (task["id"], task["state"]) == (begun["id"], "succeeded")
    assert task["outcome"]["verification"]["rows"] > 0
    assert task["outcome"]["verification"]["findings"] == 0
    assert house.audit_actions("server")[-1] == "store.verification_begun"


def test_a_repair_says_so_in_the_audit_log(house):
    begin(house, "/api/admin/store/verify", {"repair": True})
    ended(house, "/api/admin/store/task")
    (line,) = [line for line in house.audit() if line["action"] == "store.verification_begun"]
    assert line["detail"] == {"repair": "true"}


def test_a_compaction_ends(house):
    begin(house, "/api/admin/store/compact")
    assert ended(house, "/api/admin/store/task")["outcome"]["compaction"]["duration_ms"] >= 0


def test_a_backup_is_in_the_list_and_in_the_overview(house, tmp_path):
    def make_one() -> bool:
        begin(house, "/api/admin/store/backup")
        return ended(house, "/api/admin/store/task")["state"] == "succeeded"

    # The one that the server makes each day may be under way.
    eventually(make_one, deadline=60)
    shelf = house.get(BACKUPS, house.root).json()
    assert shelf["configured"] and shelf["folder"] == str(tmp_path / "backups")
    assert shelf["keep"] == 7
    newest = shelf["backups"][-1]
    assert newest["bytes"] > 0
    assert house.get(OVERVIEW, house.root).json()["backup"]["latest"] == newest


def test_without_a_folder_there_are_no_backups_and_it_is_said_why(make_server):
    house = start_house(make_server)
    assert house.get(BACKUPS, house.root).json() == {"configured": False, "folder": "", "keep": 7, "backups": []}
    answer = house.post("/api/admin/store/backup", {}, house.root)
    assert answer.status == 409
    assert "store.backup_folder" in answer.json()["detail"]
    assert "store.backup_begun" not in house.audit_actions("server")


@pytest.mark.parametrize("path, body", [
    ("/api/admin/store/backup", {"folder": "/tmp/elsewhere"}),
    ("/api/admin/store/compact", {"folder": "/tmp/elsewhere"}),
])
def test_what_takes_nothing_goes_nowhere_else(house, tmp_path, path, body):
    house.post(path, body, house.root)
    ended(house, "/api/admin/store/task")
    assert house.get(BACKUPS, house.root).json()["folder"] == str(tmp_path / "backups")


@pytest.mark.parametrize("path", ["/api/admin/store/verify", "/api/admin/files/verify", "/api/admin/files/gc",
                                  "/api/admin/blobs/verify"])
def test_a_place_on_the_disk_is_refused(house, path):
    answer = house.post(path, {"folder": "/tmp/elsewhere"}, house.root)
    assert answer.status == 400
    assert "folder" in answer.json()["detail"]


def test_garbage_is_looked_at_and_then_removed(house):
    ann = FilesClient(house, house.make_user("ann@example.org"))
    library = ann.make_library("Papers")
    ann.upload(library, "/a.txt", b"x" * 100_000)
    begin(house, "/api/admin/files/gc", {"dry_run": True})
    looked = ended(house, "/api/admin/files/task")
    assert looked["dry_run"] and looked["outcome"]["garbage"]["libraries"] == 1
    begin(house, "/api/admin/files/gc")
    collected = ended(house, "/api/admin/files/task")
    assert (collected["state"], collected["dry_run"]) == ("succeeded", False)
    lines = [line for line in house.audit() if line["action"] == "files.collection_begun"]
    assert [line["detail"] for line in reversed(lines)] == [{"dry_run": "true"}, {}]


@pytest.mark.parametrize("hours", [-1, 9000])
def test_a_grace_period_has_bounds(house, hours):
    answer = house.post("/api/admin/files/gc", {"grace_hours": hours}, house.root)
    assert answer.status == 400
    assert "grace_hours" in answer.json()["detail"]


def test_libraries_and_their_content_are_verified(house):
    begin(house, "/api/admin/files/verify")
    assert ended(house, "/api/admin/files/task")["outcome"]["files"]["defects"] == 0
    begin(house, "/api/admin/blobs/verify")
    assert ended(house, "/api/admin/files/task")["outcome"]["blobs"]["findings"] == 0


def test_a_library_that_is_none_fails_as_a_task(house):
    begin(house, "/api/admin/files/verify", {"library": "nonsense"})
    task = ended(house, "/api/admin/files/task")
    assert (task["state"], task["error_code"]) == ("failed", "invalid_argument")


def test_a_named_request_begins_one_task(house):
    named = {"Idempotency-Key": "once"}
    first = house.post("/api/admin/store/compact", {}, house.root, headers=named)
    ended(house, "/api/admin/store/task")
    second = house.post("/api/admin/store/compact", {}, house.root, headers=named)
    assert (second.status, second.json()) == (202, first.json())
    assert second.header("Idempotency-Replayed") == "true"
    assert house.get("/api/admin/store/task", house.root).json()["task"]["id"] == first.json()["id"]
