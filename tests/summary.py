# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps and counts the results of one run of ./test.

    summary.py note FOLDER NAME passed|failed|skipped [REASON]
    summary.py chosen REPORT
    summary.py total FOLDER

`note` records a check that writes no report of its own. `chosen` takes those out of a report of Vitest that a pattern left
out, which it counts as skipped. `total` reads every report in the folder, in
the XML of pytest and of GoogleTest alike, prints what failed, what was skipped and why, and ends with
one line of numbers. Its exit status is 1 when anything failed, and also when nothing was run at all:
silence is not success.
"""

import dataclasses
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

# A test that appears twice, as one that failed in its body and again in its teardown, counts once, as its worst.
SEVERITY = {"passed": 0, "skipped": 1, "failed": 2}


@dataclasses.dataclass(frozen=True)
class Outcome:
    name: str
    status: str
    reason: str


def write_note(folder: pathlib.Path, outcome: Outcome) -> None:
    case = ElementTree.Element("testcase", name=outcome.name)
    if outcome.status == "failed":
        ElementTree.SubElement(case, "failure", message=outcome.reason)
    elif outcome.status == "skipped":
        ElementTree.SubElement(case, "skipped", message=outcome.reason)
    suite = ElementTree.Element("testsuite")
    suite.append(case)
    slug = re.sub(r"[^a-z0-9]+", "-", outcome.name.lower())
    ElementTree.ElementTree(suite).write(folder / f"note-{slug}.xml", encoding="utf-8")


def keep_chosen(report: pathlib.Path) -> None:
    document = ElementTree.parse(report)
    for suite in document.getroot().iter("testsuite"):
        for case in suite.findall("testcase"):
            if case.find("skipped") is not None:
                suite.remove(case)
    document.write(report, encoding="utf-8")


def outcome_of(case: ElementTree.Element) -> Outcome:
    name = ".".join(filter(None, [case.get("classname"), case.get("name")]))
    for tag in ("failure", "error"):
        if (found := case.find(tag)) is not None:
            return Outcome(name, "failed", first_line(found))
    if (found := case.find("skipped")) is not None:
        return Outcome(name, "skipped", first_line(found))
    # GoogleTest marks what it left out with attributes alone.
    if case.get("status") == "notrun":
        return Outcome(name, "skipped", "disabled in the source")
    if case.get("result") == "skipped":
        return Outcome(name, "skipped", "no reason given")
    return Outcome(name, "passed", "")


def first_line(element: ElementTree.Element) -> str:
    lines = (element.get("message") or element.text or "").split("\n")
    lines = [line.strip() for line in lines if line.strip()] or ["no reason given"]
    # GoogleTest begins with the place, and a bare assertion with its kind, on a line of its own.
    return " ".join(lines[:2] if re.search(r":\d*$", lines[0]) else lines[:1])


def read_report(report: pathlib.Path) -> list[Outcome]:
    try:
        root = ElementTree.parse(report).getroot()
    except ElementTree.ParseError as error:
        return [Outcome(report.name, "failed", f"the report is not readable: {error}")]
    worst: dict[str, Outcome] = {}
    for case in root.iter("testcase"):
        outcome = outcome_of(case)
        known = worst.get(outcome.name)
        if known is None or SEVERITY[outcome.status] > SEVERITY[known.status]:
            worst[outcome.name] = outcome
    return list(worst.values())


def read_folder(folder: pathlib.Path) -> list[Outcome]:
    return [outcome for report in sorted(folder.glob("*.xml")) for outcome in read_report(report)]


def total(folder: pathlib.Path) -> int:
    outcomes = read_folder(folder)
    for status in ("skipped", "failed"):
        for outcome in outcomes:
            if outcome.status == status:
                print(f"{status}: {outcome.name}: {outcome.reason}")
    counts = {status: sum(o.status == status for o in outcomes) for status in SEVERITY}
    if not outcomes:
        print("nothing was run")
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return 0 if outcomes and counts["failed"] == 0 else 1


def main(arguments: list[str]) -> int:
    match arguments:
        case ["note", folder, name, ("passed" | "failed" | "skipped") as status, *reason]:
            write_note(pathlib.Path(folder), Outcome(name, status, " ".join(reason)))
            return 0
        case ["chosen", report]:
            keep_chosen(pathlib.Path(report))
            return 0
        case ["total", folder]:
            return total(pathlib.Path(folder))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
