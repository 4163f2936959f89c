# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""`atrium store verify` on stores that were damaged on purpose: exported, altered as text, and imported again."""

import json

import pytest
from exported_store import rewrite
from programs import run


@pytest.fixture
def damaged(build_folder, make_server, tmp_path):
    """damaged(alter): the data folder of a store of two notes whose exported lines went through `alter`."""
    program = build_folder / "atrium_lab"

    def make(alter):
        server = make_server(binary="atrium_lab")
        for number in ("1", "2"):
            note = {"id": number, "folder": "f", "title": "A", "slug": f"s{number}"}
            assert server.post("/lab/notes", json.dumps(note), {"Content-Type": "application/json"}).status == 201
        server.stop()
        file = tmp_path / "store.export"
        assert run(program, "store", "export", file, "--data", server.data).returncode == 0
        rewrite(file, alter)
        data = tmp_path / "altered"
        imported = run(program, "store", "import", file, "--data", data)
        assert imported.returncode == 0, imported.stderr
        return data

    return make


def verify(build_folder, data, *words):
    done = run(build_folder / "atrium_lab", "store", "verify", "--json", "--data", data, *words)
    return done.returncode, json.loads(done.stdout)


def is_row(row, table: str, partition: str) -> bool:
    return row["table"] == table and row["partition"] == partition


def test_a_store_that_came_unaltered_is_in_order(damaged, build_folder):
    # How often jobs ran until the export was made, and in how many stretches of time, is not the same each time.
    data = damaged(lambda row: None if row["table"].startswith(("job_", "gauge_")) else row)
    status, report = verify(build_folder, data)
    assert (status, report["findings"]) == (0, 0)
    # Two notes, two slugs, two rows of the folder, a log of two with its head, the epoch, the name of the blobs.
    assert report["rows"] == 11


@pytest.mark.parametrize(("alter", "defect"), [
    (lambda row: None if is_row(row, "lab_note_slugs", "s1") else row, "index_missing"),
    (lambda row: None if is_row(row, "lab_notes", "1") else row, "index_orphaned"),
    (lambda row: row | {"document": row["document"] | {"title": "old"}}
     if row["table"] == "lab_notes_by_folder" and row["sort"] == "2" else row, "index_outdated"),
])
def test_what_does_not_fit_is_found_and_mended(damaged, build_folder, alter, defect):
    data = damaged(alter)
    status, report = verify(build_folder, data)
    assert status == 1
    assert {finding["defect"] for finding in report["list"]} == {defect}
    assert all(finding["remedy"] for finding in report["list"])
    assert verify(build_folder, data)[1]["findings"] == report["findings"], "looking changes nothing"

    status, mended = verify(build_folder, data, "--repair")
    assert (status, mended["repaired"]) == (0, report["findings"])
    assert verify(build_folder, data)[1]["findings"] == 0


def test_a_record_nobody_can_read_is_left_to_people(damaged, build_folder):
    data = damaged(lambda row: row | {"document": {"id": 7}} if is_row(row, "lab_notes", "1") else row)
    status, report = verify(build_folder, data, "--repair")
    assert status == 1
    assert ([finding["defect"] for finding in report["list"]], report["repaired"]) == (["unreadable"], 0)
