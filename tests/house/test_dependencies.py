# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom. The direction is base <- store <- engines, base <- store <- rooms <- app, base <- http."""

import pathlib
import re

import pytest
from tree import CPP, Tree, checkout, expect_none, invented

ROOMS = ["identity", "calendar", "groups", "google", "bot", "files", "usage"]
ROOM_MAY_INCLUDE = {"base", "almanac", "icalendar", "store", "http", "api", "jobs", "egress", "blobs", "mail", "oidc"}

# Each module with the others it may include; itself is understood. A folder that is not here is a mistake.
ALLOWED: dict[str, set[str]] = {
    "base": set(),
    "almanac": {"base"},
    "icalendar": {"base", "almanac"},
    "store": {"base"},
    "http": {"base"},
    "egress": {"base"},
    "api": {"base", "http", "store"},
    "blobs": {"base", "store"},
    "jobs": {"base", "store"},
    "mail": {"base", "store", "jobs", "egress"},
    "oidc": {"base", "egress"},
    "gauges": {"base", "store", "http", "api", "jobs"},
    "engines/memory": {"base", "store"},
    "engines/rocksdb": {"base", "store"},
    "engines/cassandra": {"base", "store"},
    "engines/conformance": {"base", "store"},
    **{room: ROOM_MAY_INCLUDE for room in ROOMS},
}
# The only place that knows everybody.
APP = "app"
# Tests of what stands on the store may stand on a real engine.
ENGINES = {module for module in ALLOWED if module.startswith("engines/")}
# Libraries and the modules they belong to, so that nobody else comes to depend on them.
OWNED_LIBRARIES = {
    "absl": {"almanac"},
    "cjose": {"oidc"},
    "curl": {"egress"},
    "libical": {"icalendar"},
    "rocksdb": {"engines/rocksdb"},
    "unicode": {"icalendar"},
}
COROUTINES_LIVE_IN = {"http", "engines/cassandra"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?P<ours>[^"]+)"|<(?P<theirs>[^>]+)>)', re.MULTILINE)
COROUTINE = re.compile(r"\bco_(await|return|yield)\b")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)


def module_of(path: str) -> str:
    """"http" of "http/route.h", "engines/memory" of "engines/memory/engine.h", "" of "route.h"."""
    parts = path.split("/")
    return "/".join(parts[:2] if parts[0] == "engines" else parts[:1]) if len(parts) > 1 else ""


def is_test(path: str) -> bool:
    return path.endswith("_test.cc") or is_testing_header(path)


def is_testing_header(path: str) -> bool:
    """Headers that need GoogleTest; only tests may include them."""
    return pathlib.PurePosixPath(path).name == "testing.h" or path.endswith("_testing.h")


def violations(tree: Tree) -> list[str]:
    found = []
    for file in tree.having(CPP, under="src/"):
        path = file.removeprefix("src/")
        text = tree.text(file)
        if module_of(path) != APP and module_of(path) not in ALLOWED:
            found.append(f"{file}: the folder is not in the table of modules")
            continue
        found += [f"{file}: {problem}" for problem in include_problems(path, text)]
        if COROUTINE.search(COMMENT_OR_STRING.sub("", text)) and module_of(path) not in COROUTINES_LIVE_IN:
            found.append(f"{file}: coroutines stay in {', '.join(sorted(COROUTINES_LIVE_IN))}")
    return found


def include_problems(path: str, text: str) -> list[str]:
    problems = []
    for match in INCLUDE.finditer(text):
        problem = our_include(path, match["ours"]) if match["ours"] else their_include(path, match["theirs"])
        if problem:
            problems.append(problem)
    return problems


def our_include(path: str, included: str) -> str | None:
    here, there = module_of(path), module_of(included)
    if ".." in included.split("/") or not there:
        return f'"{included}" is not written relative to src/'
    if is_testing_header(included) and not is_test(path):
        return f'"{included}" is for tests only'
    if here == APP or there == here:
        return None
    allowed = ALLOWED[here]
    if is_test(path) and (here == "store" or "store" in allowed):
        allowed = allowed | ENGINES
    return None if there in allowed else f'{here} may not include "{included}"'


def their_include(path: str, included: str) -> str | None:
    folder = included.split("/")[0] if "/" in included else ""
    if folder in {module.split("/")[0] for module in ALLOWED} | {APP}:
        return f"<{included}> is ours: quote it"
    owners = OWNED_LIBRARIES.get(folder)
    if owners and module_of(path) not in owners:
        return f"<{included}> belongs to {' and '.join(sorted(owners))}"
    return None


def test_the_checkout_keeps_the_direction():
    expect_none(violations(checkout()))


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("src/base/clock.cc", '#include "http/route.h"\n', 'base may not include "http/route.h"'),
        ("src/http/router.cc", '#include "calendar/service.h"\n', "http may not include"),
        ("src/http/router.cc", '#include "store/engine.h"\n', "http may not include"),
        ("src/store/batch.cc", '#include "engines/memory/engine.h"\n', "store may not include"),
        ("src/engines/rocksdb/engine.cc", '#include "engines/memory/engine.h"\n', "may not include"),
        ("src/calendar/service.cc", '#include "identity/service.h"\n', "calendar may not include"),
        ("src/calendar/service.cc", '#include "app/config.h"\n', "calendar may not include"),
        ("src/calendar/service_test.cc", '#include "identity/service.h"\n', "calendar may not include"),
        ("src/calendar/service.cc", '#include "engines/memory/engine.h"\n', "calendar may not include"),
        ("src/calendar/service.cc", '#include "keys.h"\n', "relative to src/"),
        ("src/calendar/service.cc", '#include "../identity/keys.h"\n', "relative to src/"),
        ("src/calendar/service.cc", "  #  include <identity/keys.h>\n", "quote it"),
        ("src/calendar/service.cc", "#include <rocksdb/db.h>\n", "belongs to engines/rocksdb"),
        ("src/calendar/recurrence.cc", "#include <libical/ical.h>\n", "belongs to icalendar"),
        ("src/calendar/service.cc", '#include "base/testing.h"\n', "for tests only"),
        ("src/calendar/service.cc", "Task F() { co_await G(); }\n", "coroutines stay in"),
        ("src/attic/thing.cc", "\n", "not in the table"),
        ("src/thing.cc", "\n", "not in the table"),
        ("src/engines/thing.cc", "\n", "not in the table"),
    ],
)
def test_a_wrong_dependency_is_found(tmp_path, file, text, complaint):
    (found,) = violations(invented(tmp_path, {file: text}))
    assert found.startswith(f"{file}: ")
    assert complaint in found


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("src/calendar/service.cc", '#include "store/engine.h"\n#include "calendar/keys.h"\n#include <string>\n'),
        ("src/calendar/service_test.cc", '#include "engines/memory/engine.h"\n#include "base/testing.h"\n'),
        ("src/app/main.cc", '#include "calendar/service.h"\n#include "engines/rocksdb/engine.h"\n'),
        ("src/jobs/schedule.cc", '#include "store/engine.h"\n'),
        ("src/http/session.cc", "Task F() { co_await G(); }\n"),
        ("src/calendar/service.cc", "// co_await is not for us.\n"),
        ("src/egress/client.cc", "#include <curl/curl.h>\n"),
    ],
)
def test_a_right_dependency_is_left_alone(tmp_path, file, text):
    assert violations(invented(tmp_path, {file: text})) == []
