# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The numbers at the end of ./test are those of the reports."""

import subprocess

from tree import CHECKOUT

SUMMARY = ["/usr/bin/python3", str(CHECKOUT / "tests" / "summary.py")]

PYTEST = """<testsuites><testsuite>
<testcase classname="test_a" name="passes"/>
<testcase classname="test_a" name="fails"><failure message="assert 1 == 2&#10;where">text</failure></testcase>
<testcase classname="test_a" name="fails"><error message="teardown failed">text</error></testcase>
<testcase classname="test_a" name="skips"><skipped type="pytest.skip" message="no cluster">text</skipped></testcase>
</testsuite></testsuites>"""

GOOGLE_TEST = """<testsuites><testsuite name="A">
<testcase name="Passes" status="run" result="completed" classname="A"/>
<testcase name="Fails" status="run" result="completed" classname="A">
<failure message="x"/><failure message="y"/></testcase>
<testcase name="Skips" status="run" result="skipped" classname="A"><skipped message="a.cc:1&#10;no IPv6"/></testcase>
<testcase name="DISABLED_Sleeps" status="notrun" result="suppressed" classname="A"/>
</testsuite></testsuites>"""


def total(folder) -> tuple[int, list[str]]:
    outcome = subprocess.run([*SUMMARY, "total", folder], capture_output=True, text=True)
    return outcome.returncode, outcome.stdout.splitlines()


def note(folder, *words: str) -> None:
    subprocess.run([*SUMMARY, "note", folder, *words], check=True)


def test_reports_of_both_kinds_are_added_up(tmp_path):
    (tmp_path / "black-box.xml").write_text(PYTEST)
    (tmp_path / "unit-a.xml").write_text(GOOGLE_TEST)
    note(tmp_path, "format", "passed")
    status, lines = total(tmp_path)
    assert status == 1
    assert lines[-1] == "3 passed, 2 failed, 3 skipped"


def test_failures_and_reasons_of_skips_are_named(tmp_path):
    (tmp_path / "black-box.xml").write_text(PYTEST)
    (tmp_path / "unit-a.xml").write_text(GOOGLE_TEST)
    _, lines = total(tmp_path)
    assert "failed: test_a.fails: assert 1 == 2" in lines
    assert "skipped: test_a.skips: no cluster" in lines
    assert "skipped: A.Skips: a.cc:1 no IPv6" in lines
    assert "skipped: A.DISABLED_Sleeps: disabled in the source" in lines


def test_all_well_is_status_zero(tmp_path):
    note(tmp_path, "format", "passed")
    note(tmp_path, "fuzz", "skipped", "there are no targets")
    assert total(tmp_path) == (0, ["skipped: fuzz: there are no targets", "1 passed, 0 failed, 1 skipped"])


def test_a_failed_note_fails_the_run(tmp_path):
    note(tmp_path, "build dev", "failed", "see the output")
    assert total(tmp_path) == (1, ["failed: build dev: see the output", "0 passed, 1 failed, 0 skipped"])


def test_nothing_at_all_is_a_failure(tmp_path):
    assert total(tmp_path) == (1, ["nothing was run", "0 passed, 0 failed, 0 skipped"])


def test_a_report_cut_short_is_a_failure(tmp_path):
    (tmp_path / "unit-a.xml").write_text(GOOGLE_TEST[:100])
    status, lines = total(tmp_path)
    assert (status, lines[-1]) == (1, "0 passed, 1 failed, 0 skipped")


def test_what_a_pattern_left_out_is_not_skipped(tmp_path):
    report = tmp_path / "pages.xml"
    report.write_text("""<testsuites><testsuite name="a.test.ts">
<testcase classname="a.test.ts" name="wanted"/>
<testcase classname="a.test.ts" name="not wanted"><skipped/></testcase>
</testsuite></testsuites>""")
    subprocess.run([*SUMMARY, "chosen", report], check=True)
    assert total(tmp_path) == (0, ["1 passed, 0 failed, 0 skipped"])
