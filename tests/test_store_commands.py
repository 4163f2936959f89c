# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""`atrium store` and `atrium jobs`: on a store that nobody serves, and through the server that does."""

import json
import pathlib
import re
import subprocess

import pytest
from programs import clean_environment, run
from running_server import eventually

DONE, FAILED, MISUSED = 0, 1, 2

# The rest of the memory is for what the cache does not count.
CACHE_PART = 9 / 16


@pytest.fixture
def atrium(build_folder, tmp_path):
    """Runs the program: atrium("store", "stats", "--data", folder)."""
    def call(*words, env=None):
        return run(build_folder.resolve() / "atrium", *words, folder=tmp_path, env=env)

    return call


@pytest.fixture
def served(make_server, tmp_path):
    """A server with a folder for backups, whose first backup has been made."""
    server = make_server(config={"store": {"backup_folder": str(tmp_path / "backups")}})
    server.wait_for_log(lambda line: line["message"] == "backup made")
    return server


def settings(server) -> list[str]:
    """What makes a command work on the store of this server, running or not."""
    return ["--config", str(server.folder / "atrium.yaml"), "--data", str(server.data)]


def good(printed) -> str:
    assert printed.returncode == DONE, printed.stderr
    return printed.stdout


def epoch_of(atrium, server) -> dict:
    return json.loads(good(atrium("store", "stats", *settings(server), "--json")))["epoch"]


def parametrized_state(function):
    """The same on a running server and on what a stopped one left."""
    return pytest.mark.parametrize("state", ["running", "stopped"])(function)


def bring(server, state: str):
    if state == "stopped":
        server.stop()
    return server


# Figures.


@parametrized_state
def test_stats_name_the_folder_the_epoch_and_the_figures(atrium, served, state):
    server = bring(served, state)
    text = good(atrium("store", "stats", *settings(server)))
    assert re.search(rf"^folder +{re.escape(str(server.data / 'store'))}$", text, re.MULTILINE)
    assert re.search(r"^epoch +[0-9A-Z]{26} since \d{4}-", text, re.MULTILINE)
    assert re.search(r"^block_cache_bytes_max +150994944 +\w", text, re.MULTILINE)
    report = json.loads(good(atrium("store", "stats", *settings(server), "--json")))
    assert report["epoch"]["reason"] == "created"
    assert {"commits_total", "estimated_rows"} <= {line["name"] for line in report["statistics"]}


def test_the_figures_are_in_the_metrics(served):
    # The epoch, the beginning of the job and its end.
    eventually(lambda: served.metrics().value("atrium_store_commits_total") >= 3, what="three commits")
    assert served.metrics().value("atrium_store_block_cache_bytes_max") == CACHE_PART * (256 << 20)


def test_the_memory_of_the_store_is_one_setting(make_server):
    server = make_server(config={"store": {"memory": "64MiB"}})
    assert server.metrics().value("atrium_store_block_cache_bytes_max") == CACHE_PART * (64 << 20)


def test_a_folder_without_a_store_is_named(atrium, tmp_path):
    for words in (["stats"], ["verify"], ["compact"], ["backup", "--to", "b"], ["export", "file"]):
        printed = atrium("store", *words, "--data", "nothing")
        assert (printed.returncode, printed.stdout) == (FAILED, "")
        assert printed.stderr == "nothing/store: there is no store\n"
    assert not (tmp_path / "nothing").exists()


# One process at a time.


def test_a_second_server_on_the_same_data_is_refused(atrium, server):
    printed = atrium("serve", "--port", 0, "--data", server.data)
    assert printed.returncode == FAILED
    assert "in use by another process" in printed.stderr
    assert str(server.data / "store") in printed.stderr
    assert server.get("/api/health").status == 200
    assert good(atrium("store", "stats", *settings(server)))


@pytest.mark.parametrize("words", [["restore", "--from", "backups", "--replace"], ["import", "file", "--replace"],
                                   ["import", "file", "--merge"]])
def test_nothing_comes_into_a_store_that_is_served(atrium, served, words):
    before = epoch_of(atrium, served)
    printed = atrium("store", *words, *settings(served))
    assert (printed.returncode, printed.stdout) == (FAILED, "")
    assert printed.stderr == f"a server is at work on {served.data}; stop it first\n"
    assert epoch_of(atrium, served) == before


def test_what_a_server_wrote_is_there_for_the_next_one(atrium, make_server, served):
    before = epoch_of(atrium, served)
    served.kill()
    again = make_server(data=served.data)
    assert epoch_of(atrium, again) == before


# Verification and compaction.


@parametrized_state
def test_a_store_in_order_has_no_findings(atrium, served, state):
    server = bring(served, state)
    text = good(atrium("store", "verify", *settings(server)))
    assert re.fullmatch(r"\d+ rows looked at, 0 findings, 0 repaired\n", text)
    report = json.loads(good(atrium("store", "verify", "--repair", "--json", *settings(server))))
    assert report["rows"] > 0
    assert (report["findings"], report["repaired"], report["list"]) == (0, 0, [])


@parametrized_state
def test_compaction_ends_well_and_loses_nothing(atrium, served, state):
    server = bring(served, state)
    before = epoch_of(atrium, server)
    assert re.fullmatch(r"compacted in \d+\.\d s\n", good(atrium("store", "compact", *settings(server))))
    assert "duration_ms" in json.loads(good(atrium("store", "compact", "--json", *settings(server))))
    assert epoch_of(atrium, server) == before


# Backups.


@parametrized_state
def test_backups_are_numbered_and_listed(atrium, served, state):
    server = bring(served, state)
    report = json.loads(good(atrium("store", "backup", "--json", *settings(server))))
    assert [backup["number"] for backup in report["backups"]] == [1, 2]
    listed = json.loads(good(atrium("store", "backup", "--list", "--json", *settings(server))))
    assert listed == report
    text = good(atrium("store", "backup", "--list", *settings(server)))
    assert re.search(r"^ +2  \d{4}-\S+Z +\d", text, re.MULTILINE)


@parametrized_state
def test_a_backup_goes_where_the_command_says(atrium, served, state, tmp_path):
    server = bring(served, state)
    # Relative to where the command is, not to where the server is.
    report = json.loads(good(atrium("store", "backup", "--to", "elsewhere", "--json", *settings(server))))
    assert report["folder"] == str(tmp_path / "elsewhere")
    assert [backup["number"] for backup in report["backups"]] == [1]
    assert (tmp_path / "elsewhere").is_dir()


def test_no_more_backups_are_kept_than_configured(atrium, make_server, tmp_path):
    server = make_server(config={"store": {"backup_keep": 2}})
    for _ in range(3):
        report = json.loads(good(atrium("store", "backup", "--to", "few", "--json", *settings(server))))
    assert [backup["number"] for backup in report["backups"]] == [2, 3]


@parametrized_state
def test_a_backup_without_a_folder_is_refused(atrium, make_server, state):
    server = bring(make_server(), state)
    printed = atrium("store", "backup", *settings(server))
    assert printed.returncode == FAILED
    assert "store.backup_folder" in printed.stderr


@parametrized_state
def test_a_folder_that_cannot_be_made_is_named(atrium, served, state, tmp_path):
    server = bring(served, state)
    (tmp_path / "file").write_text("")
    printed = atrium("store", "backup", "--to", "file/backups", *settings(server))
    assert printed.returncode == FAILED
    assert str(tmp_path / "file/backups") in printed.stderr


def test_progress_is_shown_when_it_is_asked_for(atrium, served):
    printed = atrium("store", "backup", "--progress", *settings(served))
    good(printed)
    assert re.search(r"^backup: \S+ \w+ of \S+ \w+, 100 %$", printed.stderr, re.MULTILINE)
    assert atrium("store", "backup", *settings(served)).stderr == ""


def test_a_restored_store_begins_another_epoch_and_the_old_one_is_kept(atrium, make_server, served):
    before = epoch_of(atrium, served)
    served.stop()
    refused = atrium("store", "restore", *settings(served))
    assert (refused.returncode, refused.stdout) == (FAILED, "")
    assert "--replace" in refused.stderr
    report = json.loads(good(atrium("store", "restore", "--replace", "--json", *settings(served))))
    assert report["epoch"]["reason"] == "restored"
    assert report["epoch"]["id"] > before["id"]
    assert pathlib.Path(report["replaced"]).parent == served.data
    assert (pathlib.Path(report["replaced"]) / "CURRENT").exists()
    again = make_server(data=served.data)
    assert epoch_of(atrium, again) == report["epoch"]


def test_a_store_is_restored_into_an_empty_folder(atrium, make_server, served, tmp_path):
    served.stop()
    printed = good(atrium("store", "restore", "--from", "backups", "--data", "other"))
    assert re.fullmatch(r"the store begins epoch \S+\n", printed)
    server = make_server(data=tmp_path / "other")
    assert epoch_of(atrium, server)["reason"] == "restored"


def test_an_older_backup_is_restored_by_its_number(atrium, served):
    good(atrium("store", "backup", *settings(served)))
    served.stop()
    good(atrium("store", "restore", "--number", 1, "--replace", *settings(served)))
    missing = atrium("store", "restore", "--number", 9, "--replace", *settings(served))
    assert missing.returncode == FAILED
    assert "9" in missing.stderr
    # What could not be restored has changed nothing.
    assert epoch_of(atrium, served)["reason"] == "restored"
    assert not (served.data / "store.arriving").exists()


def test_a_folder_without_backups_is_named(atrium, tmp_path):
    (tmp_path / "empty").mkdir()
    printed = atrium("store", "restore", "--from", "empty", "--data", "new")
    assert printed.returncode == FAILED
    assert "empty" in printed.stderr
    assert not (tmp_path / "new" / "store").exists()


# Export and import.


@parametrized_state
def test_what_was_exported_is_imported(atrium, make_server, served, state, tmp_path):
    server = bring(served, state)
    summary = json.loads(good(atrium("store", "export", "all.zst", "--json", *settings(server))))
    assert summary["rows"] >= 3
    assert summary["bytes"] == (tmp_path / "all.zst").stat().st_size
    assert (tmp_path / "all.zst").stat().st_mode & 0o077 == 0
    report = json.loads(good(atrium("store", "import", "all.zst", "--json", "--data", "other")))
    assert report["rows"] == summary["rows"]
    assert report["epoch"]["reason"] == "imported"
    other = make_server(data=tmp_path / "other", config={"store": {"backup_folder": str(tmp_path / "backups")}})
    assert epoch_of(atrium, other) == report["epoch"]
    runs = json.loads(good(atrium("jobs", "history", "store.backup", "--json", *settings(other))))
    assert runs[-1]["outcome"] == "succeeded"


def test_an_export_of_a_running_server_leaves_no_checkpoint(atrium, served):
    good(atrium("store", "export", "all.zst", *settings(served)))
    assert list((served.data / "checkpoints").iterdir()) == []


def test_checkpoints_that_a_killed_command_left_are_erased_at_the_next_start(make_server):
    first = make_server()
    first.stop()
    left = first.data / "checkpoints" / "left"
    left.mkdir(parents=True)
    make_server(data=first.data)
    assert not left.exists()


def test_an_export_goes_to_standard_output(atrium, served, tmp_path, build_folder):
    program = str(build_folder.resolve() / "atrium")
    printed = subprocess.run([program, "store", "export", "-", *settings(served)], env=clean_environment(),
                             capture_output=True, check=True, timeout=60)
    (tmp_path / "piped.zst").write_bytes(printed.stdout)
    good(atrium("store", "import", "piped.zst", "--data", "other"))


def test_an_export_replaces_no_file(atrium, served, tmp_path):
    (tmp_path / "there").write_text("precious")
    printed = atrium("store", "export", "there", *settings(served))
    assert printed.returncode == FAILED
    assert "there" in printed.stderr
    assert (tmp_path / "there").read_text() == "precious"


def test_a_damaged_file_changes_nothing(atrium, served, tmp_path):
    good(atrium("store", "export", "all.zst", *settings(served)))
    served.stop()
    before = epoch_of(atrium, served)
    content = (tmp_path / "all.zst").read_bytes()
    (tmp_path / "cut.zst").write_bytes(content[:-20])
    for words in (["--replace"], ["--merge"]):
        printed = atrium("store", "import", "cut.zst", *words, *settings(served))
        assert (printed.returncode, printed.stdout) == (FAILED, "")
    assert epoch_of(atrium, served) == before
    assert not (served.data / "store.arriving").exists()


def test_an_import_does_not_touch_a_store_unless_it_is_told_to(atrium, served):
    good(atrium("store", "export", "all.zst", *settings(served)))
    served.stop()
    before = epoch_of(atrium, served)
    refused = atrium("store", "import", "all.zst", *settings(served))
    assert refused.returncode == FAILED
    assert "--replace" in refused.stderr
    assert epoch_of(atrium, served) == before
    merged = json.loads(good(atrium("store", "import", "all.zst", "--merge", "--json", *settings(served))))
    assert merged["replaced"] == ""
    replaced = json.loads(good(atrium("store", "import", "all.zst", "--replace", "--json", *settings(served))))
    assert pathlib.Path(replaced["replaced"]).is_dir()
    assert epoch_of(atrium, served) == replaced["epoch"]
    both = atrium("store", "import", "all.zst", "--replace", "--merge", *settings(served))
    assert both.returncode == MISUSED


# Jobs.


def backup_job(atrium, server):
    (job,) = [job for job in json.loads(good(atrium("jobs", "list", "--json", *settings(server))))
              if job["name"] == "store.backup"]
    return job


@parametrized_state
def test_jobs_are_listed_with_their_last_and_next_run(atrium, served, state):
    eventually(lambda: "last_run" in backup_job(atrium, served))
    server = bring(served, state)
    text = good(atrium("jobs", "list", *settings(server)))
    assert re.search(r"^store\.backup +daily at 03:00 UTC +succeeded +\d{4}-\S+ +\d{4}-", text, re.MULTILINE)
    job = backup_job(atrium, server)
    assert job["last_run"]["outcome"] == "succeeded"
    assert job["next_run"] > job["last_run"]["started"]


@parametrized_state
def test_a_job_is_run_and_waited_for(atrium, served, state):
    eventually(lambda: "last_run" in backup_job(atrium, served))
    server = bring(served, state)
    ended = json.loads(good(atrium("jobs", "run", "store.backup", "--json", *settings(server))))
    assert ended["outcome"] == "succeeded"
    runs = json.loads(good(atrium("jobs", "history", "store.backup", "--json", *settings(server))))
    assert runs[0] == ended
    assert len(runs) == 2
    assert len({one["server"] for one in runs}) == 1
    assert good(atrium("jobs", "run", "store.backup", *settings(server))).startswith("succeeded in ")
    text = good(atrium("jobs", "history", "store.backup", "--limit", 1, *settings(server)))
    assert len(text.splitlines()) == 2


@parametrized_state
def test_a_run_that_fails_fails_the_command_and_says_why(atrium, served, state, tmp_path):
    eventually(lambda: "last_run" in backup_job(atrium, served))
    server = bring(served, state)
    backups = tmp_path / "backups"
    backups.rename(tmp_path / "moved")
    backups.write_text("in the way")
    printed = atrium("jobs", "run", "store.backup", *settings(server))
    assert printed.returncode == FAILED
    assert printed.stdout.startswith("failed in ")
    assert str(backups) in printed.stdout


@parametrized_state
@pytest.mark.parametrize("words", [["run", "nothing"], ["history", "nothing"], ["run", "../store"]])
def test_a_job_nobody_knows_is_named(atrium, served, state, words):
    server = bring(served, state)
    printed = atrium("jobs", *words, *settings(server))
    assert (printed.returncode, printed.stdout) == (FAILED, "")
    assert printed.stderr == f"there is no job {words[1]}\n"


def test_the_history_and_the_name_of_the_server_outlive_it(atrium, make_server, served):
    eventually(lambda: "last_run" in backup_job(atrium, served))
    served.stop()
    again = make_server(data=served.data, config={"store": {"backup_folder": str(served.folder.parent / "backups")}})
    (first,) = json.loads(good(atrium("jobs", "history", "store.backup", "--json", *settings(again))))
    good(atrium("jobs", "run", "store.backup", *settings(again)))
    newest = json.loads(good(atrium("jobs", "history", "store.backup", "--json", *settings(again))))[0]
    assert newest["started"] > first["started"]
    assert newest["server"] == first["server"]


# Words.


@pytest.mark.parametrize("words", [
    ["store"], ["jobs"], ["store", "nonsense"], ["jobs", "run"], ["store", "export"],
    ["store", "restore", "--number", "many"], ["jobs", "history", "store.backup", "--limit", "0"],
])
def test_what_makes_no_sense_is_misuse(atrium, words):
    printed = atrium(*words)
    assert (printed.returncode, printed.stdout) == (MISUSED, "")
    assert printed.stderr


@pytest.mark.parametrize("words", [["store"], ["store", "backup"], ["jobs", "run"]])
def test_each_command_explains_itself(atrium, words):
    assert "--help" in good(atrium("help", *words))
